#pragma once
// Benchmarks as files: read back, written, and shown.

#include "cli/commands/bench_options.hpp"
#include "measure/cell.hpp"

#include <memory>
#include <string>

namespace dcube::cli {

class Interrupt;
class NewFile;

/// A document that dcube bench wrote. Throws InvalidArgument, which names the file and what is wrong with it.
measure::Json read_bench_file(const std::string& file);

/// The document as --output and --format json have it: a line for each cell.
std::string bench_json(const measure::Json& document);

/// Every number in it to nine digits, which is more than was measured: 2.7e-07 for 2.6999999999999996e-07.
void round_numbers(measure::Json& value);

/// Whether it has fewer rounds than were asked for, because a stop was requested.
bool is_interrupted(const measure::Json& document);

/// As the format says.
std::string bench_output(const measure::Json& document, BenchFormat format);

/// The files that are made of a document. All can be written, or none is: making one throws InvalidArgument where a
/// file cannot be opened.
class BenchFiles {
public:
    explicit BenchFiles(const BenchOptions& options);
    ~BenchFiles();
    BenchFiles(const BenchFiles&) = delete;
    BenchFiles& operator=(const BenchFiles&) = delete;

    /// Throws InvalidArgument: what cannot be written; and Interrupted. The files then do not appear.
    void write(const measure::Json& document, const Interrupt& interrupt);

private:
    std::unique_ptr<NewFile> output_;
    std::unique_ptr<NewFile> html_;
};

}  // namespace dcube::cli

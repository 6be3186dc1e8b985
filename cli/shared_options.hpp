#pragma once
// What the command line asks for, as plain data.

#include <dcube/machine.hpp>
#include <dcube/ports.hpp>
#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace dcube::cli {

enum class Format : std::uint8_t { text, json, csv, markdown };
enum class ColourWish : std::uint8_t { automatic, always, never };
enum class BlockSize : std::uint8_t { given, open };  ///< open: as small as the input file allows

/// dcube run
struct RunCommand {
    Topology topology = Topology::hypercube(0);
    Problem problem{};
    MachineOptions machine{};
    BlockSize block_size = BlockSize::given;
    bool type_given = false;
    std::string algorithm = "auto";
    std::uint64_t seed = 1;
    std::uint64_t repeat = 1;
    std::optional<std::string> input{};
    std::optional<std::string> output{};
    std::optional<std::string> trace{};
    enum class Mode : std::uint8_t { run, forecast } mode = Mode::run;
    Format format = Format::text;
    ColourWish colour = ColourWish::automatic;
};

/// dcube verify
struct VerifyCommand {
    std::string file;  ///< "-" is standard input
    Topology topology = Topology::hypercube(0);
    Problem problem{};
    PortModel ports = PortModel::all;
    Format format = Format::text;
};

/// dcube compare
struct CompareCommand {
    Topology topology = Topology::hypercube(0);
    Problem problem{};
    std::vector<std::size_t> sizes{};  ///< of a packet; one after the other
    MachineOptions machine{};
    std::uint64_t seed = 1;
    Format format = Format::text;
};

/// dcube histogram
struct HistogramCommand {
    Topology topology = Topology::hypercube(0);
    MachineOptions machine{};
    std::string algorithm = "auto";
    std::size_t bins = 256;
    unsigned word_bits = 8;
    std::string input;
    Format format = Format::text;
};

/// dcube info
struct InfoCommand {
    Topology topology = Topology::hypercube(0);
    Format format = Format::text;
};

/// dcube list
struct ListCommand {
    Format format = Format::text;
};

/// --help and --version: a text to be printed.
struct Answer {
    std::string text;
};

using Command =
    std::variant<Answer, RunCommand, VerifyCommand, CompareCommand, HistogramCommand, InfoCommand, ListCommand>;

/// Reads the command line. Throws InvalidArgument, in one line, for whatever cannot be meant.
Command parse_command_line(int argc, const char* const* argv);

}  // namespace dcube::cli

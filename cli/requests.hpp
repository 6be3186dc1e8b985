#pragma once
// Commands' requests, as plain data.

#include <dcube/catalogue.hpp>
#include <dcube/link.hpp>
#include <dcube/machine.hpp>
#include <dcube/problem.hpp>
#include <dcube/run.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace dcube::cli {

enum class Format : std::uint8_t { text, json, csv, markdown };
enum class TraceFormat : std::uint8_t { jsonl, table };
enum class Rows : std::uint8_t { main, all };  ///< of a report; all with --verbose
enum class ColourMode : std::uint8_t { automatic, always, never };
enum class BlockSize : std::uint8_t { given, open };  ///< open: as small as the input file allows

/// How long a run is repeated, unless the number of times is given: its first time is a cold one.
inline constexpr double usual_warm_seconds = 0.02;
/// A run whose first time was longer is not repeated: that time is accurate enough, and is reported at once.
inline constexpr double usual_longest_cold_seconds = 0.01;

/// dcube run, one run of it
struct RunCommand {
    Topology topology = Topology::hypercube(0);
    Problem problem{};
    MachineOptions machine{};
    BlockSize block_size = BlockSize::given;
    bool type_given = false;
    std::string algorithm = "auto";
    std::shared_ptr<const Entry> own{};  ///< in its place: one that is not in the catalogue
    VerifiedRunOptions how{};            ///< but for input and output, which are those of the files
    RunOptions run{};                    ///< failing links and nodes
    bool threads_given = false;          ///< that of the machine was asked for
    std::optional<std::string> input{};
    std::optional<std::string> output{};
    std::optional<std::string> trace{};
    TraceFormat trace_format = TraceFormat::jsonl;  ///< a table is printed where `trace` names no file
    Format format = Format::text;
    Rows rows = Rows::main;
    ColourMode colour = ColourMode::automatic;
    bool explain = false;  ///< explain why and how after the report
};

}  // namespace dcube::cli

#pragma once
// The claims of README.md and docs/performance.md about dcube's speed, the commands that print them, and the targets.
// tests/docs/measured_test.cpp makes the documents' tables of this list.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace figures {

/// The unit in which a value is kept, an SI unit, and the one in which it is shown.
struct Unit {
    std::string_view kept;   ///< "s", "1/s", "bytes/s"; "1" for ratios
    std::string_view shown;  ///< "ms"
    double scale;            ///< shown over kept
};

struct Target {
    enum class Kind : std::uint8_t { at_least, at_most };

    Kind kind;
    double value;  ///< in the unit in which it is kept
};

/// The source of a value.
enum class Source : std::uint8_t {
    measured_here,  ///< by this program, under the claim's name
    report,         ///< the key of the report that the command prints with --format json
    benchmark,      ///< the benchmark's counter, or its time, in the JSON that the command prints
};

struct Claim {
    std::string_view name;
    std::string_view what;  ///< the first cell of its row in docs/performance.md
    Unit unit;
    std::optional<Target> target;
    std::string_view command;  ///< the command that prints it: "./dcube figures", "./dcube run ..."
    Source source = Source::measured_here;
    std::string_view key = {};   ///< the report's; or "BENCHMARK real_time", with a counter's name instead for rates
    std::string_view over = {};  ///< a second key, by whose value the first one's is divided
    std::string_view in_readme = {};  ///< the words behind its value in README.md; empty if it is not claimed there
};

/// The claims in the order of the documents. Those that take minutes or 10 GB of memory come last.
std::span<const Claim> claims();

/// Whether it is measured only with --large.
bool is_large(const Claim& claim);

/// "README.md, docs/performance.md": where it stands.
std::string where(const Claim& claim);

/// Three digits and the unit: "67.8 million/s".
std::string value_text(const Unit& unit, double value);

/// ">= 150 million/s", or nothing.
std::string target_text(const Claim& claim);

/// Empty where nothing is aimed at.
std::optional<bool> is_met(const Claim& claim, double value);

}  // namespace figures

#pragma once
// Results of a whole command line: the record that it prints, or its refusal.

#include "tests/support/process.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace dcube::test {

/// As dcube_line() without a start of its own, but executed in this process, which is quicker: by the same function
/// that the program's main() calls. Not for lines that use a plan cache or wait for a signal.
Outcome executed(const std::string& line);

/// The commands of the program, from its help.
const std::vector<std::string>& commands_of_dcube();

/// An option as the help of its command has it.
struct HelpedOption {
    std::string name;  ///< "--dim"
    bool takes_value = false;
    bool repeatable = false;
};
std::vector<HelpedOption> options_of(const std::string& command);

/// The record that the line prints with --format json; it must succeed.
nlohmann::ordered_json json_of(const std::string& line);

/// The keys of a record, in their order.
std::vector<std::string> keys_of(const nlohmann::ordered_json& record);

/// The line must be refused as every wrong one is: exit 2, nothing on standard output, and one line with `complaint`.
void check_refused(const std::string& line, const std::string& complaint);

}  // namespace dcube::test

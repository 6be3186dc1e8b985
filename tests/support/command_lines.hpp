#pragma once
// What is asked of a whole command line: the record that it prints, or that it is refused.

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace dcube::test {

/// The record that the line prints with --format json; it must succeed.
nlohmann::ordered_json json_of(const std::string& line);

/// The keys of a record, in their order.
std::vector<std::string> keys_of(const nlohmann::ordered_json& record);

/// The line must be refused as every wrong one is: exit 2, nothing on standard output, and one line with `complaint`.
void check_refused(const std::string& line, const std::string& complaint);

}  // namespace dcube::test

#include "tests/support/command_lines.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"

#include <algorithm>

namespace dcube::test {

nlohmann::ordered_json json_of(const std::string& line)
{
    const Outcome outcome = dcube_line(line + " --format json");
    CAPTURE(line, outcome.err);
    REQUIRE(outcome.exit_code == 0);
    return nlohmann::ordered_json::parse(outcome.out);
}

std::vector<std::string> keys_of(const nlohmann::ordered_json& record)
{
    std::vector<std::string> keys;
    for (const auto& [key, value] : record.items())
        keys.push_back(key);
    return keys;
}

void check_refused(const std::string& line, const std::string& complaint)
{
    CAPTURE(line);
    const Outcome outcome = dcube_line(line);
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.out.empty());
    CHECK(std::ranges::count(outcome.err, '\n') == 1);
    CHECK(outcome.err.starts_with("dcube: "));
    CHECK_THAT(outcome.err, Catch::Contains(complaint));
}

}  // namespace dcube::test

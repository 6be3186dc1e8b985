// dcube list.

#include "run/question.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"

#include <dcube/catalogue.hpp>

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

using namespace dcube;
using namespace dcube::test;
using nlohmann::ordered_json;

TEST_CASE("list: every algorithm is in every format", "[cli]")
{
    const ordered_json entries = ordered_json::parse(executed("list --format json").out);
    CHECK(entries.size() == catalogue().size());
    CHECK(keys_of(entries[0]) == std::vector<std::string>{"collective", "name", "aliases", "ports", "link_model",
                                                          "networks", "paper", "origin", "summary"});
    CHECK(lines_of(executed("list --format csv").out).size() == catalogue().size() + 1);
    CHECK(lines_of(executed("list --format markdown").out).size() == catalogue().size() + 2);
    const std::string text = executed("list").out;
    for (const Entry& algorithm : catalogue())
        CHECK_THAT(text, Catch::Contains(std::string(algorithm.name)));
    CHECK_THAT(text, Catch::Contains("\nall-to-all, also total-exchange, complete-exchange, alltoall, alltoallv,\n"));
    for (const std::string& line : lines_of(text))
        CHECK(line.size() <= 80);
}

TEST_CASE("list: every key of a question has its option, its argument and its meaning", "[cli]")
{
    const ordered_json entries = ordered_json::parse(executed("list keys --format json").out);
    CHECK(entries.size() == question_keys().size());
    CHECK(keys_of(entries[0]) ==
          std::vector<std::string>{"key", "option", "argument", "group", "about", "values", "default"});
    CHECK(lines_of(executed("list keys --format csv").out).size() == question_keys().size() + 1);
    const std::string text = executed("list keys").out;
    const std::string table = executed("list keys --format markdown").out;
    for (const Key& key : question_keys()) {
        CHECK_THAT(text, Catch::Contains(std::string(key.key) + " ("));
        CHECK_THAT(table, Catch::Contains("| `" + std::string(key.key) + "` | "));
    }
    CHECK_THAT(text, Catch::Contains("tau_ns_per_byte (--tau NS; in Python tau)\n    ns per byte, for links"));
    CHECK_THAT(table, Catch::Contains("| `ports` | `--ports all\\|one` | `ports` | "));
    for (const std::string& line : lines_of(text))
        CHECK(line.size() <= 80);
}

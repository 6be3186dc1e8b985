// The keys of reports are stable.

#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"

#include <dcube/report.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <ranges>
#include <string>
#include <vector>

using namespace dcube;
using namespace dcube::test;
using nlohmann::ordered_json;

namespace {

const std::vector<std::string> first_keys = {
    "schema",
    "collective",
    "algorithm",
    "paper",
    "topology",
    "dimensions",
    "nodes",
    "ports",
    "link_model",
    "tau_ns_per_byte",
    "beta_ns",
    "threads",
    "channel",
    "bytes",
    "packets",
    "root",
    "steps",
    "steps_lower_bound",
    "transmissions",
    "transmissions_lower_bound",
    "link_utilisation",
    "virtual_time_ns",
    "predicted_time_ns",
    "time_lower_bound_ns",
    "verified",
    "blocks_verified",
    "wall_seconds",
    "hops_per_second",
    "link_bytes_per_second",
    "memcpy_bytes_per_second",
    "peak_memory_bytes",
    "seed",
    "result_digest",
    "operation",
    "type",
    "channel_capacity",
    "busiest_link",
    "idlest_link",
    "in_transit_bytes",
    "largest_in_transit_bytes",
    "clock",
    "peer",
    "rows",
    "columns",
    "layout",
};

std::vector<std::string> report_keys()
{
    std::vector<std::string> keys;
    for (const ReportField& field : report_fields())
        if (field.stands_in(RecordKind::report))
            keys.emplace_back(field.key);
    return keys;
}

}  // namespace

TEST_CASE("run: the keys of the JSON report are stable", "[cli]")
{
    const ordered_json rooted = json_of("run scatter --dim 3 --root 5");
    CHECK(keys_of(rooted) == report_keys());
    CHECK(std::ranges::equal(first_keys, report_keys() | std::views::take(first_keys.size())));
    CHECK(rooted["schema"] == 1);
    CHECK(rooted["root"] == 5);
    CHECK(rooted["link_model"] == "unit");
    CHECK(rooted["tau_ns_per_byte"].is_null());
    const ordered_json symmetric = json_of("run all-to-all --topology hypercube:3");
    CHECK(keys_of(symmetric) == report_keys());
    CHECK(symmetric["root"].is_null());
    CHECK(symmetric["seed"] == 1);
}

TEST_CASE("run: CSV has the keys of the JSON report, and one row", "[cli]")
{
    const Outcome outcome = dcube_line("run all-to-all --dim 3 --format csv");
    CHECK(outcome.exit_code == 0);
    const std::vector<std::string> lines = lines_of(outcome.out);
    REQUIRE(lines.size() == 2);
    std::string keys;
    for (const std::string& key : report_keys())
        keys += (keys.empty() ? "" : ",") + key;
    CHECK(lines[0] == keys);
    CHECK(lines[1].starts_with("1,all-to-all,"));
}

// Every record has exactly those that dcube list fields shows for it.

#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"

#include <dcube/report.hpp>

#include <nlohmann/json.hpp>

#include <initializer_list>
#include <set>
#include <string>
#include <vector>

using namespace dcube;
using namespace dcube::test;
using nlohmann::ordered_json;

namespace {

std::vector<std::string> report_keys()
{
    std::vector<std::string> keys;
    for (const ReportField& field : report_fields())
        if (field.stands_in(RecordKind::report))
            keys.emplace_back(field.key);
    return keys;
}

using Keys = std::set<std::string>;

bool is_among(const std::string& record, const std::string& records)
{
    return (", " + records + ", ").find(", " + record + ", ") != std::string::npos;
}

// The keys that dcube list fields shows for a kind of record, or for a part of it: "bounds.".
Keys listed(const std::string& record, const std::string& part = "")
{
    Keys keys;
    for (const ordered_json& field : json_of("list fields")) {
        const std::string key = field["key"];
        const bool in_part = key.starts_with(part) && key.find('.', part.size()) == std::string::npos;
        if (in_part && is_among(record, field["records"]))
            CHECK(keys.insert(key.substr(part.size())).second);
    }
    return keys;
}

Keys set_of(const std::vector<std::string>& keys)
{
    return {keys.begin(), keys.end()};
}

Keys without(Keys keys, std::initializer_list<std::string> left_out)
{
    for (const std::string& key : left_out)
        CHECK(keys.erase(key) == 1);
    return keys;
}

}  // namespace

TEST_CASE("run: a JSON report has the keys that are listed for reports, in the order of the list", "[cli]")
{
    const ordered_json rooted = json_of("run scatter --dim 3 --root 5");
    CHECK(keys_of(rooted) == report_keys());
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
    const Outcome outcome = executed("run all-to-all --dim 3 --format csv");
    CHECK(outcome.exit_code == 0);
    const std::vector<std::string> lines = lines_of(outcome.out);
    REQUIRE(lines.size() == 2);
    std::string keys;
    for (const std::string& key : report_keys())
        keys += (keys.empty() ? "" : ",") + key;
    CHECK(lines[0] == keys);
    CHECK(lines[1].starts_with("1,all-to-all,"));
}

TEST_CASE("list fields: the records of runs have the keys that are listed for them", "[cli][long]")
{
    const TemporaryFolder folder;
    const std::string trace = folder.file("trace");
    CHECK(set_of(keys_of(json_of("run scatter --dim 2 --trace " + trace))) == listed("run"));
    CHECK(set_of(keys_of(json_of("run scatter --dim 2 --dry-run"))) == listed("dry run"));
    for (const std::string& key : keys_of(ordered_json::parse(lines_of(read_text(trace)).front())))
        CHECK(listed("trace").contains(key));  // a first line leaves out what does not apply
    CHECK(set_of(keys_of(json_of("verify " + trace))) == without(listed("verify"), {"line", "reason"}));

    Keys of_replay = listed("run");
    of_replay.merge(listed("replay"));
    CHECK(set_of(keys_of(json_of("replay " + trace))) == of_replay);

    write_text(folder.file("wrong"), lines_of(read_text(trace)).front() + "\n");
    const Outcome rejected = executed("verify " + folder.file("wrong") + " --format json");
    REQUIRE(rejected.exit_code == 1);
    for (const std::string& key : keys_of(ordered_json::parse(rejected.out)))
        CHECK(listed("verify").contains(key));
}

TEST_CASE("list fields: the records of comparisons, networks and histograms have the keys that are listed for them",
          "[cli]")
{
    const ordered_json compared = json_of("compare scatter --dim 2");
    for (const std::string& key : listed("compare"))
        CHECK(compared.contains(key));
    CHECK(without(set_of(keys_of(compared["algorithms"].front())), {"best"}) == listed("run"));

    const ordered_json network = json_of("info --dim 3");
    CHECK(set_of(keys_of(network)) == listed("info"));
    CHECK(set_of(keys_of(network["bounds"].front())) == listed("info", "bounds."));
    CHECK(set_of(keys_of(network["algorithms"].front())) == listed("info", "algorithms."));

    const TemporaryFolder folder;
    write_text(folder.file("data"), "abc");
    const std::string histogram = "histogram --dim 1 --bins 2 --input " + folder.file("data");
    CHECK(set_of(keys_of(json_of(histogram))) == listed("histogram"));
    CHECK(listed("histogram CSV") == Keys{"bin", "first", "last", "count"});
    CHECK(lines_of(executed(histogram + " --format csv").out).front() == "bin,first,last,count");
}

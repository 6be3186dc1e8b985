// dcube run and dcube list, as a user sees them.

#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"

#include <dcube/dcube.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <ranges>
#include <set>

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

std::vector<std::string> keys_of(const ordered_json& object)
{
    std::vector<std::string> keys;
    for (const auto& [key, value] : object.items())
        keys.push_back(key);
    return keys;
}

std::vector<std::string> report_keys()
{
    std::vector<std::string> keys;
    for (const ReportField& field : report_fields())
        if (field.stands_in(RecordKind::report))
            keys.emplace_back(field.key);
    return keys;
}

using Words = std::vector<std::string>;

struct SmallRun {
    Topology topology;
    Problem problem;
    Words words;
};

// What else a collective must be told, in several ways, of which an algorithm can do at least one.
std::vector<std::pair<Problem, Words>> targets(Collective collective, const Topology& topology)
{
    const NodeId n = topology.nodes();
    std::vector<std::pair<Problem, Words>> all;
    if (has_peer(collective)) {
        for (const NodeId peer : {n - 1, NodeId{1}, n / 2 + 1})
            all.push_back({{.collective = collective, .peer = peer}, {"--to", std::to_string(peer)}});
    } else if (collective == Collective::permute) {
        for (const char* const named : {"identity", "inversion", "random"})
            all.push_back({{.collective = collective, .permutation = permutation_by_name(named, topology)},
                           {"--permutation", named}});
    } else if (is_matrix(collective)) {
        for (const MatrixLayout layout :
             {MatrixLayout::rows_blocked, MatrixLayout::submatrices, MatrixLayout::submatrices_gray}) {
            Problem problem{.collective = collective, .rows = n, .columns = n, .layout = layout};
            problem.to = MatrixLayout::rows_striped;
            all.push_back(
                {problem,
                 {"--rows", std::to_string(n), "--cols", std::to_string(n), "--layout", std::string(name(layout))}});
        }
    } else {
        all.push_back({{.collective = collective}, {}});
    }
    return all;
}

// The first network, packets and targets with which the algorithm can do its collective.
std::optional<SmallRun> small_run(const Algorithm& algorithm)
{
    for (const char* const network : {"hypercube:3", "hypercube:4", "hypercube:5", "hypercube:2", "hypercube:1",
                                      "mesh:2x3", "circulant:5,1,2", "ring:3*path:3"}) {
        const Topology topology = Topology::parse(network);
        for (const std::size_t packets : {std::size_t{1}, std::size_t{2}, std::size_t{topology.nodes()}}) {
            for (auto& [problem, more] : targets(algorithm.collective, topology)) {
                if (is_matrix(algorithm.collective) && (!topology.is_hypercube() || topology.dimension() % 2 == 1))
                    continue;
                problem.bytes = 8;
                problem.packets = packets;
                Words words{"run", std::string(name(algorithm.collective)), "--topology", network};
                words.insert(words.end(), more.begin(), more.end());
                if (!is_matrix(algorithm.collective))
                    words.insert(words.end(), {"--packets", std::to_string(packets), "--bytes", "8"});
                if (algorithm.link == LinkKind::link_bound) {
                    problem.link = {LinkKind::link_bound, {1, 1}, {100, 1}, LinkClock::data_driven};
                    words.insert(words.end(), {"--tau", "1", "--beta", "100"});
                }
                words.insert(words.end(), {"--ports", std::string(name(algorithm.ports)), "--algorithm",
                                           std::string(algorithm.name)});
                if (obstacle_of(algorithm, topology, algorithm.ports, problem).empty())
                    return SmallRun{topology, problem, words};
            }
        }
    }
    return std::nullopt;
}

std::vector<std::string> with(std::vector<std::string> words, std::initializer_list<std::string> more)
{
    words.insert(words.end(), more);
    return words;
}

ordered_json report_of(const std::string& line)
{
    const Outcome outcome = dcube_line(line + " --format json");
    CAPTURE(line, outcome.err);
    REQUIRE(outcome.exit_code == 0);
    REQUIRE(outcome.err.empty());
    return ordered_json::parse(outcome.out);
}

}  // namespace

TEST_CASE("run: each algorithm of the catalogue runs, verified, with the counts it promises", "[cli]")
{
    for (const Algorithm& algorithm : catalogue()) {
        CAPTURE(name(algorithm.collective), algorithm.name);
        const auto small = small_run(algorithm);
        REQUIRE(small);
        const Outcome outcome = dcube_program(with(small->words, {"--format", "json"}));
        CAPTURE(outcome.err);
        REQUIRE(outcome.exit_code == 0);
        CHECK(outcome.err.empty());
        const ordered_json report = ordered_json::parse(outcome.out);
        CHECK(report["algorithm"] == algorithm.name);
        CHECK(report["verified"] == true);
        const Cost cost = algorithm.cost(small->topology, small->problem);
        CHECK(report["transmissions"] == cost.transmissions);
        if (algorithm.link == LinkKind::unit)
            CHECK(report["steps"] == cost.steps);
        else
            CHECK(!report["predicted_time_ns"].is_null());
    }
}

TEST_CASE("run: an algorithm answers to its aliases", "[cli]")
{
    for (const Algorithm& algorithm : catalogue()) {
        const auto small = small_run(algorithm);
        REQUIRE(small);
        for (const std::string_view alias : algorithm.aliases) {
            std::vector<std::string> aliased = small->words;
            aliased.back() = alias;
            CAPTURE(alias);
            const Outcome outcome = dcube_program(with(aliased, {"--format", "json"}));
            REQUIRE(outcome.exit_code == 0);
            CHECK(ordered_json::parse(outcome.out)["collective"] == name(algorithm.collective));
        }
    }
}

TEST_CASE("run: the text report fits a screen, for each algorithm", "[cli]")
{
    for (const Algorithm& algorithm : catalogue()) {
        const auto small = small_run(algorithm);
        REQUIRE(small);
        const Outcome outcome = dcube_program(small->words);
        CAPTURE(outcome.out, outcome.err);
        CHECK(outcome.exit_code == 0);
        CHECK(outcome.err.empty());
        CHECK(lines_of(outcome.out).size() <= 24);
        for (const std::string& line : lines_of(outcome.out))
            CHECK(line.size() <= 80);
    }
}

TEST_CASE("run: the text report says what was reached, in words and grouped figures", "[cli]")
{
    const Outcome outcome = dcube_line("run all-to-all --dim 8 --bytes 4KiB");
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
    CHECK_THAT(outcome.out, Catch::Contains("hypercube:8, 256 nodes, all ports"));
    CHECK_THAT(outcome.out, Catch::Contains("128 (optimal: half of all packets cross each dimension"));
    CHECK_THAT(outcome.out, Catch::Contains("262 144 (optimal: "));
    CHECK_THAT(outcome.out, Catch::Contains("100.0 %"));
    CHECK_THAT(outcome.out, Catch::Contains("65 536 blocks, every byte"));
    CHECK_THAT(outcome.out, Catch::Contains("memcpy ("));
}

TEST_CASE("run: what is not optimal is told beside the bound", "[cli]")
{
    const Outcome outcome = dcube_line("run all-reduce --dim 6 --packets 64 --bytes 8");
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, Catch::Contains("22 (lower bound 21: "));
}

TEST_CASE("run: the keys of the JSON report are stable", "[cli]")
{
    const ordered_json rooted = report_of("run scatter --dim 3 --root 5");
    CHECK(keys_of(rooted) == report_keys());
    CHECK(std::ranges::equal(first_keys, report_keys() | std::views::take(first_keys.size())));
    CHECK(rooted["schema"] == 1);
    CHECK(rooted["root"] == 5);
    CHECK(rooted["link_model"] == "unit");
    CHECK(rooted["tau_ns_per_byte"].is_null());
    const ordered_json symmetric = report_of("run all-to-all --topology hypercube:3");
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

TEST_CASE("run: one node has nothing to do, and does it", "[cli]")
{
    for (const Collective collective : all_collectives) {
        if (is_point_to_point(collective) || is_matrix(collective))
            continue;  // for link-bound machines
        CAPTURE(name(collective));
        const std::string line = "run " + std::string(name(collective)) + " --dim 0";
        CHECK(report_of(line)["steps"] == 0);
        CHECK(dcube_line(line).exit_code == 0);
    }
}

TEST_CASE("run: the digest is equal for any threads, channels and algorithms", "[cli]")
{
    std::set<std::string> digests;
    for (const char* const options : {"--threads 1", "--threads 2", "--threads 4 --channel spsc",
                                      "--channel slots --capacity 3", "--ports one", "--repeat 2"})
        digests.insert(report_of(std::string("run all-to-all --dim 5 --bytes 24 ") + options)["result_digest"]);
    CHECK(digests.size() == 1);
    CHECK(digests.begin()->size() == 16);
    CHECK(!digests.contains(report_of("run all-to-all --dim 5 --bytes 24 --seed 2")["result_digest"]));
}

TEST_CASE("run: a dry run tells what it would take", "[cli]")
{
    const ordered_json expected = report_of("run all-to-all --dim 8 --bytes 4KiB --dry-run");
    CHECK(expected["steps"] == 128);
    CHECK(expected["transmissions"] == 262144);
    CHECK(expected["link_bytes"] == 262144ULL * 4096);
    CHECK(expected["memory_bytes"] > 2 * 65536 * 4096);
    CHECK(expected["predicted_seconds"] > 0);
    const Outcome outcome = dcube_line("run all-to-all --dim 8 --bytes 4KiB --dry-run");
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, Catch::Contains("nothing was run"));
    CHECK_THAT(outcome.out, Catch::Contains("128 (optimal"));
}

TEST_CASE("run: a dry run of what no memory could hold is possible", "[cli]")
{
    CHECK(dcube_line("run all-to-all --dim 20 --bytes 1K --dry-run").exit_code == 0);
}

TEST_CASE("list: every algorithm is in every format", "[cli]")
{
    const ordered_json entries = ordered_json::parse(dcube_line("list --format json").out);
    CHECK(entries.size() == catalogue().size());
    CHECK(keys_of(entries[0]) == std::vector<std::string>{"collective", "name", "aliases", "ports", "link_model",
                                                          "networks", "paper", "origin", "summary"});
    CHECK(lines_of(dcube_line("list --format csv").out).size() == catalogue().size() + 1);
    CHECK(lines_of(dcube_line("list --format markdown").out).size() == catalogue().size() + 2);
    const std::string text = dcube_line("list").out;
    for (const Algorithm& algorithm : catalogue())
        CHECK_THAT(text, Catch::Contains(std::string(algorithm.name)));
    for (const std::string& line : lines_of(text))
        CHECK(line.size() <= 80);
}

// Every algorithm of the catalogue, run by the program.

#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/catalogue.hpp>
#include <dcube/dcube.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace dcube;
using namespace dcube::test;
using nlohmann::ordered_json;
using test_support::Sample;

namespace {

using Words = std::vector<std::string>;

struct SmallRun {
    Topology topology;
    Problem problem;
    Words words;
};

// The other parameters of a collective, in several variants, at least one of which an algorithm can do.
std::vector<std::pair<Problem, Words>> targets(Collective collective, const Topology& topology)
{
    const NodeId n = topology.nodes();
    std::vector<std::pair<Problem, Words>> all;
    if (has_peer(collective)) {
        for (const NodeId peer : {n - 1, NodeId{1}, std::min(n - 1, n / 2 + 1)})
            all.push_back({{.collective = collective, .peer = peer}, {"--peer", std::to_string(peer)}});
    } else if (collective == Collective::permute) {
        for (const char* const named : {"identity", "inversion", "random"})
            all.push_back({{.collective = collective, .permutation = permutation_by_name(named, topology)},
                           {"--permutation", named}});
    } else if (is_matrix(collective)) {
        for (const MatrixLayout layout :
             {MatrixLayout::rows_blocked, MatrixLayout::submatrices, MatrixLayout::submatrices_gray}) {
            Problem problem{.collective = collective, .rows = n, .columns = n, .layout = layout};
            problem.to_layout = MatrixLayout::rows_striped;
            all.push_back(
                {problem,
                 {"--rows", std::to_string(n), "--columns", std::to_string(n), "--layout", std::string(name(layout))}});
        }
    } else {
        all.push_back({{.collective = collective}, {}});
    }
    return all;
}

// The first network, packets and targets with which the algorithm can do its collective.
std::optional<SmallRun> small_run(const Entry& algorithm)
{
    for (const char* const network :
         {"hypercube:3", "hypercube:4", "hypercube:5", "hypercube:2", "hypercube:1", "mesh:2x3", "circulant:5,1,2",
          "ring:3*path:3", "ring:5", "path:3", "ring:4 with 0-1:2:50"}) {
        const Topology topology = Topology::parse(network);
        for (const std::size_t packets : {std::size_t{1}, std::size_t{2}, std::size_t{topology.nodes()}}) {
            for (auto& [problem, more] : targets(algorithm.collective, topology)) {
                if (is_matrix(algorithm.collective) && (!topology.is_hypercube() || topology.dimension() % 2 == 1))
                    continue;
                problem.bytes = 8;
                problem.packets = packets;
                Words words{"run", std::string(name(algorithm.collective)), "--topology", network};
                words.insert(words.end(), more.begin(), more.end());
                if (!is_matrix(algorithm.collective) && !is_barrier(algorithm.collective))
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

}  // namespace

TEST_CASE("run: each algorithm of the catalogue runs, verified, with the counts it promises", "[cli][long]")
{
    Sample sample(7, 3);
    for (const Entry& algorithm : catalogue()) {
        if (!sample.takes_next())
            continue;
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

TEST_CASE("run: an algorithm answers to its aliases", "[cli][long]")
{
    Sample sample(7, 3);
    for (const Entry& algorithm : catalogue()) {
        if (!sample.takes_next())
            continue;
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

TEST_CASE("run: the text report fits a screen, for each algorithm", "[cli][long]")
{
    Sample sample(7, 3);
    for (const Entry& algorithm : catalogue()) {
        if (!sample.takes_next())
            continue;
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

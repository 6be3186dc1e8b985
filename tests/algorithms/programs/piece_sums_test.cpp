// Schedules that keep sums apart: what they tell to be in a packet is what the machine sends.

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/link_bound.hpp"

#include <dcube/dcube.hpp>

#include <cstdint>
#include <memory>
#include <vector>

using namespace dcube;
using namespace test_support;

namespace {

const Topology cube_of_four = Topology::hypercube(2);
using Ids = std::vector<NodeId>;

struct SumHop {
    Step step;
    NodeId from;
    Port port;
    Ids nodes;  // empty: left out
    std::uint64_t offset = 0;
    std::uint64_t length = 8;
};

PieceSchedule schedule_of(const std::vector<SumHop>& packets, const Problem& problem)
{
    const std::optional<NodeId> target =
        problem.collective == Collective::reduce ? std::optional(problem.root) : std::nullopt;
    PieceSchedule schedule;
    for (const auto& [step, from, port, nodes, offset, length] : packets) {
        Piece piece{{}, target, offset, length};
        if (!nodes.empty())
            piece.sum_of = std::make_shared<const Contributors>(Contributors::of(nodes));
        schedule.add(step, from, port, std::span(&piece, 1));
    }
    return schedule;
}

// Runs it on data that are checked. Its trace must list the schedule's contributors, or those given instead.
Report replayed(const std::vector<SumHop>& packets, const Problem& problem, const std::vector<Ids>& expected = {})
{
    Machine machine(cube_of_four, {.link = problem.link, .threads = 2, .watch_lent_bytes = true});
    std::vector<Contributors> told;
    RunOptions run;
    run.trace = [&](const Transmission& t) {
        for (const Piece& piece : t.pieces)
            told.push_back(piece.sum_of ? *piece.sum_of : Contributors());
    };
    const Algorithm own = algorithm_of({.collective = problem.collective, .name = "own", .ports = PortModel::all},
                                       schedule_of(packets, problem));
    Report report = run_verified(machine, own, problem, {}, run);
    std::vector<Contributors> demanded;
    for (const SumHop& packet : packets)
        demanded.push_back(Contributors::of(packet.nodes));
    if (!expected.empty())
        demanded.clear();
    for (const Ids& nodes : expected)
        demanded.push_back(Contributors::of(nodes));
    CHECK(told == demanded);
    return report;
}

const Problem to_node_0{.collective = Collective::reduce, .bytes = 8, .type = ElementType::uint32};
const Problem to_all{.collective = Collective::all_reduce, .bytes = 8, .type = ElementType::uint32};

}  // namespace

TEST_CASE("schedules of sums: a node may send its own share and others' shares in different packets",
          "[sums][schedule]")
{
    const Report report = replayed({{1, 1, 0, {1}}, {1, 3, 0, {3}}, {2, 2, 1, {2}}, {3, 2, 1, {3}}}, to_node_0);
    CHECK(report.verified);
    CHECK(report.counts.transmissions == 4);
    // One is kept back for good.
    CHECK(replayed({{1, 3, 0, {3}}, {1, 3, 1, {3}}, {2, 1, 0, {1, 3}}, {2, 2, 1, {2}}}, to_node_0).verified);
}

TEST_CASE("schedules of sums: a node may send different sums over different ports, and one sum to several nodes",
          "[sums][schedule]")
{
    std::vector<SumHop> packets;
    for (NodeId node = 0; node < 4; ++node)
        for (Port port = 0; port < 2; ++port)
            packets.push_back({1, node, port, {node}});
    for (NodeId node = 0; node < 4; ++node) {
        packets.push_back({2, node, 0, {node, node ^ 2U}});
        packets.push_back({2, node, 1, {node, node ^ 1U}});
    }
    const Report report = replayed(packets, to_all);
    CHECK(report.verified);
    CHECK(report.counts.steps == 2);
    // A sum that was made is there to be sent again, and to be added to.
    packets.resize(8);
    packets.push_back({2, 0, 0, {0, 2}});
    packets.push_back({2, 0, 1, {0, 1}});
    packets.push_back({3, 0, 0, {0, 1, 2}});
    packets.push_back({3, 1, 1, {0, 1, 2, 3}});
    packets.push_back({4, 3, 0, {0, 1, 2, 3}});
    packets.push_back({5, 2, 1, {0, 1, 2, 3}});
    CHECK(replayed(packets, to_all).verified);
}

TEST_CASE("schedules of sums: parts of a vector have different sums, and joined packets carry several",
          "[sums][schedule]")
{
    // Node 2 adds up the first half and keeps the second apart; the last packet carries both halves as they are.
    const std::vector<SumHop> packets = {
        {1, 1, 0, {1}}, {1, 3, 0, {3}}, {2, 2, 1, {2, 3}, 0, 4}, {3, 2, 1, {2}, 4, 4}, {4, 2, 1, {3}, 4, 4}};
    CHECK(replayed(packets, to_node_0).verified);
    const std::vector<SumHop> cut = {
        {1, 1, 0, {1}}, {1, 3, 0, {3}, 0, 4}, {2, 3, 0, {3}, 4, 4}, {3, 2, 1, {2}}, {4, 2, 1, {3}}};
    CHECK(replayed(cut, to_node_0).verified);
}

TEST_CASE("schedules of sums: a packet without contributors carries all that its sender holds", "[sums][schedule]")
{
    CHECK(replayed({{1, 1, 0, {}}, {1, 3, 0, {}}, {2, 2, 1, {2}}, {3, 2, 1, {3}}}, to_node_0, {{1}, {3}, {2}, {3}})
              .verified);
    CHECK(replayed({{1, 3, 0, {}}, {1, 3, 1, {3}}, {2, 1, 0, {}}, {2, 2, 1, {2}}}, to_node_0, {{3}, {3}, {1, 3}, {2}})
              .verified);
}

TEST_CASE("schedules of sums: on links that take time a sum leaves when its own parts have arrived", "[sums][schedule]")
{
    Problem problem = to_node_0;
    problem.link = link_bound(2, 4);  // 20 ns per packet
    // Node 2's share leaves at once, though node 3's has come by then in another step.
    const Report apart =
        replayed({{1, 3, 0, {3}}, {1, 1, 0, {1}}, {2, 2, 1, {2}}, {3, 2, 1, {3}}}, problem, {{1}, {3}, {2}, {3}});
    CHECK(apart.verified);
    CHECK(apart.virtual_time_ns == Rational{40, 1});
    const Report together = replayed({{1, 1, 0, {1}}, {1, 3, 0, {3}}, {2, 2, 1, {2, 3}}}, problem);
    CHECK(together.virtual_time_ns == Rational{40, 1});
}

TEST_CASE("schedules of sums: a sum that its sender cannot make is refused", "[sums][schedule][negative]")
{
    const auto refusal = [](const std::vector<SumHop>& packets) {
        return error_of([&] { program_of(schedule_of(packets, to_node_0), cube_of_four, to_node_0); });
    };
    CHECK(
        refusal({{1, 3, 0, {3}}, {2, 2, 1, {2}}, {2, 1, 0, {1, 3}}}) ==
        "packet 2 of the schedule (step 2): node 1 cannot make bytes 0 to 7 of the sum over nodes 1 and 3 of disjoint "
        "sums that it holds");
    CHECK(contains(refusal({{1, 3, 1, {3}}, {2, 1, 0, {1, 3}}, {3, 0, 1, {3}}}), "packet 2 of the schedule"));
}

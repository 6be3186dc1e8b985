// Wrong link-bound algorithms are caught: by the machine, by the program that carries a routing out, or by the check of
// every byte.

#include "base/memory.hpp"
#include "collectives/example.hpp"
#include "judge/result_check.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/link_bound.hpp"

#include "algorithms/papers/stout_wagar/all_gather.hpp"
#include "algorithms/papers/stout_wagar/broadcast.hpp"
#include "algorithms/papers/stout_wagar/transpose.hpp"
#include "algorithms/programs/matrix_program.hpp"
#include "algorithms/programs/stream.hpp"

#include <dcube/dcube.hpp>

#include <bit>
#include <string>

using namespace dcube;
using namespace test_support;

namespace {

// The fault of a program; empty if it solves the problem.
std::string fault_of(unsigned d, const Problem& problem, const CollectiveProgram& program)
{
    const Topology topology = Topology::hypercube(d);
    MachineOptions options;
    options.link = problem.link;
    options.watch_lent_bytes = true;
    Machine machine(topology, options);
    const Layout layout(problem, topology);
    const Memory input(layout.input_bytes);
    const Memory output(layout.output_bytes);
    for (NodeId node = 0; node < topology.nodes(); ++node)
        if (const auto [offset, bytes] = layout.input(node); bytes != 0)
            fill_input(problem, topology, 1, node, input.bytes().subspan(offset, bytes));
    try {
        machine.run([&](Node& me) { return program(me, node_data(layout, input.bytes(), output.bytes(), me.id())); });
        const Checker checker(problem, topology, 1);
        for (NodeId node = 0; node < topology.nodes(); ++node)
            if (const auto [offset, bytes] = layout.output(node); bytes != 0)
                checker.check(node, output.bytes().subspan(offset, bytes));
    } catch (const std::exception& error) {
        return error.what();
    }
    return {};
}

std::string fault_of(unsigned d, const Problem& problem, const detail::Routing& routing)
{
    const auto messages = detail::message_places(problem, Topology::hypercube(d));
    return fault_of(d, problem, [&](Node& me, NodeData data) {
        return detail::run_routing(me, routing, *messages, problem, data);
    });
}

std::string fault_of_waves(unsigned d, const Problem& problem, const detail::WaveRule& rule, Step steps,
                           std::uint32_t groups)
{
    const detail::Stream stream{[&](unsigned dim, NodeId label) { return detail::wave_pipeline(dim, label, rule); },
                                steps, detail::PacketCut::groups(problem.bytes, 1, groups, d)};
    return fault_of(d, problem,
                    [&](Node& me, NodeData data) { return detail::run_broadcast_stream(me, stream, problem, data); });
}

Problem of(Collective collective, std::size_t bytes)
{
    Problem problem{.collective = collective, .bytes = bytes};
    problem.link = link_bound(1, 10);
    return problem;
}

}  // namespace

TEST_CASE("a broadcast of one stage too few is caught", "[link-bound][negative]")
{
    for (const unsigned d : {2U, 3U, 4U, 5U}) {
        for (const std::uint32_t groups : {1U, 2U, 3U}) {
            const Problem problem = of(Collective::broadcast, 120);
            const Step stages = d + groups - 1;
            CHECK(fault_of_waves(d, problem, detail::pipelined(groups), stages, groups).empty());
            CHECK_THAT(fault_of_waves(d, problem, detail::pipelined(groups), stages - 1, groups),
                       Catch::Contains("is wrong: expected"));
        }
    }
}

TEST_CASE("a send by stopped waves of one stage too few, as printed, is caught", "[link-bound][negative]")
{
    for (const auto& [d, n] : {std::pair{4U, 2U}, {5U, 2U}, {5U, 3U}, {6U, 3U}}) {
        Problem problem = of(Collective::send, 240);
        problem.peer = (NodeId{1} << n) - 1;
        const Step stages = std::min(n + 2 + 1, d + 2 - 1);
        CHECK(fault_of_waves(d, problem, detail::pipelined(2), stages, 2).empty());
        CHECK_FALSE(fault_of_waves(d, problem, detail::pipelined(2), stages - 1, 2).empty());
    }
}

TEST_CASE("a second wave without relabelling is caught", "[link-bound][negative]")
{
    for (const unsigned d : {2U, 3U, 4U, 5U}) {
        const detail::WaveRule wrong = [](unsigned dim, NodeId node, Port port,
                                          Step stage) -> std::optional<std::uint32_t> {
            const auto level = static_cast<Step>(std::popcount(node));
            if (stage == level || (stage == level + 1 && level + 2 <= dim))
                return detail::idx(dim, node, port);  // and not the next packet in the second wave
            return std::nullopt;
        };
        CHECK_THAT(fault_of_waves(d, of(Collective::broadcast, 60), wrong, d, 1),
                   Catch::Contains("is wrong: expected"));
    }
}

TEST_CASE("a transpose that forwards before the packet has come is caught", "[link-bound][negative]")
{
    for (const unsigned c : {2U, 3U}) {
        const Topology topology = Topology::hypercube(2 * c);
        Problem problem = of(Collective::matrix_transpose, 1);
        problem.rows = problem.columns = std::size_t{16} << c;
        problem.layout = MatrixLayout::submatrices;
        problem.tuning.groups = c;  // p = 1: packets reach the next logical link too late for every step
        const detail::Routing right = detail::logical_cubes(topology, problem);
        CHECK(fault_of(2 * c, problem, detail::matrix_program(topology, problem, right)).empty());

        const detail::Routing pipelined{right.stages / 2 + 1,
                                        [&](Step stage, NodeId from, Port port, detail::Fragments& fragments) {
                                            if (2 * stage < right.stages)
                                                right.packet(2 * stage, from, port, fragments);
                                            if (stage > 0)
                                                right.packet(2 * stage - 1, from, port, fragments);
                                        }};
        CHECK_THAT(fault_of(2 * c, problem, detail::matrix_program(topology, problem, pipelined)),
                   Catch::Contains("but are not held"));
    }
}

TEST_CASE("routings of one stage too few are caught", "[link-bound][negative]")
{
    for (const unsigned d : {2U, 3U, 4U}) {
        const Topology topology = Topology::hypercube(d);
        const detail::LengthOf bytes = [](NodeId) { return 12; };
        const auto shorter = [](detail::Routing routing) {
            --routing.stages;
            return routing;
        };
        const detail::Routing all_gather = detail::complete_broadcast(topology, bytes, 1);
        CHECK(fault_of(d, of(Collective::all_gather, 12), all_gather).empty());
        CHECK_FALSE(fault_of(d, of(Collective::all_gather, 12), shorter(all_gather)).empty());
        const detail::Routing scatter = detail::distribute_1_even(topology, bytes);
        CHECK(fault_of(d, of(Collective::scatter, 12), scatter).empty());
        CHECK_FALSE(fault_of(d, of(Collective::scatter, 12), shorter(scatter)).empty());
        // Backwards the first stage counts: without it contributions are missing.
        const detail::Routing histogram = detail::reversed(all_gather, Arrival::added);
        CHECK(fault_of(d, of(Collective::reduce_scatter, 12), histogram).empty());
        CHECK_FALSE(fault_of(d, of(Collective::reduce_scatter, 12), shorter(histogram)).empty());
    }
}

TEST_CASE("sums that are not given away are counted twice, and caught", "[link-bound][negative]")
{
    // Halving and doubling over one dimension: both halves stay with both nodes.
    const detail::Routing wrong{2,
                                [](Step stage, NodeId from, Port, detail::Fragments& fragments) {
                                    const std::size_t half = stage == 0 ? (from == 0 ? 4 : 0) : (from == 0 ? 0 : 4);
                                    fragments.push_back({0, half, 4});
                                },
                                1, 0, false};
    detail::Routing right = wrong;
    right.giving_stages = 1;
    CHECK(fault_of(1, of(Collective::all_reduce, 8), right).empty());
    CHECK_FALSE(fault_of(1, of(Collective::all_reduce, 8), wrong).empty());
}

TEST_CASE("a routing of bytes that a node does not hold is caught", "[link-bound][negative]")
{
    Problem problem = of(Collective::permute, 8);
    problem.permutation = {1, 0, 3, 2};
    const detail::Routing wrong{1, [](Step, NodeId from, Port port, detail::Fragments& fragments) {
                                    if (port == 0)
                                        fragments.push_back({from ^ 1, 0, 8});  // the partner's own message
                                }};
    CHECK_THAT(fault_of(2, problem, wrong), Catch::Contains("8 of 8 bytes at offset 0 of message 1 are to be sent"));
}

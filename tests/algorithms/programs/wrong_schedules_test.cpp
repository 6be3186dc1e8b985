// Wrong algorithms are caught: by the judge, which sees their traces, and by the machine, which runs their plans.

#include "algorithms/beyond/cubes/one_port.hpp"
#include "algorithms/papers/bertsekas/all_gather.hpp"
#include "algorithms/papers/bertsekas/all_to_all.hpp"
#include "algorithms/papers/bertsekas/necklaces.hpp"
#include "algorithms/papers/bertsekas/scatter.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/plan.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/schedule_trace.hpp"

#include <dcube/dcube.hpp>

using namespace dcube;
using namespace dcube::detail;
using namespace test_support;

namespace {

std::string judged_schedule(unsigned d, PortModel ports, Collective collective, const Schedule& schedule)
{
    const Topology cube = Topology::hypercube(d);
    const Problem problem{collective, 2};
    return judged(cube, ports, problem, trace_of(cube, problem, all_moves(cube, schedule)));
}

std::string run_on_cube(unsigned d, PortModel ports, const Problem& problem, const Schedule& schedule)
{
    return run_schedule(Topology::hypercube(d), ports, problem, schedule).fault;
}

enum class BlockClass : std::uint8_t { first, last };
enum class FirstElement : std::uint8_t { by_the_rule, with_two_ones_at_the_port };

// The numbering of section 2 with its rules, or with one of them left out.
Schedule numbered(unsigned d, BlockClass block_class, FirstElement first_element)
{
    std::vector<NodeId> order;
    for (unsigned k = 1; k < d; ++k) {
        std::vector<NodeId> classes = classes_of_level(k, d);
        const NodeId block = classes.front();
        if (block_class == BlockClass::last)
            std::rotate(classes.begin(), classes.begin() + 1, classes.end());
        for (NodeId member : classes) {
            const bool is_block = member == block;
            const auto port = static_cast<unsigned>(order.size() % d);
            const unsigned below = (port + d - 1) % d;
            const bool wanted_below = first_element == FirstElement::with_two_ones_at_the_port && k > 1;
            while (!has_bit(member, port) || (is_block && has_bit(member, below) != wanted_below))
                member = rotated(member, 1, d);
            for (unsigned i = 0, size = class_size(member, d); i < size; ++i, member = rotated(member, 1, d))
                order.push_back(member);
        }
    }
    order.push_back(bit(d) - 1);
    Schedule schedule{Symmetry::translated, static_cast<Step>((order.size() + d - 1) / d), {}};
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto port = static_cast<Port>(i % d);
        schedule.hops.push_back({static_cast<Step>(i / d + 1), 0, port, {order[i] ^ bit(port), 0, 0}});
    }
    return schedule;
}

}  // namespace

TEST_CASE("the right schedules pass where the wrong ones below do not", "[algorithms]")
{
    for (const unsigned d : {3U, 4U}) {
        const Topology cube = Topology::hypercube(d);
        CHECK(judged_schedule(d, PortModel::all, Collective::all_to_all, all_to_all_schedule(cube)) == "");
        CHECK(judged_schedule(d, PortModel::one, Collective::all_to_all, one_port_all_to_all(cube)) == "");
        const Schedule gather = all_gather_schedule(cube, 1);
        CHECK(judged_schedule(d, PortModel::all, Collective::all_gather, gather) == "");
        CHECK(judged_schedule(d, PortModel::all, Collective::reduce_scatter, reversed(cube, gather, Arrival::added)) ==
              "");
        CHECK(run_on_cube(d, PortModel::all, {Collective::all_gather, 2}, gather) == "");
    }
}

TEST_CASE("two entries swapped in an order table are caught", "[algorithms][negative]")
{
    constexpr unsigned d = 5;
    const Topology cube = Topology::hypercube(d);
    const Schedule right = all_to_all_schedule(cube);
    // T_4 as its row-by-row order has it: the rows of T_0..T_3 end after 4, 7, ... entries. Swap across rows.
    for (const auto& [a, b] : {std::pair{0U, 8U}, {3U, 12U}, {7U, 15U}}) {
        Schedule wrong = right;
        std::vector<Hop*> own;
        for (Hop& hop : wrong.hops)
            if (hop.port == d - 1)
                own.push_back(&hop);
        std::swap(own[a]->packet.target, own[b]->packet.target);
        CHECK(judged_schedule(d, PortModel::all, Collective::all_to_all, wrong) != "");
        CHECK(run_on_cube(d, PortModel::all, {Collective::all_to_all, 2}, wrong) != "");
    }
}

TEST_CASE("an all-gather that leaves out a rule for block classes is caught", "[algorithms][negative]")
{
    for (const unsigned d : {4U, 6U}) {
        CAPTURE(d);
        const auto verdict = [d](BlockClass block_class, FirstElement first_element) {
            return judged_schedule(d, PortModel::all, Collective::all_gather, numbered(d, block_class, first_element));
        };
        CHECK(verdict(BlockClass::first, FirstElement::by_the_rule) == "");
        CHECK(verdict(BlockClass::last, FirstElement::by_the_rule) != "");
        CHECK(verdict(BlockClass::first, FirstElement::with_two_ones_at_the_port) != "");
    }
}

TEST_CASE("a packet sent a step early is caught", "[algorithms][negative]")
{
    const Topology cube = Topology::hypercube(4);
    for (const auto& [collective, right] : {std::pair{Collective::all_to_all, all_to_all_schedule(cube)},
                                            std::pair{Collective::all_gather, all_gather_schedule(cube, 1)}}) {
        for (std::size_t at = 0; at < right.hops.size(); ++at) {
            Schedule wrong = right;
            if (wrong.hops[at].step == 1)
                continue;
            --wrong.hops[at].step;
            CHECK(judged_schedule(4, PortModel::all, collective, wrong) != "");
        }
    }
}

TEST_CASE("a forgotten row is caught", "[algorithms][negative]")
{
    const Topology cube = Topology::hypercube(4);
    const Schedule right = all_to_all_schedule(cube);
    for (std::size_t at = 0; at < right.hops.size(); ++at) {
        Schedule wrong = right;
        wrong.hops.erase(wrong.hops.begin() + static_cast<std::ptrdiff_t>(at));
        CHECK(judged_schedule(4, PortModel::all, Collective::all_to_all, wrong) != "");
    }
}

TEST_CASE("forwarding in the step of arrival is caught", "[algorithms][negative]")
{
    // 0 -> 1 -> 3 in one and the same step.
    const Schedule wrong{
        Symmetry::rooted, 1, {{1, 0, 0, {0, 1, 0}}, {1, 0, 1, {0, 2, 0}}, {2, 0, 0, {0, 3, 0}}, {2, 1, 1, {0, 3, 0}}}};
    CHECK(judged_schedule(2, PortModel::all, Collective::scatter, wrong) != "");
    const Schedule right{
        Symmetry::rooted, 2, {{1, 0, 0, {0, 3, 0}}, {1, 0, 1, {0, 2, 0}}, {2, 0, 0, {0, 1, 0}}, {2, 1, 1, {0, 3, 0}}}};
    CHECK(judged_schedule(2, PortModel::all, Collective::scatter, right) == "");
    CHECK(run_on_cube(2, PortModel::all, {Collective::scatter, 2}, right) == "");
}

TEST_CASE("an all-port schedule is caught on one port, by the judge and by the machine", "[algorithms][negative]")
{
    for (unsigned d = 2; d <= 4; ++d) {
        const Topology cube = Topology::hypercube(d);
        const Schedule all_ports = all_to_all_schedule(cube);
        CHECK(judged_schedule(d, PortModel::one, Collective::all_to_all, all_ports) != "");
        CHECK_THAT(run_on_cube(d, PortModel::one, {Collective::all_to_all, 2}, all_ports),
                   Catch::Contains("second-send in step 1 at node 0, port 1"));
    }
}

TEST_CASE("a contribution that is added twice is caught", "[algorithms][negative]")
{
    const Topology cube = Topology::hypercube(3);
    Schedule wrong = reversed(cube, all_gather_schedule(cube, 1), Arrival::added);
    Hop again = wrong.hops.front();
    again.step = ++wrong.steps;
    wrong.hops.push_back(again);
    CHECK(judged_schedule(3, PortModel::all, Collective::reduce_scatter, wrong) != "");
}

TEST_CASE("one first-element rule for scatter and all-gather is caught", "[algorithms][negative]")
{
    // The scatter tree's ports, used as an all-gather's: translated copies then meet on links.
    const Topology cube = Topology::hypercube(4);
    const ScatterTree tree = scatter_tree(4);
    Schedule wrong{Symmetry::translated, 4, {}};
    std::vector<Step> step(cube.nodes(), 0);
    for (unsigned k = 1; k <= 4; ++k)
        for (NodeId x = 1; x < cube.nodes(); ++x)
            if (static_cast<unsigned>(std::popcount(x)) == k) {
                const NodeId parent = tree.parent[x];
                step[x] = k;
                wrong.hops.push_back({k, 0, static_cast<Port>(std::countr_zero(x ^ parent)), {parent, 0, 0}});
            }
    CHECK(judged_schedule(4, PortModel::all, Collective::all_gather, wrong) != "");
}

// Collectives inside node programs, one after the other.

#include "judge/result_check.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/data.hpp"
#include "tests/support/error_of.hpp"

#include <dcube/dcube.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

using namespace dcube;
using test_support::Bytes;
using test_support::error_of;

namespace {

// A collective, and all nodes' data for it.
struct Item {
    Prepared collective;
    Bytes input;
    Bytes output;
};

// A small problem of the collective, for a network of this size.
Problem small_problem(const Topology& topology, Collective collective)
{
    Problem problem{collective, 8, 2, topology.nodes() - 1};
    problem.packets = collective == Collective::all_reduce ? topology.nodes() : 2;
    problem.rows = problem.columns = std::size_t{2} * topology.nodes();
    problem.to_layout = MatrixLayout::rows_striped;
    for (NodeId node = 0; has_permutation(collective) && node < topology.nodes(); ++node)
        problem.permutation.push_back((node + 1) % topology.nodes());
    return problem;
}

// All algorithms of the catalogue that can run on this machine, each twice.
std::vector<Item> all_collectives_on(const Machine& machine)
{
    std::vector<Item> items;
    for (const Entry& algorithm : catalogue()) {
        const Problem problem = on_links_of(machine, small_problem(machine.topology(), algorithm.collective));
        if (!obstacle_of(algorithm, machine.topology(), machine.ports(), problem).empty())
            continue;
        const Prepared prepared(machine.topology(), machine.ports(), problem, algorithm);
        for (const std::uint64_t seed : {1U, 2U}) {
            const std::size_t bytes = Layout(problem, machine.topology()).output_bytes;
            items.push_back({prepared, test_support::filled(problem, machine.topology(), seed), Bytes(bytes)});
        }
    }
    return items;
}

struct Greetings {
    std::uint64_t mine = 0;
    std::uint64_t sum = 0;
};

// Sends a number over the first `ports` ports, and adds up the neighbours' numbers.
Task greet(Node& me, Port ports, Greetings& greetings)
{
    for (Port port = 0; port < ports; ++port)
        me.send(port, greetings.mine);
    co_await me.next_step();
    for (Port port = 0; port < ports; ++port)
        greetings.sum += me.receive<std::uint64_t>(port);
}

Task one_after_the_other(Node& me, Port ports, std::vector<Item>& items, Greetings& greetings)
{
    for (Item& item : items) {
        const Layout layout(item.collective.problem(), me.topology());
        const auto [input, output] = node_data(layout, item.input, item.output, me.id());
        co_await item.collective(me, input, output);
        co_await greet(me, ports, greetings);
    }
}

void check_results(const Machine& machine, const std::vector<Item>& items)
{
    const Topology& topology = machine.topology();
    for (std::size_t i = 0; i < items.size(); ++i) {
        const Problem& problem = items[i].collective.problem();
        CAPTURE(topology.name(), name(problem.collective), items[i].collective.algorithm());
        const Layout layout(problem, topology);
        const Checker checker(problem, topology, i % 2 + 1);
        for (NodeId node = 0; node < topology.nodes(); ++node) {
            const auto [offset, bytes] = layout.output(node);
            if (bytes != 0)
                REQUIRE_NOTHROW(checker.check(node, std::span(items[i].output).subspan(offset, bytes)));
        }
    }
}

// Runs them all, with a greeting after each. `ports`: over which that goes, at most.
void check_sequence(Machine& machine, Port ports)
{
    const Topology& topology = machine.topology();
    std::vector<Item> items = all_collectives_on(machine);
    REQUIRE(items.size() >= 2 * collective_count - 8);
    std::vector<Greetings> greetings(topology.nodes());
    for (NodeId node = 0; node < topology.nodes(); ++node)
        greetings[node].mine = node + 1;

    const Counts counts = machine.run(
        [&](Node& me) { return one_after_the_other(me, std::min(ports, me.ports()), items, greetings[me.id()]); });

    Step steps = 0;
    for (const Item& item : items)
        steps += item.collective.steps() + 1;
    CHECK(counts.steps == steps);
    check_results(machine, items);
    for (NodeId node = 0; node < topology.nodes(); ++node) {
        std::uint64_t sum = 0;
        for (Port port = 0; port < std::min(ports, topology.ports(node)); ++port)
            sum += greetings[topology.neighbour(node, port)].mine;
        CHECK(greetings[node].sum == sum * items.size());
    }
}

}  // namespace

TEST_CASE("prepared: all collectives one after the other, with own sends between, take the sum of their steps", "[run]")
{
    constexpr Port all = ~Port{0};
    for (const char* const network :
         {"hypercube:3", "hypercube:2", "torus:3x4", "mesh:2x3", "ring:5", "petersen", "path:3*ring:4"}) {
        CAPTURE(network);
        Machine machine(Topology::parse(network), {.threads = 2, .watch_lent_bytes = true});
        check_sequence(machine, all);
    }
    for (const unsigned dimension : {1U, 3U}) {
        Machine machine(Topology::hypercube(dimension), {.ports = PortModel::one, .watch_lent_bytes = true});
        check_sequence(machine, 1);
    }
    constexpr LinkModel links{LinkKind::link_bound, {5, 2}, {100, 3}};
    for (const LinkClock clock : {LinkClock::data_driven, LinkClock::lockstep})
        for (const char* const network : {"hypercube:3", "torus:3x4"}) {
            LinkModel timed = links;
            timed.clock = clock;
            Machine machine(Topology::parse(network), {.link = timed});
            check_sequence(machine, all);
        }
}

TEST_CASE("prepared: one collective can run fifty times, each time on the last result", "[run]")
{
    constexpr std::size_t times = 50;
    Machine machine(Topology::parse("torus:3x3"));
    const Prepared sum(machine, {.collective = Collective::all_reduce, .bytes = 4, .type = ElementType::uint32});
    std::vector<std::array<std::uint32_t, times + 1>> values(9);
    for (NodeId node = 0; node < 9; ++node)
        values[node][0] = node;
    const Counts counts = machine.run([&](Node& me) -> Task {
        std::array<std::uint32_t, times + 1>& mine = values[me.id()];
        for (std::size_t time = 0; time < times; ++time)
            co_await sum(me, std::span(mine).subspan(time, 1), std::span(mine).subspan(time + 1, 1));
    });
    std::uint32_t expected = 36;
    for (std::size_t time = 1; time < times; ++time)
        expected *= 9;
    for (NodeId node = 0; node < 9; ++node)
        CHECK(values[node][times] == expected);
    CHECK(counts.steps == times * sum.steps());
}

TEST_CASE("prepared: on links that take time a node's data are usable when it has received what it has", "[run]")
{
    constexpr LinkModel links{LinkKind::link_bound, {1, 1}, {100, 1}};
    Machine pair(Topology::hypercube(1), {.link = links});
    const Prepared there(pair, {Collective::broadcast, 8, 1, 0});
    const Prepared back(pair, {Collective::broadcast, 8, 1, 1});
    std::array<std::array<std::uint64_t, 4>, 2> words{};
    const auto there_and_back = [&](Node& me) -> Task {
        const std::span mine(words[me.id()]);
        const std::size_t one = me.id() == 0 ? 1 : 0;
        co_await there(me, mine.first(one), mine.subspan(1, 1));
        co_await back(me, mine.subspan(1, 1 - one), mine.subspan(2, 1));
    };
    words[0][0] = 7;
    CHECK(pair.run(there_and_back).virtual_time == 2 * 108);
    CHECK(words[0][2] == 7);

    Machine cube(Topology::hypercube(3), {.link = links});  // 24 bytes: every node has its last at the same time
    const Prepared all_gather(cube, {Collective::all_gather, 24, 1});
    std::vector<std::uint64_t> three(24, 1);
    std::vector<std::array<std::uint64_t, 24>> everything(16);
    const auto times = [&](unsigned count) {
        return cube.run([&](Node& me) -> Task {
            for (unsigned time = 0; time < count; ++time)
                co_await all_gather(me, std::span(three).subspan(me.id() * 3, 3), everything[me.id() + time % 2 * 8]);
        });
    };
    const Time alone = times(1).virtual_time;
    CHECK(times(5).virtual_time == 5 * alone);
}

TEST_CASE("prepared: a collective alone takes the time that it takes as a call", "[run]")
{
    constexpr LinkModel links{LinkKind::link_bound, {1, 2}, {30, 1}};
    Machine machine(Topology::hypercube(3), {.link = links});
    for (Item& item : all_collectives_on(machine)) {
        const Problem& problem = item.collective.problem();
        CallOptions call;
        call.algorithm = item.collective.algorithm();
        CAPTURE(name(problem.collective), call.algorithm);
        const Layout layout(problem, machine.topology());
        const Counts inside = machine.run([&](Node& me) -> Task {
            const auto [input, output] = node_data(layout, item.input, item.output, me.id());
            co_await item.collective(me, input, output);
        });
        const Entry& found = find_algorithm(machine.topology(), machine.ports(), problem, call.algorithm);
        if (found.cost(machine.topology(), problem).steps != item.collective.steps())
            continue;  // the name stands for another algorithm on such links
        const Counts outside = run(machine, problem, item.input, item.output, call).counts;
        CHECK(inside.steps == outside.steps);
        CHECK(inside.transmissions == outside.transmissions);
        CHECK(inside.virtual_time == outside.virtual_time);
    }
}

namespace {

using Program = std::function<Task(Node&, const Prepared& collective, NodeData data)>;

std::string complaint(const Program& program)
{
    Machine machine(Topology::hypercube(3));
    const Problem problem{Collective::all_gather, 4, 1};
    const Prepared collective(machine, problem);
    const Layout layout(problem, machine.topology());
    const Bytes input(layout.input_bytes);
    Bytes output(layout.output_bytes);
    return error_of([&] {
        machine.run([&](Node& me) { return program(me, collective, node_data(layout, input, output, me.id())); });
    });
}

}  // namespace

TEST_CASE("prepared: nodes that do not begin a collective together are reported", "[run][negative]")
{
    CHECK(complaint([](Node& me, const Prepared& collective, NodeData data) -> Task {
              co_await me.until(me.id() == 5 ? 4 : 3);
              co_await collective(me, data.input, data.output);
          }) == "not-together in step 3 at node 0, port 0: only 7 of 8 nodes started all-gather in this step, "
                "not node 5");
    CHECK(complaint([](Node& me, const Prepared& collective, NodeData data) -> Task {
              if (me.id() != 0)
                  co_await collective(me, data.input, data.output);
          }) == "not-together in step 1 at node 1, port 0: only 7 of 8 nodes started all-gather in this step, "
                "not node 0");
    const Prepared other(Topology::hypercube(3), PortModel::all, {Collective::all_gather, 4, 1});
    CHECK(complaint([&](Node& me, const Prepared& collective, NodeData data) -> Task {
              co_await (me.id() == 6 ? other : collective)(me, data.input, data.output);
          }) == "not-together in step 1 at node 6, port 0: it started another all-gather than node 0");
}

TEST_CASE("prepared: a node that fails where all begin is reported, not those that wait for it", "[run][negative]")
{
    CHECK(complaint([](Node& me, const Prepared& collective, NodeData data) -> Task {
              if (me.id() == 3)
                  throw std::runtime_error("mine");
              co_await collective(me, data.input, data.output);
          }) == "the program of node 3 failed in step 1: mine");
    CHECK_THAT(complaint([](Node& me, const Prepared& collective, NodeData data) -> Task {
                   co_await collective(me, data.input, me.id() == 5 ? data.output.first(31) : data.output);
               }),
               Catch::StartsWith("the program of node 5 failed in step 1: all-gather is given an input of 4"));
}

TEST_CASE("prepared: a packet that waits where a collective begins is no part of it", "[run][negative]")
{
    for (const ChannelKind channel : {ChannelKind::slots, ChannelKind::spsc})
        for (const std::size_t capacity : {1U, 2U, 5U}) {
            Machine machine(Topology::hypercube(3), {.channel = channel, .channel_capacity = capacity});
            const Prepared sum(machine, {.collective = Collective::all_reduce, .type = ElementType::uint64});
            const std::vector<std::array<std::uint64_t, 8>> input(8);
            std::vector<std::array<std::uint64_t, 8>> output(8);
            const auto program = [&](Node& me) -> Task {
                if (me.id() == 6)
                    me.send(1, input[0]);
                co_await me.until(3);
                co_await sum(me, input[me.id()], output[me.id()]);
                if (me.arrived(1))
                    me.receive(1);
            };
            CHECK(error_of([&] { machine.run(program); }) ==
                  "stray-packet in step 3 at node 4, port 1: the packet that node 6 sent in step 1 waits when "
                  "all-reduce begins");
        }
}

TEST_CASE("prepared: a collective prepared for other ports or links than the machine's is refused", "[run][negative]")
{
    const Topology cube = Topology::hypercube(3);
    const Problem problem{Collective::all_gather, 4, 1};
    const LinkModel links{LinkKind::link_bound, {1, 1}, {10, 1}};
    const LinkModel others{LinkKind::link_bound, {1, 1}, {20, 1}};
    Machine all(cube);
    Machine one(cube, {.ports = PortModel::one});
    Machine bound(cube, {.link = links});
    Machine other(cube, {.link = others});
    const std::vector<const Machine*> machines{&all, &one, &bound, &other};
    std::vector<std::uint32_t> input(8);
    std::vector<std::array<std::uint32_t, 8>> output(8);
    const auto complaint_of = [&](Machine& machine, const Prepared& collective) {
        return error_of(
            [&] { machine.run([&](Node& me) -> Task { co_await collective(me, input[me.id()], output[me.id()]); }); });
    };
    for (const Machine* const made_for : machines) {
        const Prepared collective(*made_for, problem);
        for (Machine* const machine : {&all, &one, &bound, &other})
            CHECK(complaint_of(*machine, collective).empty() == (machine == made_for));
    }
    CHECK(
        complaint_of(bound, Prepared(one, problem)) ==
        "the program of node 0 failed in step 1: all-gather was prepared for a machine with one port and links of one "
        "step, and this one has all ports and links of 1 ns per byte and 10 ns per packet, data-driven");
}

TEST_CASE("prepared: an input and an output that overlap are refused", "[run][negative]")
{
    CHECK_THAT(complaint([](Node& me, const Prepared& collective, NodeData data) -> Task {
                   const bool mine = me.id() == 4;
                   co_await collective(me, mine ? data.output.subspan(28, 4) : data.input, data.output);
               }),
               Catch::Contains("node 4 failed in step 1: all-gather is given an input and an output that overlap"));
}

TEST_CASE("prepared: data that do not fit, another network or another program's rules are refused", "[run][negative]")
{
    CHECK_THAT(complaint([](Node& me, const Prepared& collective, NodeData data) -> Task {
                   co_await collective(me, data.input, data.output.first(31));
               }),
               Catch::Contains("all-gather is given an input of 4 and an output of 31 bytes, where this node has 4 and "
                               "32"));
    const Prepared smaller(Topology::hypercube(2), PortModel::all, {Collective::all_gather, 4, 1});
    CHECK_THAT(complaint([&](Node& me, const Prepared&, NodeData data) -> Task {
                   co_await smaller(me, data.input, data.output);
               }),
               Catch::Contains("all-gather was prepared for hypercube:2, and this is hypercube:3"));
    CHECK_THROWS_AS(Prepared(Topology::hypercube(2), PortModel::all, {Collective::all_gather, 4, 1}, "no such thing"),
                    InvalidArgument);
}

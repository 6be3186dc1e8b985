// Scripts that share lists, scripts that cannot be followed, and regions that do not hold what they promise.

#include "emu/script.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"

#include <dcube/machine.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

using namespace dcube;
using test_support::error_of;

namespace {

using Action = Script::Action;
using Kind = Script::Action::Kind;
using PlaceOf = Script::Place;
using Stage = Script::Stage;

constexpr Action action(Kind kind, PlaceOf place, std::uint32_t index = 0, NodeId block = 0, std::uint32_t own = 0)
{
    Action made{block, index, own, 0, kind, PlaceOf::input, false};
    made.place = place;
    return made;
}

constexpr Action over(Port port, Action made)
{
    made.port = static_cast<std::uint16_t>(port);
    return made;
}

void exclusive_or(std::byte* into, const std::byte* base, const std::byte* packet, std::size_t bytes)
{
    for (std::size_t i = 0; i < bytes; ++i)
        into[i] = base[i] ^ packet[i];
}

// Words of every node, and regions of packets of one word in them.
struct Words {
    std::vector<std::uint64_t> input;
    std::vector<std::uint64_t> output;

    Words(NodeId node, std::size_t words) : input(words), output(words)
    {
        for (std::size_t i = 0; i < words; ++i)
            input[i] = 1000 * node + i;
    }

    Regions regions(NodeId node)
    {
        const auto region = [](std::vector<std::uint64_t>& of, std::size_t block_stride) {
            return Region{reinterpret_cast<std::byte*>(of.data()), of.size() * 8, block_stride, 8};
        };
        Regions made{.bytes = 8, .origin = node, .combine = exclusive_or};
        made[PlaceOf::input] = region(input, 0);
        made[PlaceOf::input_block] = region(input, 8);
        made[PlaceOf::output] = made[PlaceOf::slot] = region(output, 0);
        made[PlaceOf::output_block] = region(output, 8);
        return made;
    }
};

std::vector<Words> words_of(const Topology& topology, std::size_t words)
{
    std::vector<Words> made;
    for (NodeId node = 0; node < topology.nodes(); ++node)
        made.emplace_back(node, words);
    return made;
}

using Change = std::function<void(Regions&, NodeId)>;

// The result when all nodes follow a script that sends and keeps one word.
std::string complaint(const Topology& topology, std::span<const Stage> stages, std::span<const Action> actions,
                      const Change& change = {}, std::size_t words = 64)
{
    std::string first;
    for (const unsigned threads : {1U, 2U}) {
        Machine machine(topology, {.threads = threads});
        std::vector<Words> memory = words_of(topology, words);
        const std::string text = error_of([&] {
            machine.run([&](Node& me) -> Task {
                Regions regions = memory[me.id()].regions(me.id());
                if (change)
                    change(regions, me.id());
                co_await follow(me, {stages, actions}, regions);
            });
        });
        CHECK((threads == 1 || text == first));
        first = text;
        CHECK_NOTHROW(machine.run([](Node& me) -> Task { co_await me.next_step(); }));
    }
    return first;
}

constexpr std::array<Stage, 2> two_stages{Stage{1, 0}, Stage{2, 1}};
constexpr std::array<Action, 2> send_and_keep{action(Kind::send, PlaceOf::input), action(Kind::keep, PlaceOf::output)};

std::string of_node_0(const std::string& text)
{
    return "the program of node 0 failed in step 1: a script cannot be followed: " + text;
}

}  // namespace

TEST_CASE("scripts: one list of stages serves several lists of actions", "[emu]")
{
    constexpr std::array<Action, 2> other{action(Kind::send, PlaceOf::input, 1),
                                          action(Kind::keep, PlaceOf::output, 1)};
    const Topology cube = Topology::hypercube(8);
    for (const unsigned threads : {1U, 2U}) {
        Machine machine(cube, {.threads = threads});
        std::vector<Words> memory = words_of(cube, 2);
        machine.run([&](Node& me) -> Task {
            const Regions regions = memory[me.id()].regions(me.id());
            co_await follow(me, {two_stages, me.id() % 2 == 1 ? std::span(other) : std::span(send_and_keep)}, regions);
        });
        for (NodeId node = 0; node < cube.nodes(); ++node) {
            const NodeId partner = node ^ 1;
            CHECK(memory[node].output[node % 2] == 1000 * partner + partner % 2);
            CHECK(memory[node].output[1 - node % 2] == 0);
        }
    }
}

TEST_CASE("scripts: the beginning of a script may be followed beside all of it", "[emu]")
{
    constexpr std::array<Stage, 4> stages{Stage{1, 0}, Stage{2, 1}, Stage{3, 2}, Stage{4, 3}};
    constexpr std::array<Action, 4> actions{action(Kind::send, PlaceOf::input), action(Kind::keep, PlaceOf::output),
                                            over(1, action(Kind::send, PlaceOf::input, 1)),
                                            over(1, action(Kind::keep, PlaceOf::output, 1))};
    const Topology cube = Topology::hypercube(5);
    Machine machine(cube, {.threads = 1});
    std::vector<Words> memory = words_of(cube, 2);
    std::array<Step, 32> ended{};
    machine.run([&](Node& me) -> Task {
        const bool whole = (me.id() & 4) != 0;
        const Regions regions = memory[me.id()].regions(me.id());
        co_await follow(me, {std::span(stages).first(whole ? 4 : 2), std::span(actions).first(whole ? 4 : 2)}, regions);
        ended[me.id()] = me.step();
    });
    for (NodeId node = 0; node < 32; ++node) {
        const bool whole = (node & 4) != 0;
        CHECK(ended[node] == (whole ? 4 : 2));
        CHECK(memory[node].output[0] == 1000 * (node ^ 1));
        CHECK(memory[node].output[1] == (whole ? 1000 * (node ^ 2) + 1 : 0));
    }
}

TEST_CASE("scripts: steps ascend, or the script is refused before any of it is done", "[emu][negative]")
{
    const Topology pair = Topology::hypercube(1);
    constexpr std::array<Stage, 3> back{Stage{1, 0}, Stage{9, 1}, Stage{3, 1}};
    constexpr std::array<Stage, 3> twice{Stage{1, 0}, Stage{5, 1}, Stage{5, 2}};
    constexpr std::array<Stage, 2> from_0{Stage{0, 0}, Stage{2, 1}};
    CHECK(complaint(pair, back, send_and_keep) ==
          of_node_0("its stages' steps must ascend from 1, and step 3 comes after step 9"));
    CHECK(complaint(pair, twice, send_and_keep) ==
          of_node_0("its stages' steps must ascend from 1, and step 5 comes after step 5"));
    Machine machine(pair);
    const Regions regions{};
    CHECK_THAT(error_of([&] {
                   machine.run([&](Node& me) -> Task { co_await follow(me, {from_0, send_and_keep}, regions, 7); });
               }),
               Catch::EndsWith("its stages' steps must ascend from 1, and step 0 comes after step 0"));
}

TEST_CASE("scripts: a stage whose actions the script does not have is refused", "[emu][negative]")
{
    const Topology pair = Topology::hypercube(1);
    constexpr std::array<Stage, 2> beyond{Stage{1, 0}, Stage{2, 50}};
    constexpr std::array<Stage, 3> down{Stage{1, 4}, Stage{2, 5}, Stage{3, 3}};
    constexpr std::array<Stage, 2> in_a_larger_list{Stage{1, 40}, Stage{2, 41}};
    CHECK(complaint(pair, beyond, send_and_keep) ==
          of_node_0("the stage of step 2 begins with action 50: from 0 to 2 is possible"));
    CHECK(complaint(pair, down, send_and_keep) ==
          of_node_0("the stage of step 3 begins with action 3: from 5 to 6 is possible"));
    CHECK(complaint(pair, in_a_larger_list, send_and_keep) == "");
}

TEST_CASE("scripts: an action with an unknown block, kind or place is refused", "[emu][negative]")
{
    for (const char* const name : {"torus:6x6", "hypercube:5", "star:4"}) {
        const Topology topology = Topology::parse(name);
        const NodeId nodes = topology.nodes();
        const std::array<Action, 2> beyond{action(Kind::send, PlaceOf::input_block, 0, nodes + 4), send_and_keep[1]};
        CHECK(complaint(topology, two_stages, beyond) ==
              of_node_0("its action 0 names block " + std::to_string(nodes + 4) + ": 0 to " +
                        std::to_string(nodes - 1) + " are there"));
    }
    const Topology torus = Topology::parse("torus:6x6");
    CHECK(
        complaint(torus, two_stages, send_and_keep,
                  [](Regions& regions, NodeId node) { regions.origin = node == 9 ? 36 : node; }) ==
        "the program of node 9 failed in step 1: a script cannot be followed: its blocks are translated by origin 36: "
        "0 to 35 are there");
    const std::array<Action, 2> into_input{send_and_keep[0], action(Kind::keep, PlaceOf::input)};
    CHECK(complaint(torus, two_stages, into_input) ==
          of_node_0("its action 1 receives to its input: output, output_block and slot are possible"));
    const std::array<Action, 2> nowhere{action(Kind::send, static_cast<PlaceOf>(7)), send_and_keep[1]};
    CHECK(complaint(torus, two_stages, nowhere) ==
          of_node_0("its action 0 is of kind 0 in place 7: kinds 0 to 3 and places 0 to 4 are there"));
    const std::array<Action, 2> no_kind{send_and_keep[0], action(static_cast<Kind>(4), PlaceOf::output)};
    CHECK(complaint(torus, two_stages, no_kind) ==
          of_node_0("its action 1 is of kind 4 in place 2: kinds 0 to 3 and places 0 to 4 are there"));
}

TEST_CASE("scripts: an action that adds needs an operation, and a share of its own", "[emu][negative]")
{
    const Topology pair = Topology::hypercube(1);
    const std::array<Action, 2> adds{send_and_keep[0], action(Kind::add, PlaceOf::output)};
    CHECK(complaint(pair, two_stages, adds) == "");
    CHECK(complaint(pair, two_stages, adds, [](Regions& regions, NodeId) { regions.combine = nullptr; }) ==
          of_node_0("its action 1 adds, and its regions have no operation to combine with"));
    const auto begins = [](std::uint32_t own) {
        return std::array<Action, 2>{send_and_keep[0], action(Kind::begin_sum, PlaceOf::output, 0, 0, own)};
    };
    CHECK(complaint(pair, two_stages, begins(62)) == "");  // the other's is word 63
    CHECK(complaint(pair, two_stages, begins(64)) ==
          of_node_0("its action 1 begins a sum with 8 bytes at 512 of region input_block, which ends at 512"));
    CHECK(complaint(pair, two_stages, begins(63)) ==
          "the program of node 1 failed in step 1: a script cannot be followed: its action 1 begins a sum with 8 bytes "
          "at 512 of region input_block, which ends at 512");
}

TEST_CASE("scripts: a packet lies in its region or beyond it, never across its end", "[emu][negative]")
{
    const Topology pair = Topology::hypercube(1);
    const auto sized = [](PlaceOf place, std::size_t size) {
        return [=](Regions& regions, NodeId) { regions[place].size = size; };
    };
    const std::array<Action, 2> second{action(Kind::send, PlaceOf::input, 1), action(Kind::keep, PlaceOf::output, 1)};
    CHECK(complaint(pair, two_stages, second, sized(PlaceOf::output, 12)) ==
          of_node_0("the packet of its action 1, of 8 bytes, lies at 8 of region output, which ends at 12"));
    CHECK(complaint(pair, two_stages, second, sized(PlaceOf::output, 16)) == "");
    CHECK(complaint(pair, two_stages, send_and_keep, sized(PlaceOf::output, 12)) == "");  // the first is there
    const std::array<Action, 2> blocks{action(Kind::send, PlaceOf::input_block), send_and_keep[1]};
    CHECK(
        complaint(pair, two_stages, blocks, sized(PlaceOf::input_block, 12)) ==
        "the program of node 1 failed in step 1: a script cannot be followed: the packet of its action 0, of 8 bytes, "
        "lies at 8 of region input_block, which ends at 12");
    CHECK(complaint(pair, two_stages, second, [](Regions& regions, NodeId) {
              regions[PlaceOf::input].size = regions[PlaceOf::output].size = 8;  // no node has a second packet
          }) == "");
    CHECK(complaint(pair, two_stages, send_and_keep,
                    [](Regions& regions, NodeId node) {
                        if (node == 1)
                            regions[PlaceOf::output].base = nullptr;
                    }) ==
          "the program of node 1 failed in step 1: a script cannot be followed: region output has 512 bytes and no "
          "address");
}

TEST_CASE("scripts: strides that lead beyond the memory are refused", "[emu][negative]")
{
    const Topology cube = Topology::hypercube(3);
    const std::array<Action, 2> second{action(Kind::send, PlaceOf::input, 2), action(Kind::keep, PlaceOf::output, 1)};
    for (const std::size_t stride : {static_cast<std::size_t>(-8), std::size_t{1} << 63, std::size_t{1} << 62}) {
        CAPTURE(stride);
        CHECK_THAT(complaint(cube, two_stages, second,
                             [=](Regions& regions, NodeId) { regions[PlaceOf::input].index_stride = stride; }),
                   Catch::StartsWith(of_node_0("block 7 and packet 2 would lie beyond all memory in region input")));
        CHECK_THAT(complaint(cube, two_stages, second,
                             [=](Regions& regions, NodeId) { regions[PlaceOf::output].block_stride = stride; }),
                   Catch::StartsWith(of_node_0("block 7 and packet 1 would lie beyond all memory in region output")));
    }
    constexpr std::size_t no_end = std::numeric_limits<std::size_t>::max();
    CHECK(complaint(cube, two_stages, second, [](Regions& regions, NodeId) { regions[PlaceOf::slot].size = no_end; }) ==
          "");
}

TEST_CASE("scripts: of several wrong scripts the smallest node's is reported, and broken rules before them", "[emu]")
{
    const Topology cube = Topology::hypercube(8);
    constexpr std::array<Stage, 2> twice{Stage{1, 0}, Stage{1, 1}};
    for (const unsigned threads : {1U, 2U, 4U}) {
        Machine machine(cube, {.threads = threads});
        std::vector<Words> memory = words_of(cube, 2);
        const auto follows_from = [&](NodeId first, NodeId breaks) {
            return error_of([&] {
                machine.run([&, first, breaks](Node& me) -> Task {
                    const Regions regions = memory[me.id()].regions(me.id());
                    const std::span<const Stage> stages = me.id() >= first ? twice : two_stages;
                    if (me.id() == breaks)
                        me.receive(0);
                    co_await follow(me, {stages, send_and_keep}, regions);
                });
            });
        };
        CHECK_THAT(follows_from(77, 300), Catch::StartsWith("the program of node 77 failed in step 1: a script"));
        CHECK_THAT(follows_from(77, 3), Catch::StartsWith("nothing-arrived in step 1 at node 3"));
        CHECK_THAT(follows_from(77, 99), Catch::StartsWith("the program of node 77 failed in step 1: a script"));
    }
}

TEST_CASE("scripts: an unchecked machine has the ports that a script uses", "[emu][negative]")
{
    const Topology star = Topology::parse("hypercube:2");
    Machine machine(star, {.threads = 1, .unchecked = true});
    std::vector<Words> memory = words_of(star, 2);
    const std::array<Action, 2> beyond{over(5, send_and_keep[0]), send_and_keep[1]};
    CHECK_THAT(error_of([&] {
                   machine.run([&](Node& me) -> Task {
                       const Regions regions = memory[me.id()].regions(me.id());
                       co_await follow(me, {two_stages, beyond}, regions);
                   });
               }),
               Catch::EndsWith("a script cannot be followed: it uses port 5, and the node has 2"));
}

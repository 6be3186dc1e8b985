#include "emu/script.hpp"
#include "tests/support/random_draw.hpp"
#include "tests/support/random_machine.hpp"
#include "tests/support/random_program.hpp"

#include <algorithm>
#include <bit>
#include <deque>
#include <numeric>
#include <utility>

namespace test_support {

using namespace dcube;

namespace {

using Kind = Call::Kind;
using Place = Script::Place;
using Action = Script::Action;

constexpr std::uint32_t slots = 12;
constexpr std::uint32_t outputs = 16;

class ScriptMaker {
public:
    explicit ScriptMaker(std::uint64_t seed) : draw_(seed), made_{.topology = random_symmetric_network(draw_)} {}

    RandomProgram make();

private:
    // A packet on its way over a port of every node of a kind.
    struct Coming {
        Step received;
    };
    // Nodes that follow one script.
    struct Group {
        NodeId first;
        std::vector<std::deque<Coming>> sent;  // by port
        std::vector<Step> lent_until = std::vector<Step>(slots);
        std::uint32_t kept = 0;  // in `output` and `output_block`
        Actions made{};
    };

    [[nodiscard]] const Topology& topology() const { return made_.topology; }
    [[nodiscard]] std::size_t group_of(NodeId node) const;

    void choose_machine();
    void choose_groups();
    void choose_areas();
    std::size_t script_for(std::vector<Group>& groups, Step& steps);
    std::size_t twin_of(std::size_t script);
    void follow(NodeId node, const Call& call);
    void receive_all(std::vector<Group>& groups, Group& group, Step step, std::vector<Action>& actions);
    void send_some(Group& group, Step step, bool sending, std::vector<Action>& actions);
    Action receive(Group& group, Port port, Step step);
    void spoil();

    Draw draw_;
    RandomProgram made_;
    enum class Kinds { one, two, own } kinds_ = Kinds::one;
    std::uint32_t indices_ = 1;  // packets in an input block
    bool ragged_ = false;        // some blocks do not exist
};

// Half of the machines are those that serve scripts in loops.
void ScriptMaker::choose_machine()
{
    if (draw_.chance(50))
        return;
    MachineOptions& machine = made_.machine;
    machine.channel_capacity = random_capacity(draw_);
    machine.watch_lent_bytes = draw_.chance(40);
    made_.traced = draw_.chance(40);
    made_.counted = draw_.chance(50);
    if (draw_.chance(40)) {
        machine.link = {LinkKind::link_bound,
                        {static_cast<std::int64_t>(draw_.below(4)), 1},
                        {static_cast<std::int64_t>(1 + draw_.below(40)), 3},
                        LinkClock::data_driven};
        if (draw_.chance(30))
            machine.link.clock = LinkClock::lockstep;
    } else if (draw_.chance(20)) {
        machine.ports = PortModel::one;
    }
}

// Translations take any node to any other on symmetric networks, so one script will do for all. Two do for the
// corners of a hypercube that have an even and an odd number of ones.
std::size_t ScriptMaker::group_of(NodeId node) const
{
    switch (kinds_) {
    case Kinds::one: return 0;
    case Kinds::two: return static_cast<std::size_t>(std::popcount(node) % 2);
    case Kinds::own: return node;
    }
    return 0;
}

void ScriptMaker::choose_groups()
{
    kinds_ = !topology().symmetric() || draw_.chance(20)     ? Kinds::own
             : topology().is_hypercube() && draw_.chance(30) ? Kinds::two
                                                             : Kinds::one;
}

// Blocks are numbered by node, so a node's input and blocks of output have one for each node.
void ScriptMaker::choose_areas()
{
    static const std::vector<std::size_t> sizes{1, 2, 3, 4, 8, 12, 16, 32, 64, 128};
    const NodeId nodes = topology().nodes();
    std::size_t bytes = draw_.one_of(sizes);
    while (bytes > 4 && bytes * nodes > 1024)
        bytes /= 2;
    indices_ = draw_.chance(40) ? 2 : 1;
    const std::size_t blocks = nodes * indices_ * bytes;
    ragged_ = draw_.chance(15);
    const std::size_t there = ragged_ ? (1 + draw_.below(nodes * indices_)) * bytes : blocks;
    for (NodeId node = 0; node < nodes; ++node) {
        Areas areas{.bytes = bytes, .origin = kinds_ == Kinds::own && draw_.chance(50) ? 0 : node};
        areas.places = {Area{0, there, 0, bytes}, Area{0, there, indices_ * bytes, bytes},
                        Area{blocks, outputs * bytes, 0, bytes},
                        Area{blocks + outputs * bytes, there, indices_ * bytes, bytes},
                        Area{2 * blocks + outputs * bytes, ~std::size_t{0}, 0, bytes}};
        made_.areas.push_back(areas);
        made_.labels.push_back({{0, {node, std::nullopt, 0, blocks}}});
    }
    made_.memory = 2 * blocks + (outputs + slots) * bytes;
}

// A script for every kind, in which all goes well together. Returns the first one's number.
std::size_t ScriptMaker::script_for(std::vector<Group>& groups, Step& steps)
{
    const Step sending = 1 + static_cast<Step>(draw_.below(8));
    steps = sending + 4;
    for (Step step = 1; step <= steps; ++step)
        for (Group& group : groups) {
            std::vector<Action> actions;
            receive_all(groups, group, step, actions);
            send_some(group, step, step <= sending, actions);
            if (actions.empty())
                continue;
            group.made.stages.push_back({step, static_cast<std::uint32_t>(group.made.actions.size())});
            group.made.actions.insert(group.made.actions.end(), actions.begin(), actions.end());
        }
    const std::size_t first = made_.scripts.size();
    for (Group& group : groups)
        made_.scripts.push_back(std::move(group.made));
    return first;
}

// Another script with the same stages, which stand at the same place: it does the same with other outputs, and sends
// other inputs.
std::size_t ScriptMaker::twin_of(std::size_t script)
{
    Actions twin{{}, made_.scripts[script].actions, script};
    std::vector<std::uint32_t> renamed(outputs);
    std::iota(renamed.begin(), renamed.end(), 0U);
    draw_.shuffle(renamed);
    for (Action& action : twin.actions) {
        if (action.place == Place::output)
            action.index = renamed[action.index];
        else if (action.place == Place::input || action.place == Place::input_block)
            action.index = static_cast<std::uint32_t>(draw_.below(indices_));
    }
    made_.scripts.push_back(std::move(twin));
    return made_.scripts.size() - 1;
}

// Some do so in two parts.
void ScriptMaker::follow(NodeId node, const Call& call)
{
    const std::size_t stages = made_.script(call.script).stages.size();
    if (stages < 2 || call.word == 0 || draw_.chance(60))
        return made_.nodes[node].push_back(call);
    const std::size_t first = 1 + draw_.below(stages - 1);
    Call part = call;
    part.stages = {0, first};
    made_.nodes[node].push_back(part);
    part.stages = {first};
    made_.nodes[node].push_back(part);
}

void ScriptMaker::receive_all(std::vector<Group>& groups, Group& group, Step step, std::vector<Action>& actions)
{
    for (Port port = 0; port < topology().ports(group.first); ++port) {
        const Group& sender = groups[group_of(topology().neighbour(group.first, port))];
        for (const Coming& coming : sender.sent[topology().arrival_port(group.first, port)])
            if (coming.received == step)
                actions.push_back(receive(group, port, step));
    }
}

Action ScriptMaker::receive(Group& group, Port port, Step step)
{
    Action action{static_cast<NodeId>(draw_.below(topology().nodes())),
                  0,
                  static_cast<std::uint32_t>(draw_.below(indices_)),
                  static_cast<std::uint16_t>(port),
                  Action::Kind::keep,
                  Place::slot,
                  false};
    if (draw_.chance(30))
        action.kind = draw_.chance(50) ? Action::Kind::begin_sum : Action::Kind::add;
    const auto slot = std::ranges::find_if(group.lent_until, [&](Step lent) { return lent < step; });
    if (slot != group.lent_until.end() && draw_.chance(60)) {
        action.index = static_cast<std::uint32_t>(slot - group.lent_until.begin());
    } else if (group.kept < outputs && draw_.chance(50)) {
        action.place = Place::output;
        action.index = group.kept++;
    } else {  // never sent on
        action.place = Place::output_block;
        action.index = static_cast<std::uint32_t>(draw_.below(indices_));
    }
    return action;
}

void ScriptMaker::send_some(Group& group, Step step, bool sending, std::vector<Action>& actions)
{
    int sent = 0;
    for (Port port = 0; port < topology().ports(group.first); ++port) {
        std::deque<Coming>& link = group.sent[port];
        std::erase_if(link, [&](const Coming& coming) { return coming.received + 1 < step; });
        const auto waiting = std::ranges::count_if(link, [&](const Coming& one) { return one.received > step; });
        const bool free = made_.machine.ports == PortModel::all || (sent == 0 && kinds_ == Kinds::one);
        if (!sending || !free || draw_.chance(40) ||
            static_cast<std::size_t>(waiting) >= made_.machine.channel_capacity)
            continue;
        ++sent;
        Step received = step + 1 + static_cast<Step>(draw_.chance(80) ? 0 : draw_.below(3));
        if (!link.empty())
            received = std::max(received, link.back().received);
        link.push_back({received});
        Action action{static_cast<NodeId>(draw_.below(topology().nodes())),
                      static_cast<std::uint32_t>(draw_.below(indices_)),
                      0,
                      static_cast<std::uint16_t>(port),
                      Action::Kind::send,
                      draw_.chance(50) ? Place::input : Place::input_block,
                      false};
        if (draw_.chance(60)) {
            action.place = Place::slot;
            action.index = static_cast<std::uint32_t>(draw_.below(slots));
            Step& lent = group.lent_until[action.index];
            lent = std::max(lent, received);
        } else if (draw_.chance(30) && group.kept > 0) {
            action.place = Place::output;
            action.index = static_cast<std::uint32_t>(draw_.below(group.kept));
        }
        actions.push_back(action);
    }
}

// Changes one thing in one script, or in one node's program.
void ScriptMaker::spoil()
{
    const std::size_t number = draw_.below(made_.scripts.size());
    Actions& script = made_.scripts[number];
    const auto node = static_cast<NodeId>(draw_.below(topology().nodes()));
    if (script.actions.empty() || draw_.chance(40)) {
        Calls& calls = made_.nodes[node];
        if (calls.empty())
            return;
        switch (draw_.below(4)) {
        case 0: calls.erase(calls.begin() + static_cast<std::ptrdiff_t>(draw_.below(calls.size()))); return;
        case 1: calls.push_back({.kind = Kind::fail}); return;
        case 2: made_.areas[node].bytes = std::max<std::size_t>(1, made_.areas[node].bytes - 1); return;
        default: calls[draw_.below(calls.size())].word += 1; return;
        }
    }
    Action& action = script.actions[draw_.below(script.actions.size())];
    const bool sends = action.kind == Action::Kind::send;
    std::vector<Script::Stage>& stages = made_.scripts[script.stages_of.value_or(number)].stages;
    switch (draw_.below(6)) {
    case 0: action.port = static_cast<std::uint16_t>(draw_.below(topology().max_ports() + 1)); return;
    case 1: action.block = static_cast<NodeId>(draw_.below(topology().nodes())); return;
    case 2:
        action.place = sends ? Place::input : Place::output_block;
        action.index = 0;
        return;
    case 3: stages[draw_.below(stages.size())].step = stages[draw_.below(stages.size())].step; return;
    case 4: made_.areas[node].places[static_cast<std::size_t>(action.place)].size -= 1; return;
    default: stages.back().step += 1; return;
    }
}

RandomProgram ScriptMaker::make()
{
    choose_machine();
    choose_groups();
    choose_areas();
    const NodeId nodes = topology().nodes();
    made_.nodes.resize(nodes);
    Step begin = 1;
    for (std::size_t round = 1 + draw_.below(3); round > 0; --round) {
        std::vector<Group> groups;
        for (NodeId node = 0; node < nodes; ++node)
            if (group_of(node) == groups.size())
                groups.push_back({node, std::vector<std::deque<Coming>>(topology().ports(node))});
        Step steps = 0;
        const std::size_t first = script_for(groups, steps);
        std::vector<std::size_t> twins;
        for (std::size_t group = 0; group < groups.size() && draw_.chance(60); ++group)
            twins.push_back(twin_of(first + group));
        begin += static_cast<Step>(draw_.below(3));
        for (NodeId node = 0; node < nodes; ++node) {
            Calls& calls = made_.nodes[node];
            const bool waits = draw_.chance(30);
            if (waits)
                calls.push_back({.kind = Kind::until, .word = begin});
            const std::size_t group = group_of(node);
            const bool as_twin = group < twins.size() && draw_.chance(50);
            follow(node, {.kind = Kind::follow,
                          .word = waits && draw_.chance(70) ? 0 : begin,
                          .script = as_twin ? twins[group] : first + group});
            if (draw_.chance(10))
                calls.push_back({.kind = Kind::copy, .into = {made_.memory - 1, 1}, .from = {0, 1}});
        }
        begin += steps;
    }
    const bool spoiled = draw_.chance(40);
    for (std::size_t i = spoiled ? 1 + draw_.below(2) : 0; i > 0; --i)
        spoil();
    const bool mixed = draw_.chance(30);  // some nodes follow, others write out
    for (NodeId node = 0; node < nodes; ++node) {
        if (mixed && draw_.chance(50))
            made_.nodes[node] = written_out(made_, node);
        made_.nodes[node] = nested(made_.nodes[node], 2, draw_);
        for (Call& call : made_.nodes[node])  // no program catches an error in a script
            call.caught = call.caught && !spoiled && !ragged_;
    }
    return std::move(made_);
}

}  // namespace

RandomProgram random_script_program(std::uint64_t seed)
{
    return ScriptMaker(seed).make();
}

}  // namespace test_support

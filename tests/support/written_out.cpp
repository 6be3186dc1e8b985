#include "emu/script.hpp"
#include "tests/support/random_program.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace test_support {

using namespace dcube;

namespace {

using Kind = Call::Kind;
using Place = Script::Place;
using Action = Script::Action;

// One action as a call; none if there is no such packet.
std::optional<Call> call_of(const Topology& topology, const Areas& areas, const Action& action)
{
    const auto place = [&](Place where, std::uint32_t index) {
        const Area& area = areas.places[static_cast<std::size_t>(where)];
        const std::size_t at =
            topology.translate(action.block, areas.origin) * area.block_stride + index * area.index_stride;
        return std::pair(Stretch{area.at + at, areas.bytes}, at < area.size);
    };
    const auto [packet, exists] = place(action.place, action.index);
    if (!exists)
        return std::nullopt;
    Call call{.port = action.port, .into = packet, .from = packet, .other = packet, .of_script = true};
    switch (action.kind) {
    case Action::Kind::send: call.kind = Kind::send; break;
    case Action::Kind::keep: call.kind = Kind::receive_into; break;
    case Action::Kind::add: call.kind = Kind::receive_sum; break;
    case Action::Kind::begin_sum:
        call.kind = Kind::receive_sum;
        call.other = place(Place::input_block, action.own).first;
        break;
    }
    return call;
}

// Whether a packet, if there is one, lies in its region and, if it begins a sum, so does the node's own share.
bool lies_well(const Topology& topology, const Areas& areas, const Action& action)
{
    const auto lies_within = [&](Place where, std::uint32_t index) {
        const Area& area = areas.places[static_cast<std::size_t>(where)];
        const std::size_t at =
            topology.translate(action.block, areas.origin) * area.block_stride + index * area.index_stride;
        return at < area.size ? std::optional(area.size - at >= areas.bytes) : std::nullopt;
    };
    const std::optional<bool> packet = lies_within(action.place, action.index);
    return packet.value_or(true) && (!packet || action.kind != Action::Kind::begin_sum ||
                                     lies_within(Place::input_block, action.own).value_or(false));
}

// Whether the machine follows it: of what may be wrong with a script, what spoil() does.
bool can_be_followed(const Topology& topology, const Areas& areas, const Script& script)
{
    const auto not_later = [](const Script::Stage& one, const Script::Stage& next) { return next.step <= one.step; };
    return std::ranges::adjacent_find(script.stages, not_later) == script.stages.end() &&
           std::ranges::all_of(script.actions,
                               [&](const Action& action) { return lies_well(topology, areas, action); });
}

}  // namespace

Script RandomProgram::script(std::size_t number, Stages part) const
{
    const Actions& of = scripts[number];
    const std::span all(of.stages_of ? scripts[*of.stages_of].stages : of.stages);
    const std::span stages = all.subspan(part.first, std::min(part.count, all.size() - part.first));
    if (stages.empty())
        return {};
    const std::size_t end = part.first + stages.size();
    const std::size_t last = end < all.size() ? all[end].first : of.actions.size();
    return {stages, std::span(of.actions).subspan(stages[0].first, last - stages[0].first)};
}

Calls written_out(const RandomProgram& program, NodeId node)
{
    Calls calls;
    for (const Call& call : program.nodes[node]) {
        if (call.kind != Kind::follow) {
            calls.push_back(call);
            continue;
        }
        const Script script = program.script(call.script, call.stages);
        if (!script.stages.empty())
            calls.push_back({.kind = Kind::begin_script, .from = {script.stages[0].step, 0}, .word = call.word});
        if (!can_be_followed(program.topology, program.areas[node], script))
            calls.push_back({.kind = Kind::fail});
        for (std::size_t stage = 0; stage < script.stages.size(); ++stage) {
            calls.push_back({.kind = Kind::stage, .word = script.stages[stage].step, .of_script = true});
            for (const Action& action : script.actions_of(stage))
                if (const std::optional<Call> one = call_of(program.topology, program.areas[node], action))
                    calls.push_back(*one);
        }
        calls.push_back({.kind = Kind::until, .word = 0});  // answers the step, as follow does
    }
    return calls;
}

RandomProgram without_scripts(RandomProgram program)
{
    for (NodeId node = 0; node < program.topology.nodes(); ++node)
        program.nodes[node] = written_out(program, node);
    return program;
}

}  // namespace test_support

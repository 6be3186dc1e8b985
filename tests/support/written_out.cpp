#include "tests/support/random_program.hpp"

#include <optional>
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

}  // namespace

Calls written_out(const RandomProgram& program, NodeId node)
{
    Calls calls;
    for (const Call& call : program.nodes[node]) {
        if (call.kind != Kind::follow) {
            calls.push_back(call);
            continue;
        }
        const Script script = program.scripts[call.script].script();
        if (!script.stages.empty())
            calls.push_back({.kind = Kind::begin_script, .from = {script.stages[0].step, 0}, .word = call.word});
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

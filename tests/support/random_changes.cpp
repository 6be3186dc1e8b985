#include "tests/support/random_draw.hpp"
#include "tests/support/random_program.hpp"

#include <algorithm>
#include <utility>

namespace test_support {

using namespace dcube;

namespace {

using Kind = Call::Kind;

// Anything at all.
Call any_call(const RandomProgram& program, Draw& draw, NodeId node)
{
    const auto somewhere = [&](std::size_t bytes) { return Stretch{draw.below(program.memory - bytes + 1), bytes}; };
    Call call{.kind = static_cast<Kind>(draw.below(static_cast<std::size_t>(Kind::fail) + 1)),
              .port = static_cast<Port>(draw.below(program.topology.ports(node) + (draw.chance(10) ? 1 : 0))),
              .into = somewhere(draw.below(20)),
              .word = draw.below(12)};
    if (call.kind == Kind::begin_task || call.kind == Kind::end_task)
        call.kind = Kind::next_step;  // nested() makes them
    call.from = somewhere(draw.chance(90) ? call.into.bytes : draw.below(20));
    call.other = somewhere(draw.chance(90) ? call.into.bytes : draw.below(20));
    return call;
}

}  // namespace

// Changes one thing in one node's program.
void spoil(RandomProgram& program, Draw& draw)
{
    const auto somewhere = [&](std::size_t bytes) { return Stretch{draw.below(program.memory - bytes + 1), bytes}; };
    const auto node = static_cast<NodeId>(draw.below(program.topology.nodes()));
    Calls& calls = program.nodes[node];
    const std::size_t at = draw.below(calls.size());
    const auto place = calls.begin() + static_cast<std::ptrdiff_t>(at);
    if (calls.empty() || draw.chance(30)) {
        calls.insert(place, any_call(program, draw, node));
        return;
    }
    if (place->kind == Kind::send || place->kind == Kind::send_joined) {
        if (draw.chance(40)) {  // lent bytes are changed, at once or a little later
            const Stretch lent = draw.chance(50) && place->kind == Kind::send_joined ? place->other : place->from;
            const auto later = static_cast<std::ptrdiff_t>(std::min(1 + draw.below(3), calls.size() - at));
            calls.insert(place + later, {.kind = Kind::write, .into = lent, .word = draw.word()});
            return;
        }
    }
    switch (draw.below(7)) {
    case 0: calls.erase(place); break;
    case 1: calls.insert(place, Call(*place)); break;
    case 2: std::swap(*place, calls[draw.below(calls.size())]); break;
    case 3: place->port = static_cast<Port>(draw.below(program.topology.ports(node) + 1)); break;
    case 4: place->into = somewhere(draw.chance(50) ? place->into.bytes : draw.below(20)); break;
    case 5: place->from = somewhere(draw.chance(50) ? place->from.bytes : draw.below(20)); break;
    case 6:
        calls.insert(place, {.kind = Kind::write, .into = somewhere(1 + draw.below(60)), .word = draw.word()});
        break;
    default: break;
    }
}

Calls nested(const Calls& calls, int depth, Draw& draw)
{
    if (depth == 0 || calls.empty() || draw.chance(60))
        return calls;
    const auto first = static_cast<std::ptrdiff_t>(draw.below(calls.size()));
    const auto last =
        first + static_cast<std::ptrdiff_t>(draw.below(calls.size() - static_cast<std::size_t>(first) + 1));
    Calls made(calls.begin(), calls.begin() + first);
    Call begin{.kind = Kind::begin_task, .caught = draw.chance(40)};
    made.push_back(begin);
    const Calls inner = nested({calls.begin() + first, calls.begin() + last}, depth - 1, draw);
    made.insert(made.end(), inner.begin(), inner.end());
    if (begin.caught && draw.chance(30))
        made.push_back({.kind = Kind::fail, .word = draw.below(2)});
    made.push_back({.kind = Kind::end_task});
    const Calls rest = nested({calls.begin() + last, calls.end()}, depth - 1, draw);
    made.insert(made.end(), rest.begin(), rest.end());
    return made;
}

}  // namespace test_support

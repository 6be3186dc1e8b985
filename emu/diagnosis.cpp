// What the engine finds out about a run that fails: whose fault it was, and in which words to say so.

#include "emu/engine.hpp"

#include <fmt/format.h>

#include <map>
#include <tuple>

namespace dcube::detail {

namespace {

// "0-3, 8-11, 14", from ascending ids; long lists are cut.
std::string ranges(const std::vector<NodeId>& ids)
{
    constexpr int most = 16;
    std::string text;
    int written = 0;
    for (std::size_t first = 0; first < ids.size();) {
        if (++written > most)
            return text + fmt::format(" and {} more", ids.size() - first);
        std::size_t last = first;
        while (last + 1 < ids.size() && ids[last + 1] == ids[last] + 1)
            ++last;
        text += fmt::format("{}{}", text.empty() ? "" : ", ", ids[first]);
        if (last > first)
            text += fmt::format("-{}", ids[last]);
        first = last + 1;
    }
    return text;
}

}  // namespace

// A rule violation carries the step and node of whoever broke the rule; any other exception is the program's own.
Engine::Failure Engine::attribute(const std::exception_ptr& error, Step step, NodeId node)
{
    try {
        try {
            std::rethrow_exception(error);
        } catch (const RuleViolation& violation) {
            return {violation.step, violation.node, error};
        } catch (const std::exception& exception) {
            std::throw_with_nested(ProgramError(step, node, exception.what()));
        } catch (...) {
            std::throw_with_nested(ProgramError(step, node, "an exception that is no std::exception"));
        }
    } catch (const ProgramError&) {
        return {step, node, std::current_exception()};
    }
}

Engine::Failure Engine::violation(Rule rule, const NodeState& node, Port port, Step step,
                                  const std::string& detail) const
{
    return {step, node.id(), std::make_exception_ptr(RuleViolation(rule, step, node.id(), port, detail))};
}

// Two packets have set out for one node of a one-port machine in this step; the senders have noticed. Names the second
// port.
Engine::Failure Engine::find_second_receive() const
{
    if (!second_receive_.load(std::memory_order_relaxed))
        return {};
    for (NodeId id = 0; id < topology_.nodes(); ++id) {
        const NodeState& node = nodes_[id];
        int arrivals = 0;
        for (Port port = 0; port < node.ports(); ++port) {
            arrivals += sender_end(node, port).last_sent == step_;
            if (arrivals == 2)
                return violation(Rule::second_receive, node, port, step_,
                                 "a second packet arrives in one step on a one-port machine");
        }
    }
    return {};
}

Engine::Failure Engine::find_never_received() const
{
    for (NodeId id = 0; id < topology_.nodes(); ++id) {
        const NodeState& node = nodes_[id];
        for (Port port = 0; port < node.ports(); ++port) {
            const LinkIn& link = node.in[port];
            const Step after = step_ + 1;
            if (slots() ? slots::waiting(link.ring, link.place, after) : link.queue->waiting(after))
                return violation(Rule::never_received, node, port, sender_end(node, port).last_sent,
                                 fmt::format("the run ended before the packet from node {} was received",
                                             topology_.neighbour(id, port)));
        }
    }
    return {};
}

// Every node that is left waits, and nothing was sent that one of them could wait for. What was taken in this step may
// have made room for the next.
Engine::Failure Engine::find_deadlock(const Tally& total) const
{
    if (total.unfinished == 0 || total.waiting != total.unfinished || total.sent != 0)
        return {};
    for (NodeId id = 0; id < topology_.nodes(); ++id)
        if (nodes_[id].innermost && nodes_[id].awaits_room && has_room_after(nodes_[id]))
            return {};
    for (NodeId id = 0; id < topology_.nodes(); ++id)
        if (nodes_[id].awaited_port != NodeState::no_port)
            return violation(Rule::deadlock, nodes_[id], nodes_[id].awaited_port, step_, describe_waiting());
    return {};
}

// Whether the node finds in the next step the room that it waits for.
bool Engine::has_room_after(const NodeState& node) const
{
    const LinkOut& link = node.out[node.awaited_port];
    return slots() ? slots::has_room(link.ring, link.place, places_, step_ + 1)
                   : link.queue->has_room(step_ + 1, places_, link.packets);
}

// "waiting on port 2 since step 7: nodes 0-3, 8-11; waiting for room on port 0 since ..."
std::string Engine::describe_waiting() const
{
    constexpr std::size_t most = 8;
    std::map<std::tuple<Step, Port, bool>, std::vector<NodeId>> waiting;
    for (NodeId id = 0; id < topology_.nodes(); ++id)
        if (nodes_[id].awaited_port != NodeState::no_port)
            waiting[{nodes_[id].awaited_since, nodes_[id].awaited_port, nodes_[id].awaits_room}].push_back(id);
    std::string text;
    std::size_t written = 0;
    for (const auto& [key, ids] : waiting) {
        const auto [since, port, room] = key;
        if (++written > most)
            return text + fmt::format("; and {} groups more", waiting.size() - most);
        text += fmt::format("{}waiting {}on port {} since step {}: node{} {}", text.empty() ? "" : "; ",
                            room ? "for room " : "", port, since, ids.size() == 1 ? "" : "s", ranges(ids));
    }
    return text;
}

}  // namespace dcube::detail

// What the engine finds out about a run that fails: whose fault it was, and in which words to say so.

#include "base/numbers.hpp"
#include "base/sizes.hpp"
#include "emu/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
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

// "on port 2", "for room on port 2", "on any of ports 0, 2".
std::string awaited(const NodeState& node)
{
    if (!node.awaited_any)
        return fmt::format("{}on port {}", node.awaits_room ? "for room " : "", node.awaited_port);
    std::vector<Port> ports(node.awaited_any->count);
    for (std::size_t i = 0; i < ports.size(); ++i)
        ports[i] = node.awaited_any->port(i);
    return fmt::format("on any of ports {}", fmt::join(ports, ", "));
}

// "waiting on port 2 since step 7: nodes 0-3, 8-11; waiting for room on port 0 since ..."
std::string described(const Waiting& waiting)
{
    constexpr std::size_t most = 8;
    std::string text;
    std::size_t written = 0;
    for (const auto& [key, ids] : waiting) {
        const auto& [since, port, what] = key;
        if (++written > most)
            return text + fmt::format("; and {} groups more", waiting.size() - most);
        text += fmt::format("{}waiting {} since step {}: node{} {}", text.empty() ? "" : "; ", what, since,
                            ids.size() == 1 ? "" : "s", ranges(ids));
    }
    return text;
}

}  // namespace

Inlet Engine::inlet(NodeId node, Port port, Step step) const
{
    const std::uint32_t link = numbers_.in(node, port);
    return options_.channel == ChannelKind::slots ? wires_.inlet(link, step) : queues_.inlet(link, step);
}

Failure Engine::violation(Rule rule, NodeId node, Port port, Step step, const std::string& detail) const
{
    const bool found_by_others = rule == Rule::channel_full || rule == Rule::lent_bytes_changed;
    return {step, node, std::make_exception_ptr(RuleViolation(rule, step, node, port, detail)),
            found_by_others ? port : 0};
}

void Engine::throw_channel_full(const NodeState& finder, Step step, NodeId sender, Port port) const
{
    end_run(finder, violation(Rule::channel_full, sender, port, step,
                              fmt::format("more packets are sent than the {} that may wait to be received",
                                          options_.channel_capacity)));
}

// Which node was one too many depends on who came first: it is nobody's fault, and so node 0's.
void Engine::throw_no_memory(const NodeState& finder) const
{
    const std::string limit =
        options_.memory_limit ? fmt::format(" (the limit is {})", memory_text(options_.memory_limit)) : "";
    end_run(finder, {step_, 0,
                     std::make_exception_ptr(InvalidArgument("the nodes ask for more memory in step " +
                                                             std::to_string(step_) + " than there is" + limit))});
}

// Whatever the program does with the exception.
void Engine::end_run(const NodeState& finder, const Failure& failure) const
{
    finder.chunk->fail(failure);
    std::rethrow_exception(failure.error);
}

// Lent bytes of packets that the chunk's nodes have taken in this step: all nodes have had their step.
void Engine::check_loans(Chunk& chunk)
{
    for (const LentBytes::Loan& loan : chunk.take_ending_loans())
        if (!loan.unchanged())
            chunk.fail(lent_bytes_changed(loan));
}

Failure Engine::lent_bytes_changed(const LentBytes::Loan& loan) const
{
    return violation(Rule::lent_bytes_changed, loan.sender, loan.port, step_, loan.complaint());
}

// Two packets have set out for one node of a one-port machine in this step; the senders have noticed. Names the second
// port.
Failure Engine::find_second_receive() const
{
    if (!second_receive_.load(std::memory_order_relaxed))
        return {};
    for (NodeId id = own_.first; id < own_.last; ++id) {
        int arrivals = 0;
        for (Port port = 0; port < topology_.ports(id); ++port) {
            const std::uint32_t link = numbers_.in(id, port);
            arrivals += options_.channel == ChannelKind::slots ? wires_.outlet(link, step_).busy
                                                               : queues_.outlet(link, step_).busy;
            if (arrivals == 2)
                return violation(Rule::second_receive, id, port, step_,
                                 "a second packet arrives in one step on a one-port machine");
        }
    }
    return {};
}

// Some nodes, but not all, have begun what takes all of them, or they have begun different things.
Failure Engine::find_not_together(const Beginnings& own, std::uint64_t nodes)
{
    if (nodes == 0)
        return {};
    const Beginnings begun = begun_everywhere(own);
    if (nodes == topology_.members() && !begun.different())
        return {};
    const Beginning& first = *begun.first();
    if (const auto& other = begun.different())
        return violation(Rule::not_together, other->node, 0, step_,
                         other->name == first.name
                             ? fmt::format("it begins another {} than node {}", other->name, first.node)
                             : fmt::format("it begins {}, and node {} begins {}", other->name, first.node, first.name));
    return violation(Rule::not_together, first.node, 0, step_,
                     fmt::format("it begins {} with {} others, but all {} nodes must begin it in one step", first.name,
                                 nodes - 1, topology_.members()));
}

// What takes all nodes would take a packet that waits here for one of its own.
void Engine::require_no_packets(const NodeState& node, std::string_view name) const
{
    for (Port port = 0; port < node.ports(); ++port)
        if (const Inlet found = inlet(node.id(), port, step_); found.waits) [[unlikely]]
            node.throw_violation(Rule::stray_packet, port,
                                 fmt::format("the packet that node {} sent in step {} waits when {} begins",
                                             topology_.neighbour(node.id(), port), found.oldest, name)
                                     .c_str());
}

Failure Engine::find_never_received() const
{
    for (NodeId id = own_.first; id < own_.last; ++id)
        for (Port port = 0; port < topology_.ports(id); ++port)
            if (const Inlet found = inlet(id, port, step_ + 1); found.waits)
                return violation(Rule::never_received, id, port, found.oldest,
                                 fmt::format("the run ended before the packet from node {} was received",
                                             topology_.neighbour(id, port)));
    return {};
}

// A task that was made and not awaited has never run.
Failure Engine::find_never_awaited() const
{
    constexpr NodeId none = ~NodeId{0};
    NodeId first = none;
    for (std::size_t chunk = 0; chunk < clock_.chunks(); ++chunk)
        chunks_[chunk].frames().visit_live(
            [&](void* frame) { first = std::min(first, TaskHandle::from_address(frame).promise().node->id()); });
    if (first == none)
        return {};
    return violation(Rule::task_not_awaited, first, RuleViolation::no_port, step_,
                     "a task was made, and not awaited: it has never run");
}

// Every node that is left waits, and nothing was sent that one of them could wait for. What was taken in this step may
// have made room for the next.
Failure Engine::find_deadlock(const Summary& sum)
{
    if (sum.able || sum.sent || any_finds_room())
        return {};
    const Waiting waiting = who_waits_everywhere();
    const auto smallest = std::ranges::min_element(waiting, {}, [](const auto& one) { return one.second.front(); });
    if (smallest == waiting.end())
        return {};
    return violation(Rule::deadlock, smallest->second.front(), std::get<1>(smallest->first), step_, described(waiting));
}

bool Engine::any_finds_room()
{
    StepNote found;
    for (NodeId id = own_.first; id < own_.last && !found.rung; ++id)
        found.rung = nodes_[id].innermost && nodes_[id].waits() && nodes_[id].awaits_room && has_room_after(nodes_[id]);
    return border_ ? border_->tell(found).rung : found.rung;
}

// Whether the node finds in the next step the room that it waits for.
bool Engine::has_room_after(const NodeState& node) const
{
    const std::uint32_t link = numbers_.out(node.id(), node.awaited_port);
    return options_.channel == ChannelKind::slots ? wires_.has_room(link, step_ + 1)
                                                  : queues_.has_room(link, step_ + 1);
}

// What a program that counts on a lost packet comes to. It is the loss that is reported, and what followed it elsewhere
// than at its link's two ends: the one need not have led to the other.
Failure Engine::named_by_loss(const Failure& failure, const std::optional<LostPacket>& first_lost) const
{
    if (!failure.error || !first_lost)
        return failure;
    const LostPacket& lost = *first_lost;
    try {
        std::rethrow_exception(failure.error);
    } catch (const RuleViolation& found) {
        const bool missed = found.rule == Rule::nothing_arrived || found.rule == Rule::size_mismatch;
        const bool left = found.rule == Rule::deadlock || found.rule == Rule::never_received;
        const bool elsewhere = (found.node != lost.to || found.port != topology_.arrival_port(lost.from, lost.port)) &&
                               (found.node != lost.from || found.port != lost.port);
        if ((missed && lost.step < found.step) || left)
            return violation(Rule::packet_lost, lost.from, lost.port, lost.step,
                             fmt::format("the packet of {} to node {} was lost: {}{}{}", counted(lost.bytes, "byte"),
                                         lost.to, describe(lost.cause), elsewhere ? "; then " : "",
                                         elsewhere ? found.what() : ""));
    } catch (...) {  // nobody's loss
    }
    return failure;
}

Waiting Engine::who_waits() const
{
    Waiting waiting;
    for (NodeId id = own_.first; id < own_.last; ++id)
        if (nodes_[id].innermost && nodes_[id].waits())
            waiting[{nodes_[id].awaited_since, nodes_[id].awaited_port, awaited(nodes_[id])}].push_back(id);
    return waiting;
}

}  // namespace dcube::detail

#include "emu/diagnosis.hpp"

#include "base/numbers.hpp"
#include "emu/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <tuple>
#include <vector>

namespace dcube::detail {

namespace {

constexpr std::string_view at_any_of = "on any of ports ";

// "on port 2", "for room on port 2", "on any of ports 0, 2".
std::string awaited(const NodeState& node)
{
    if (!node.awaited_any)
        return fmt::format("{}on port {}", node.awaits_room ? "for room " : "", node.awaited_port);
    std::vector<Port> ports(node.awaited_any->count);
    for (std::size_t i = 0; i < ports.size(); ++i)
        ports[i] = node.awaited_any->port_of_machine(i);
    return fmt::format("{}{}", at_any_of, fmt::join(ports, ", "));
}

// "waiting on port 2 since step 7: nodes 0-3, 8-11; waiting for room on port 0 since ..."
std::string described(const Waiting& waiting)
{
    constexpr std::size_t most = 8;
    constexpr std::size_t most_ranges = 16;
    std::string text;
    std::size_t written = 0;
    for (const auto& [key, ids] : waiting) {
        const auto& [since, port, what] = key;
        if (++written > most)
            return text + fmt::format("; and {} more groups", waiting.size() - most);
        text += fmt::format("{}waiting {} since step {}: {} {}", text.empty() ? "" : "; ", what, since,
                            plural(ids.size(), "node"), ranges_text(Contributors::of(ids), most_ranges));
    }
    return text;
}

// The nodes one by one, ascending.
std::vector<RuleViolation::Waits> waiting_nodes(const Waiting& waiting)
{
    std::vector<RuleViolation::Waits> all;
    for (const auto& [key, ids] : waiting) {
        const auto& [since, port, what] = key;
        const bool at_any = what.starts_with(at_any_of);
        for (const NodeId id : ids)
            all.push_back({id, at_any ? RuleViolation::no_port : port});
    }
    std::ranges::sort(all, {}, &RuleViolation::Waits::node);
    return all;
}

}  // namespace

Failure Diagnosis::find_second_receive() const
{
    const NodeRange own = engine_.ranks().own();
    if (!engine_.second_receive())
        return {};
    for (NodeId id = own.first; id < own.last; ++id) {
        const bool sends = engine_.half_duplex() && engine_.node(id).last_send == engine_.step();
        int arrivals = 0;
        for (Port port = 0; port < engine_.topology().ports(id); ++port) {
            arrivals += engine_.links().was_sent_to(id, port, engine_.step());
            if (arrivals == 2)
                return Failure::of_rule(Rule::second_receive, id, port, engine_.step(),
                                        "a second packet arrives in one step on a one-port machine");
            if (sends && arrivals == 1)
                return Failure::of_rule(Rule::second_receive, id, port, engine_.step(),
                                        "a packet arrives in a step in which the node sends, on half duplex");
        }
    }
    return {};
}

Failure Diagnosis::find_not_together(const CollectiveStarts& own, std::uint64_t nodes) const
{
    if (nodes == 0)
        return {};
    const CollectiveStarts begun = engine_.ranks().starts_everywhere(own);
    const std::uint64_t all = engine_.topology().members() + engine_.topology().fabric().switches.size();
    if (nodes == all && !begun.different())
        return {};
    const CollectiveStart& first = *begun.first();
    if (const auto& other = begun.different())
        return Failure::of_rule(
            Rule::not_together, other->node, 0, engine_.step(),
            other->name == first.name
                ? fmt::format("it started another {} than node {}", other->name, first.node)
                : fmt::format("it started {}, but node {} started {}", other->name, first.node, first.name));
    return Failure::of_rule(Rule::not_together, first.node, 0, engine_.step(),
                            fmt::format("only {} of {} nodes started {} in this step, not {}", nodes, all, first.name,
                                        to_string(who_did_not_begin())));
}

Contributors Diagnosis::who_did_not_begin() const
{
    const NodeRange own = engine_.ranks().own();
    std::vector<NodeId> nodes;
    for (NodeId id = own.first; id < own.last; ++id)
        if (!engine_.topology().is_missing(id) && engine_.node(id).began_together != engine_.step())
            nodes.push_back(id);
    return Contributors::of(engine_.ranks().nodes_everywhere(nodes));
}

Failure Diagnosis::find_left_over() const
{
    Ranks& ranks = engine_.ranks();
    return ranks.of_lowest_rank(any_under_way() ? find_never_received() : find_never_awaited());
}

bool Diagnosis::any_under_way() const
{
    std::uint64_t under_way = 0;
    for (const Chunk& chunk : engine_.chunks())
        under_way += chunk.sent() - chunk.lost() - chunk.taken();
    return engine_.ranks().any_under_way(under_way);
}

Failure Diagnosis::find_never_received() const
{
    const NodeRange own = engine_.ranks().own();
    for (NodeId id = own.first; id < own.last; ++id)
        for (Port port = 0; port < engine_.topology().ports(id); ++port)
            if (const Inlet found = engine_.links().inlet(id, port, engine_.step() + 1); found.waits) {
                const NodeId sender = engine_.topology().neighbour(id, port);
                return Failure::of_rule(
                    Rule::never_received, id, port, found.oldest,
                    fmt::format("the run ended before the packet from node {} was received", sender),
                    RuleViolation::Packet{sender, found.oldest});
            }
    return {};
}

Failure Diagnosis::find_never_awaited() const
{
    constexpr NodeId none = ~NodeId{0};
    NodeId first = none;
    for (Chunk& chunk : engine_.chunks())
        chunk.frames().visit_live(
            [&](void* frame) { first = std::min(first, TaskHandle::from_address(frame).promise().node->id()); });
    if (first == none)
        return {};
    return Failure::of_rule(Rule::task_not_awaited, first, RuleViolation::no_port, engine_.step(),
                            "a task was made, and not awaited: it has never run");
}

Failure Diagnosis::find_deadlock(const Summary& sum) const
{
    if (sum.able || sum.sent || any_finds_room())
        return {};
    const Waiting waiting = engine_.ranks().who_waits_everywhere(who_waits());
    const auto smallest = std::ranges::min_element(waiting, {}, [](const auto& one) { return one.second.front(); });
    if (smallest == waiting.end())
        return {};
    return Failure::of_deadlock(smallest->second.front(), std::get<1>(smallest->first), engine_.step(),
                                described(waiting), waiting_nodes(waiting));
}

// Whether some node finds in the next step the room that it waits for.
bool Diagnosis::any_finds_room() const
{
    const NodeRange own = engine_.ranks().own();
    bool found = false;
    for (NodeId id = own.first; id < own.last && !found; ++id) {
        const NodeState& node = engine_.node(id);
        found = node.innermost && node.waits() && node.awaits_room &&
                engine_.links().has_room(id, node.awaited_port, engine_.step() + 1);
    }
    return engine_.ranks().any_finds_room(found);
}

Failure Diagnosis::named_by_loss(const Failure& failure, const std::optional<LostPacket>& first_lost) const
{
    if (!failure.error || !first_lost)
        return failure;
    const LostPacket& lost = *first_lost;
    try {
        std::rethrow_exception(failure.error);
    } catch (const RuleViolation& found) {
        const bool missed = found.rule == Rule::nothing_arrived || found.rule == Rule::size_mismatch;
        const bool left = found.rule == Rule::deadlock || found.rule == Rule::never_received;
        const bool elsewhere =
            (found.node != lost.to || found.port != engine_.topology().arrival_port(lost.from, lost.port)) &&
            (found.node != lost.from || found.port != lost.port);
        if ((missed && lost.step < found.step) || left)
            return Failure::of_rule(Rule::packet_lost, lost.from, lost.port, lost.step,
                                    fmt::format("the packet of {} to node {} was lost: {}{}{}",
                                                counted(lost.bytes, "byte"), lost.to, describe(lost.cause),
                                                elsewhere ? "; then " : "", elsewhere ? found.what() : ""));
    } catch (...) {  // not a rule violation: no loss explains it
    }
    return failure;
}

Waiting Diagnosis::who_waits() const
{
    const NodeRange own = engine_.ranks().own();
    Waiting waiting;
    for (NodeId id = own.first; id < own.last; ++id)
        if (const NodeState& node = engine_.node(id); node.innermost && node.waits())
            waiting[{node.awaited_since, node.awaited_port, awaited(node)}].push_back(id);
    return waiting;
}

// Names a node that would go on by itself; where there is none, one that waits.
Failure Diagnosis::too_many_steps() const
{
    const auto first_that = [&](bool (*is_one)(const NodeState& node)) -> Failure {
        const NodeRange own = engine_.ranks().own();
        for (NodeId id = own.first; id < own.last; ++id)
            if (engine_.node(id).innermost && is_one(engine_.node(id)))
                return Failure::of_rule(Rule::too_many_steps, id, RuleViolation::no_port, engine_.step(),
                                        "a run has at most 2^31-2 steps");
        return {};
    };
    Ranks& ranks = engine_.ranks();
    const Failure goes_on = ranks.of_lowest_rank(first_that([](const NodeState& node) { return !node.waits(); }));
    return goes_on.error ? goes_on : ranks.of_lowest_rank(first_that([](const NodeState&) { return true; }));
}

}  // namespace dcube::detail

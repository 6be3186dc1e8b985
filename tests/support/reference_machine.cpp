#include "tests/support/reference_machine.hpp"

#include "tests/support/reference_state.hpp"

#include <algorithm>
#include <utility>

namespace test_support {

namespace {

using Kind = Call::Kind;

}  // namespace

std::optional<Outcome> Reference::run()
{
    for (step_ = 1; !run_step(); ++step_) {
    }
    if (memory_.raced())
        return std::nullopt;
    if (broken_)
        outcome_.failure = broken_->text;
    else
        outcome_.counts = counts();
    for (NodeId id = 0; id < nodes_.size(); ++id)
        outcome_.memory.push_back(memory_.read(id, {0, program_.memory}));
    return std::move(outcome_);
}

bool Reference::run_step()
{
    for (Link& link : links_)
        link.waited = link.packets.size();
    sent_ = 0;
    longest_ = 0;
    lent_.clear();
    lines_.clear();
    for (NodeId i = 0; i < nodes_.size(); ++i)
        run_node(turns_ == Turns::ascending ? i : static_cast<NodeId>(nodes_.size()) - 1 - i);
    check_lent_bytes();
    check_second_receives();
    std::ranges::sort(lines_);
    for (const auto& [from, port, line] : lines_)
        outcome_.trace.push_back(line);
    const bool ended = std::ranges::all_of(nodes_, &Processor::ended);
    outcome_.told += program_.counted && !ended;
    if (!broken_ && ended)
        check_end();
    if (!broken_ && !ended)
        check_deadlock();
    if (!broken_ && !ended && program_.stop_after == step_)
        broken_ = Broken{{}, "interrupted"};
    now_ += longest_;
    return broken_ || ended;
}

void Reference::run_node(NodeId id)
{
    Processor& node = nodes_[id];
    if (node.ended || node.asleep_until > step_ || (node.waits && !may_go_on(id, *node.waits)))
        return;
    node.waits = nullptr;
    if (std::exchange(node.paused, false))
        answer(id, step_);
    const Calls& calls = program_.nodes[id];
    while (node.next < calls.size()) {
        const Call& call = calls[node.next++];
        try {
            if (pauses(id, call))
                return;
            perform(id, call);
        } catch (const Thrown&) {
            unwind(id);
        }
    }
    node.ended = true;
}

// An exception goes on in the task that catches it, or ends the program.
void Reference::unwind(NodeId id)
{
    Processor& node = nodes_[id];
    while (!node.tasks.empty() && !node.tasks.back().caught)
        node.tasks.pop_back();
    if (node.tasks.empty()) {
        note(step_, id, 0, failure_text(step_, id));  // unless it was a rule, which has been noted
        node.next = program_.nodes[id].size();
        return;
    }
    node.next = node.tasks.back().end + 1;
    node.tasks.pop_back();
    answer(id, caught);
}

void Reference::note(Step step, NodeId node, Port port, const std::string& text)
{
    const std::tuple key(step, node, port);
    if (!broken_ || key < broken_->key)
        broken_ = Broken{key, text};
}

void Reference::breaks(Rule rule, NodeId id, Port port)
{
    note(step_, id, 0, failure_text(rule, step_, id, port));
    throw Thrown();
}

// The sender's fault, in the step of the last send.
void Reference::breaks_capacity(NodeId sender, Port port)
{
    const std::deque<Sent>& packets = link(sender, port).packets;
    Step newest = 0;
    for (const Sent& packet : packets)
        if (packet.step < step_)
            newest = packet.step;
    note(newest, sender, port, failure_text(Rule::channel_full, newest, sender, port));
    throw Thrown();
}

void Reference::check_lent_bytes()
{
    if (!program_.machine.watch_lent_bytes.value())
        return;
    for (const Sent& packet : lent_)
        if (bytes_of(packet) != packet.bytes)
            note(step_, packet.sender, packet.port,
                 failure_text(Rule::lent_bytes_changed, step_, packet.sender, packet.port));
}

void Reference::check_second_receives()
{
    if (program_.machine.ports == PortModel::all)
        return;
    for (NodeId id = 0; id < nodes_.size(); ++id) {
        int arrivals = 0;
        for (Port port = 0; port < topology_.ports(id); ++port)
            if (link_into(id, port).last_send == step_ && ++arrivals == 2)
                note(step_, id, port, failure_text(Rule::second_receive, step_, id, port));
    }
}

void Reference::check_end()
{
    for (NodeId id = 0; id < nodes_.size(); ++id)
        for (Port port = 0; port < topology_.ports(id); ++port)
            if (const auto& packets = link_into(id, port).packets; !packets.empty() && !broken_)
                broken_ = Broken{{}, failure_text(Rule::never_received, packets.front().step, id, port)};
    for (NodeId id = 0; id < nodes_.size(); ++id)
        if (nodes_[id].forgot && !broken_)
            broken_ = Broken{{}, failure_text(Rule::task_not_awaited, step_, id, RuleViolation::no_port)};
}

void Reference::check_deadlock()
{
    for (NodeId id = 0; id < nodes_.size(); ++id) {
        const Processor& node = nodes_[id];
        if (!node.ended && !node.waits)
            return;
        if (!node.ended && node.waits->kind == Kind::await_room &&
            link(id, node.waits->port).packets.size() < program_.machine.channel_capacity)
            return;
    }
    if (sent_ != 0)
        return;
    for (NodeId id = 0; id < nodes_.size() && !broken_; ++id)
        if (!nodes_[id].ended)
            broken_ = Broken{{}, failure_text(Rule::deadlock, step_, id, nodes_[id].waits->port)};
}

// True if the call ends the node's step.
bool Reference::pauses(NodeId id, const Call& call)
{
    Processor& node = nodes_[id];
    if (call.kind == Kind::next_step)
        node.asleep_until = step_ + 1;
    else if (call.kind == Kind::until && call.word > step_)
        node.asleep_until = static_cast<Step>(call.word);
    else if (call.kind == Kind::stage && node.script_begins - 1 + call.word > step_)
        node.asleep_until = node.script_begins - 1 + static_cast<Step>(call.word);
    else if ((call.kind == Kind::await_arrival || call.kind == Kind::await_room) && !may_go_on(id, call))
        node.waits = &call;
    else
        return false;
    node.paused = !call.of_script;
    return true;
}

bool Reference::may_go_on(NodeId id, const Call& call)
{
    return call.kind == Kind::await_room ? has_room(id, call.port) : arrived(id, call.port);
}

bool Reference::arrived(NodeId id, Port port)
{
    require_port(id, port);
    const auto& packets = link_into(id, port).packets;
    return !packets.empty() && packets.front().step < step_;
}

bool Reference::has_room(NodeId id, Port port)
{
    if (!bound())
        throw Thrown();
    require_port(id, port);
    const Link& out = link(id, port);
    return out.last_send != step_ && out.waited < program_.machine.channel_capacity;
}

void Reference::require_port(NodeId id, Port port)
{
    if (port >= topology_.ports(id))
        breaks(Rule::no_such_port, id, port);
}

std::string Reference::counts()
{
    Counts counts;
    counts.steps = step_ - 1;
    counts.transmissions = transmissions_;
    counts.bytes = bytes_;
    counts.virtual_time = last_arrival_;
    for (NodeId id = 0; id < nodes_.size(); ++id) {
        counts.storage_bytes += nodes_[id].storage;
        counts.largest_storage_bytes = std::max<std::size_t>(counts.largest_storage_bytes, nodes_[id].storage);
        for (Port port = 0; port < topology_.ports(id); ++port) {
            const LinkUse use{id, port, link(id, port).carried};
            if (!counts.busiest || use.packets > counts.busiest->packets)
                counts.busiest = use;
            if (!counts.idlest || use.packets < counts.idlest->packets)
                counts.idlest = use;
        }
    }
    return counts_text(counts);
}

std::optional<Outcome> run_on_reference(const RandomProgram& program, Turns turns)
{
    return Reference(program, turns).run();
}

}  // namespace test_support

#include "algorithms/programs/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace dcube::detail {

namespace {

using Action = Script::Action;
using Place = Script::Place;

struct Event {
    Step step;  // by the clock
    bool is_send;
    Port port;
    PacketName packet;
    Arrival arrival;
    bool from_input;  // its first hop
};

struct NameHash {
    std::size_t operator()(const PacketName& name) const
    {
        std::uint64_t key = (std::uint64_t{name.origin} << 32 | name.target) ^ std::uint64_t{name.copy} << 20;
        key *= 0x9e3779b97f4a7c15U;
        return static_cast<std::size_t>(key ^ key >> 29);
    }
};

// Slots that are taken and given back. A slot that is sent in step t is read by its receiver in step t + 1, so it may
// be written again in step t + 2. The slot given back last is taken first: it is the warmest.
class Slots {
public:
    std::uint32_t take(Step step)
    {
        while (!resting_.empty() && resting_.front().free_from <= step) {
            free_.push_back(resting_.front().slot);
            resting_.pop_front();
        }
        if (free_.empty())
            return count_++;
        const std::uint32_t slot = free_.back();
        free_.pop_back();
        return slot;
    }
    void give_back(std::uint32_t slot, Step sent) { resting_.push_back({sent + 2, slot}); }
    [[nodiscard]] std::uint32_t count() const { return count_; }

private:
    struct Resting {
        Step free_from;
        std::uint32_t slot;
    };
    std::deque<Resting> resting_;
    std::vector<std::uint32_t> free_;
    std::uint32_t count_ = 0;
};

// The place of a packet among the blocks of a node.
struct BlockPlace {
    NodeId block;
    std::uint32_t copy;

    friend bool operator==(const BlockPlace&, const BlockPlace&) = default;
};
struct BlockPlaceHash {
    std::size_t operator()(const BlockPlace& place) const { return NameHash()({0, place.block, place.copy}); }
};

// Compiles one node's list. `self` is the node's label in the schedule: 0 in a translated one.
//
// In place, input and output are the same blocks, and sums are added to them. A block that is sent in step t is read in
// step t + 1, so that the packet that takes its place must not arrive before step t + 2. Own packets of a total
// exchange for which that is not so are copied beforehand: on shortest paths just those to neighbours, whose replies
// have one hop too.
class Compiler {
public:
    Compiler(const Problem& problem, const Layout& layout, NodeId self, std::vector<Event> events)
        : collective_(problem.collective), in_place_(problem.in_place), self_(self), events_(std::move(events)),
          uneven_(problem.counts.empty() ? nullptr : &layout), bytes_(problem.bytes)
    {
        std::sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) {
            return std::tuple(a.step, a.is_send, a.port) < std::tuple(b.step, b.is_send, b.port);
        });
        for (const Event& event : events_)
            sends_left_[event.packet] += event.is_send;
        if (in_place_ && collective_ == Collective::all_to_all)
            find_copied();
    }

    // Appends to the script; returns the number of slots.
    std::size_t compile(std::vector<Script::Stage>& stages, std::vector<Action>& actions)
    {
        Step step = 0;
        for (const Event& event : events_) {
            if (event.step != std::exchange(step, event.step))
                stages.push_back({event.step, static_cast<std::uint32_t>(actions.size())});
            actions.push_back(event.is_send ? send(event) : receive(event));
        }
        return slots_.count();
    }
    [[nodiscard]] std::size_t most_held() const { return most_held_; }
    [[nodiscard]] std::vector<Plan::Copied> take_copied() { return std::move(copied_); }
    [[nodiscard]] bool safe() const { return safe_; }

private:
    void find_copied()
    {
        std::unordered_map<BlockPlace, Step, BlockPlaceHash> overwritten;
        for (const Event& event : events_)
            if (!event.is_send && event.packet.target == self_)
                overwritten[{event.packet.origin, event.packet.copy}] = event.step;
        for (const Event& event : events_) {
            if (!event.is_send || event.packet.origin != self_)
                continue;
            const auto found = overwritten.find({event.packet.target, event.packet.copy});
            if (found == overwritten.end() || found->second >= event.step + 2)
                continue;
            if (copied_to_.try_emplace(event.packet, static_cast<std::uint32_t>(copied_.size())).second)
                copied_.push_back(located(Place::input_block, {event.packet.target, event.packet.copy}));
        }
    }

    // Where a packet of a block is found: uneven blocks have no numbers there, and packets are counted from the first
    // block's first.
    [[nodiscard]] Plan::Copied located(Place place, Plan::Copied packet) const
    {
        if (uneven_ == nullptr || (place != Place::input_block && place != Place::output_block))
            return packet;
        const bool of_input = place == Place::input_block || is_reduction(collective_);  // sums in place
        const Layout::Part message =
            of_input ? uneven_->from_input(self_, packet.block) : uneven_->into_output(self_, packet.block);
        return {0, static_cast<std::uint32_t>(message.offset / bytes_) + packet.copy};
    }

    [[nodiscard]] Action action(const Event& event, Action::Kind kind, Place place, NodeId block = 0,
                                std::optional<std::uint32_t> index = {}) const
    {
        const Plan::Copied at = located(place, {block, index.value_or(event.packet.copy)});
        const bool begins = kind == Action::Kind::begin_sum;
        const Plan::Copied own = begins ? located(Place::input_block, {block, event.packet.copy}) : Plan::Copied{};
        Action made{.block = begins ? own.block : at.block,
                    .index = at.copy,
                    .own = begins ? own.copy : event.packet.copy,
                    .port = static_cast<std::uint16_t>(event.port),
                    .kind = kind,
                    .place = Place::input,
                    .from_input = event.from_input};
        made.place = place;
        return made;
    }

    Action send(const Event& event)
    {
        const PacketName& packet = event.packet;
        const bool last = --sends_left_[packet] == 0;
        if (const auto held = held_.find(packet); held != held_.end()) {
            const std::uint32_t slot = held->second;
            if (last) {
                slots_.give_back(slot, event.step);
                held_.erase(held);
            }
            return action(event, Action::Kind::send, Place::slot, 0, slot);
        }
        if (const auto copied = copied_to_.find(packet); copied != copied_to_.end())
            return action(event, Action::Kind::send, Place::input, 0, copied->second);
        const auto [place, block] = source(event);
        if (in_place_ && place != Place::input)
            lent_[{block, packet.copy}] = event.step;
        return action(event, Action::Kind::send, place, block);
    }

    // The place from which a packet that is not in a slot is sent.
    [[nodiscard]] std::pair<Place, NodeId> source(const Event& event) const
    {
        const PacketName& packet = event.packet;
        if (event.arrival == Arrival::added)
            return {in_place_ || begun_.contains(packet) ? Place::output_block : Place::input_block, packet.target};
        if (traits(collective_).before.share == Share::message_per_node)
            return {Place::input_block, packet.target};
        if (packet.origin == self_ && collective_ != Collective::all_reduce)
            return {Place::input, 0};
        return {Place::output_block, packet.origin};
    }

    Action receive(const Event& event)
    {
        return event.arrival == Arrival::added ? receive_sum(event) : receive_whole(event);
    }

    Action receive_whole(const Event& event)
    {
        const PacketName& packet = event.packet;
        const bool for_all = traits(collective_).target == Who::nobody;
        if (for_all || (packet.target == self_ && traits(collective_).after.share == Share::message_per_node))
            return into_block(event, Action::Kind::keep, packet.origin);
        if (packet.target == self_)
            return action(event, Action::Kind::keep, Place::output);
        return action(event, Action::Kind::keep, Place::slot, 0, hold(event));
    }

    Action into_block(const Event& event, Action::Kind kind, NodeId block)
    {
        const auto lent = lent_.find({block, event.packet.copy});
        safe_ = safe_ && (lent == lent_.end() || lent->second + 1 != event.step);
        return action(event, kind, Place::output_block, block);
    }

    Action receive_sum(const Event& event)
    {
        const PacketName& packet = event.packet;
        if (in_place_)
            return into_block(event, Action::Kind::add, packet.target);
        const bool first = begun_.insert(packet).second;
        const Action::Kind kind = first ? Action::Kind::begin_sum : Action::Kind::add;
        if (collective_ == Collective::all_reduce)
            return action(event, kind, Place::output_block, packet.target);
        if (packet.target == self_)
            return action(event, kind, Place::output, packet.target);
        return action(event, kind, Place::slot, packet.target, first ? hold(event) : held_[packet]);
    }

    std::uint32_t hold(const Event& event)
    {
        const std::uint32_t slot = held_[event.packet] = slots_.take(event.step);
        most_held_ = std::max(most_held_, held_.size());
        return slot;
    }

    Collective collective_;
    bool in_place_;
    NodeId self_;
    std::vector<Event> events_;
    std::unordered_map<PacketName, std::size_t, NameHash> sends_left_;
    std::unordered_map<PacketName, std::uint32_t, NameHash> held_;  // in slots
    std::unordered_set<PacketName, NameHash> begun_;                // sums that something was added to
    std::unordered_map<PacketName, std::uint32_t, NameHash> copied_to_;
    std::vector<Plan::Copied> copied_;
    std::unordered_map<BlockPlace, Step, BlockPlaceHash> lent_;  // in place: blocks, when last
    std::size_t most_held_ = 0;
    bool safe_ = true;
    Slots slots_;
    const Layout* uneven_;  // null if all blocks have the same length
    std::size_t bytes_;     // of a packet
};

// A partial sum is one and the same block wherever it comes from.
PacketName name_of(const Hop& hop)
{
    return hop.arrival == Arrival::added ? PacketName{0, hop.packet.target, hop.packet.copy} : hop.packet;
}

// Whether the port changes that digit.
bool is_of_digit(const Topology& topology, Port port, unsigned digit)
{
    const Port first = topology.first_port(0, digit);
    return port >= first && port - first < topology.factor(digit).ports(0);
}

// The events at a node of each kind, in names as seen from it: its own hops, and those of the neighbours that send to
// it.
std::vector<std::vector<Event>> translated_events(const Topology& topology, const Schedule& schedule)
{
    std::vector<std::vector<Event>> events(std::size_t{1} << schedule.alternating.size());
    std::vector<NodeId> turned(topology.ports(0));  // bits of the kind that a port changes
    for (Port port = 0; port < turned.size(); ++port)
        for (std::size_t i = 0; i < schedule.alternating.size(); ++i)
            turned[port] |= is_of_digit(topology, port, schedule.alternating[i]) ? NodeId{1} << i : 0;
    for (const Hop& hop : schedule.hops) {
        const PacketName sent = name_of(hop);
        PacketName received = name_at_receiver(topology, hop);
        if (hop.arrival == Arrival::added)
            received.origin = 0;
        const bool first = hop.packet.origin == 0;
        events[hop.from].push_back({hop.step, true, hop.port, sent, hop.arrival, first});
        events[hop.from ^ turned[hop.port]].push_back(
            {hop.step + 1, false, topology.arrival_port(0, hop.port), received, hop.arrival, first});
    }
    return events;
}

std::vector<std::vector<Event>> events_of_all(const Topology& topology, const Schedule& schedule)
{
    std::vector<std::vector<Event>> events(topology.nodes());
    for (const Hop& hop : schedule.hops) {
        const PacketName name = name_of(hop);
        const bool first = hop.packet.origin == hop.from;
        events[hop.from].push_back({hop.step, true, hop.port, name, hop.arrival, first});
        events[topology.neighbour(hop.from, hop.port)].push_back(
            {hop.step + 1, false, topology.arrival_port(hop.from, hop.port), name, hop.arrival, first});
    }
    return events;
}

}  // namespace

Plan::Plan(const Topology& topology, const Problem& problem, const Schedule& schedule, std::uint32_t rounds)
    : topology_(topology), problem_(problem), layout_(problem, topology), symmetry_(schedule.symmetry),
      alternating_(schedule.alternating), steps_(schedule.steps), rounds_(rounds)
{
    const bool translated = symmetry_ == Symmetry::translated;
    std::vector<std::vector<Event>> events =
        translated ? translated_events(topology, schedule) : events_of_all(topology, schedule);
    actions_.reserve(schedule.hops.size() * 2);
    for (std::size_t list = 0; list < events.size(); ++list) {
        first_stage_.push_back(stages_.size());
        const NodeId self = translated ? 0 : static_cast<NodeId>(list);
        Compiler compiler(problem, layout_, self, std::move(events[list]));
        slots_.push_back(compiler.compile(stages_, actions_));
        in_transit_ = std::max(in_transit_, compiler.most_held());
        safe_ = safe_ && compiler.safe();
        copied_.push_back(compiler.take_copied());
    }
    first_stage_.push_back(stages_.size());
    stages_.push_back({0, static_cast<std::uint32_t>(actions_.size())});  // the end
}

NodeId Plan::origin(NodeId node) const
{
    switch (symmetry_) {
    case Symmetry::translated: return node;
    case Symmetry::rooted: return problem_.root;
    case Symmetry::none: break;
    }
    return 0;
}

std::size_t Plan::list_of(NodeId node) const
{
    switch (symmetry_) {
    case Symmetry::translated: return kind_of(topology_, alternating_, node);
    case Symmetry::rooted: return topology_.untranslate(node, problem_.root);
    case Symmetry::none: break;
    }
    return node;
}

Script Plan::script(NodeId node) const
{
    const std::size_t list = list_of(node);
    const std::span<const Script::Stage> stages(&stages_[first_stage_[list]],
                                                first_stage_[list + 1] - first_stage_[list]);
    const std::size_t first = stages_[first_stage_[list]].first;
    return {stages, std::span(actions_).subspan(first, stages_[first_stage_[list + 1]].first - first)};
}

std::size_t Plan::slots(NodeId node) const
{
    return slots_[list_of(node)];
}

std::span<const Plan::Copied> Plan::copied(NodeId node) const
{
    return copied_[list_of(node)];
}

std::string too_many_hops(double hops, double most)
{
    return hops <= most
               ? ""
               : fmt::format("it would have to plan at least {:.0f} hops: at most {:.0f} are allowed", hops, most);
}

std::string too_much_planning(std::uint64_t work, double most)
{
    const auto operations = static_cast<double>(work);
    return operations <= most ? ""
                              : fmt::format("planning would take about {:.1e} operations: at most {:.0e} are allowed",
                                            operations, most);
}

}  // namespace dcube::detail

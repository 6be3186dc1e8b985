#include "algorithms/programs/piece_plan.hpp"

#include "algorithms/programs/piece_buffers.hpp"
#include "algorithms/programs/stretches.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace dcube::detail {

namespace {

using Action = PieceAction;
using Area = PieceAction::Area;

// A packet as one of its two ends sees it.
struct Event {
    Step step;  // of the clock: a packet is received in the step after it was sent
    bool is_send;
    Port port;
    std::size_t packet;
};

// Plans one node.
class Planner {
public:
    Planner(const Flow& flow, const MessagePlaces& messages, bool sums, NodeId self)
        : flow_(flow), messages_(messages), sums_(sums), self_(self), own_(messages.own(self))
    {
    }

    NodePlan operator()(const std::vector<Event>& events)
    {
        keep_own();
        for (const Event& event : events) {
            if (plan_.stages.empty() || plan_.stages.back().step != event.step)
                plan_.stages.push_back({event.step, {}});
            for (const Flow::Part& part : flow_.parts_of(event.packet))
                event.is_send ? send(event, part) : receive(event, part);
        }
        bring_home();
        plan_.storage = lay_out(buffers_);
        settle();
        return std::move(plan_);
    }

private:
    static constexpr std::size_t in_input = std::numeric_limits<std::size_t>::max();
    static constexpr std::size_t in_output = in_input - 1;
    static constexpr Step for_good = std::numeric_limits<Step>::max();

    // Where a stretch lies, and since when it is usable.
    struct Held {
        std::size_t buffer = in_input;  // or in_output
        std::uint64_t message0 = 0;     // where byte 0 of the message would lie there; modulo 2^64
        std::uint32_t since = 0;
    };
    struct Unsettled {  // the places of an action
        Held place;
        Held base;
        std::uint64_t begin;  // of the message's bytes
    };

    [[nodiscard]] std::optional<Held> own(std::uint64_t message) const
    {
        const auto found = std::ranges::lower_bound(own_, message, {}, &Own::message);
        if (found == own_.end() || found->message != message)
            return std::nullopt;
        return Held{in_input, found->offset, 0};
    }

    [[nodiscard]] std::optional<Held> home(std::uint64_t message) const
    {
        const std::optional<std::size_t> offset = messages_.wanted(self_, message);
        return offset ? std::optional(Held{in_output, *offset, 0}) : std::nullopt;
    }

    Held new_buffer(std::uint64_t message, std::uint64_t begin, std::uint64_t end, Step step)
    {
        buffers_.push_back({message, begin, end, step, step + 1});
        return {buffers_.size() - 1, 0 - begin, plan_.times++};
    }

    void use(const Held& held, Step free_from)
    {
        if (held.buffer < in_output) {
            Step& step = buffers_[held.buffer].free_from;
            step = std::max(step, free_from);
        }
    }

    void act(Action::Kind kind, Port port, std::uint64_t begin, std::uint64_t end, const Held& place, const Held& base)
    {
        unsettled_.push_back({place, base, begin});
        Action action{};
        action.length = end - begin;
        action.since = place.since;
        action.base_since = base.since;
        action.port = static_cast<std::uint16_t>(port);
        action.kind = kind;
        plan_.stages.back().actions.push_back(action);
    }

    // What is wanted where it comes from is copied there in the beginning; sums begin elsewhere.
    void keep_own()
    {
        for (const Own& own : own_)
            if (const auto wanted = home(own.message); wanted && own.length != 0) {
                if (plan_.stages.empty())
                    plan_.stages.push_back({1, {}});
                act(Action::Kind::copy, 0, 0, own.length, *wanted, Held{in_input, own.offset, 0});
            }
    }

    // What is sent may be read until the end of the next step.
    void send(const Event& event, const Flow::Part& part)
    {
        const std::optional<Held> mine = own(part.message);
        for (const auto& [begin, end, value] : held_[part.message].parts(part.begin, part.end)) {
            if (value == nullptr && !mine)
                throw InvalidArgument(fmt::format(
                    "packet {} of the schedule (step {}): node {} does not hold bytes {} to {} of its message yet",
                    event.packet, event.step, self_, begin, end - 1));
            const Held& held = value != nullptr ? *value : *mine;
            use(held, event.step + 2);
            act(Action::Kind::send, event.port, begin, end, held, held);
        }
    }

    void receive(const Event& event, const Flow::Part& part)
    {
        if (part.arrival == Arrival::added)
            return add(event, part);
        if (sums_)  // a complete sum takes the place of what is there
            return store(event, part.message, part.begin, part.end);
        const std::optional<Held> mine = own(part.message);
        Stretches<Held>& stretches = held_[part.message];
        for (const auto& [begin, end, value] : stretches.parts(part.begin, part.end)) {
            if (value == nullptr && !mine)
                store(event, part.message, begin, end);
            else
                act(Action::Kind::again, event.port, begin, end, value != nullptr ? *value : *mine, {});
        }
    }

    void store(const Event& event, std::uint64_t message, std::uint64_t begin, std::uint64_t end)
    {
        Held place{};
        if (const auto wanted = home(message)) {
            place = *wanted;
            place.since = plan_.times++;
        } else {
            place = new_buffer(message, begin, end, event.step);
        }
        act(Action::Kind::keep, event.port, begin, end, place, {});
        held_[message].set(begin, end, place);
    }

    // The old sum may still be read by who was sent it, so the new one has a place of its own.
    void add(const Event& event, const Flow::Part& part)
    {
        const std::optional<Held> mine = own(part.message);
        Stretches<Held>& stretches = held_[part.message];
        for (const auto& [begin, end, value] : stretches.parts(part.begin, part.end)) {
            if (value == nullptr && !mine)
                throw InvalidArgument(fmt::format("packet {} of the schedule (step {}): node {} has no share of that "
                                                  "sum",
                                                  event.packet, event.step - 1, self_));
            const Held base = value != nullptr ? *value : *mine;
            use(base, event.step + 1);
            const Held place = new_buffer(part.message, begin, end, event.step);
            act(Action::Kind::add, event.port, begin, end, place, base);
            stretches.set(begin, end, place);
        }
    }

    // Sums that are wanted here: a buffer of which all is wanted lies in the output from the start; of others, what is
    // wanted is copied in the last step.
    void bring_home()
    {
        for_wanted([&](const Held& held, const auto& part, const Held&) {
            buffers_[held.buffer].final_bytes += part.end - part.begin;
        });
        for_wanted([&](const Held& held, const auto& part, const Held& wanted) {
            PieceBuffer& buffer = buffers_[held.buffer];
            buffer.at_home = buffer.final_bytes == buffer.end - buffer.begin;
            if (buffer.at_home)
                return;
            buffer.free_from = for_good;
            act(Action::Kind::copy, 0, part.begin, part.end, wanted, held);
        });
    }

    // Calls `work` for what lies in a buffer in the end and is wanted in the output.
    template <class Work>
    void for_wanted(const Work& work)
    {
        for (const auto& [message, stretches] : held_)
            if (const auto wanted = home(message))
                for (const auto& part : stretches.parts(0, messages_.length(message)))
                    if (part.value != nullptr && part.value->buffer < in_output)
                        work(*part.value, part, *wanted);
    }

    [[nodiscard]] std::pair<Area, std::uint64_t> settled(const Held& held, std::uint64_t begin) const
    {
        if (held.buffer == in_input)
            return {Area::input, held.message0 + begin};
        if (held.buffer == in_output)
            return {Area::output, held.message0 + begin};
        const PieceBuffer& buffer = buffers_[held.buffer];
        if (buffer.at_home)
            return {Area::output, home(buffer.message)->message0 + begin};
        return {Area::storage, buffer.offset + held.message0 + begin};
    }

    void settle()
    {
        auto next = unsettled_.begin();
        for (PieceStage& stage : plan_.stages)
            for (Action& action : stage.actions) {
                std::tie(action.place_area, action.place) = settled(next->place, next->begin);
                std::tie(action.base_area, action.base) = settled(next->base, next->begin);
                ++next;
            }
    }

    const Flow& flow_;
    const MessagePlaces& messages_;
    bool sums_;  // or bytes that move
    NodeId self_;
    std::vector<Own> own_;                           // by message
    std::map<std::uint64_t, Stretches<Held>> held_;  // what came, by message
    std::vector<PieceBuffer> buffers_;
    std::vector<Unsettled> unsettled_;
    NodePlan plan_;
};

std::vector<std::vector<Event>> events_of(const Flow& flow, NodeId nodes)
{
    std::vector<std::vector<Event>> events(nodes);
    for (std::size_t i = 0; i < flow.packets.size(); ++i) {
        const Flow::Packet& packet = flow.packets[i];
        events[packet.from].push_back({packet.step, true, packet.port, i});
        events[packet.to].push_back({packet.step + 1, false, packet.arrival_port, i});
    }
    for (std::vector<Event>& of_node : events)
        std::ranges::stable_sort(of_node, {}, [](const Event& e) { return std::tuple(e.step, e.is_send, e.port); });
    return events;
}

}  // namespace

std::vector<NodePlan> piece_plans(const Flow& flow, const Topology& topology, const MessagePlaces& messages, bool sums)
{
    std::vector<NodePlan> plans;
    std::vector<std::vector<Event>> events = events_of(flow, topology.nodes());
    for (NodeId node = 0; node < topology.nodes(); ++node)
        plans.push_back(Planner(flow, messages, sums, node)(std::exchange(events[node], {})));
    return plans;
}

}  // namespace dcube::detail

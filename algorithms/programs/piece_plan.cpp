#include "algorithms/programs/piece_plan.hpp"

#include "algorithms/programs/piece_planner.hpp"
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
using Event = PieceEvent;

// Plans one node.
class Planner : PiecePlanner {
public:
    Planner(const Flow& flow, const MessagePlaces& messages, bool sums, NodeId self)
        : PiecePlanner(flow, messages, self), sums_(sums)
    {
    }

    NodePlan operator()(const std::vector<Event>& events)
    {
        keep_own();
        for (const Event& event : events) {
            begin_stage(event.step);
            for (const Flow::Part& part : parts_of(event))
                event.is_send ? send(event, part) : receive(event, part);
        }
        bring_home();
        return settled_plan();
    }

private:
    static constexpr Step for_good = std::numeric_limits<Step>::max();

    // What is wanted where it comes from is copied there in the beginning; sums begin elsewhere.
    void keep_own()
    {
        for (const Own& own : owned())
            if (const auto wanted = home(own.message); wanted && own.length != 0) {
                begin_stage(1);
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
                    event.packet, event.step, self(), begin, end - 1));
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
            place.since = new_time();
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
                                                  event.packet, event.step - 1, self()));
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
            buffer_of(held).final_bytes += part.end - part.begin;
        });
        for_wanted([&](const Held& held, const auto& part, const Held& wanted) {
            PieceBuffer& buffer = buffer_of(held);
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
                for (const auto& part : stretches.parts(0, messages().length(message)))
                    if (part.value != nullptr && part.value->buffer < in_output)
                        work(*part.value, part, *wanted);
    }

    bool sums_;                                      // or bytes that move
    std::map<std::uint64_t, Stretches<Held>> held_;  // what came, by message
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
    const Contributors all = Contributors::all(topology);
    std::vector<std::vector<Event>> events = events_of(flow, topology.nodes());
    for (NodeId node = 0; node < topology.nodes(); ++node)
        plans.push_back(flow.apart ? plan_of_sums(flow, messages, node, all, events[node])
                                   : Planner(flow, messages, sums, node)(std::exchange(events[node], {})));
    return plans;
}

}  // namespace dcube::detail

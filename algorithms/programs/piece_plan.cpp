#include "algorithms/programs/piece_plan.hpp"

#include "algorithms/programs/piece_planner.hpp"
#include "algorithms/programs/stretches.hpp"
#include "collectives/terms.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace dcube::detail {

namespace {

// Names packets, and refuses those that cannot be.
class Naming {
public:
    Naming(const PieceSchedule& schedule, const Topology& topology, const Problem& problem,
           const MessagePlaces& messages)
        : schedule_(schedule), topology_(topology), problem_(problem), of_(traits(problem.collective)),
          messages_(messages)
    {
    }

    Flow operator()()
    {
        Flow flow;
        flow.packets.reserve(schedule_.hops().size());
        flow.parts.reserve(schedule_.all_pieces());
        for (at_ = 0; at_ < schedule_.hops().size(); ++at_) {
            const auto& [step, from, port, first] = schedule_.hops()[at_];
            if (from >= topology_.nodes() || port >= topology_.ports(from))
                refuse(fmt::format("{} has no port {} at node {}", topology_.name(), port, from));
            flow.packets.push_back({step, from, topology_.neighbour(from, port), port,
                                    topology_.arrival_port(from, port), flow.parts.size()});
            for (const Piece& piece : schedule_.pieces(at_))
                flow.parts.push_back(part(piece));
        }
        return flow;
    }

private:
    [[noreturn]] void refuse(const std::string& what) const
    {
        throw InvalidArgument(
            fmt::format("packet {} of the schedule (step {}): {}", at_, schedule_.hops()[at_].step, what));
    }

    [[nodiscard]] bool is_node(std::optional<NodeId> node) const { return node && *node < topology_.nodes(); }

    [[nodiscard]] Flow::Part part(const Piece& piece) const
    {
        if ((of_.origin == Who::all && !is_node(piece.origin)) || (of_.target == Who::all && !is_node(piece.target)))
            refuse(fmt::format("a piece has no such origin or target: nodes are 0 to {}", topology_.nodes() - 1));
        const std::uint64_t message =
            message_number(problem_, topology_, piece.origin.value_or(0), piece.target.value_or(0));
        const std::uint64_t length = messages_.length(message);
        if (piece.length == 0 || piece.offset >= length || piece.length > length - piece.offset)
            refuse(fmt::format("a piece of {} bytes at offset {} is not in a message of {} bytes", piece.length,
                               piece.offset, length));
        return {message, piece.offset, piece.offset + piece.length, Arrival::kept, piece.sum_of};
    }

    const PieceSchedule& schedule_;
    const Topology& topology_;
    const Problem& problem_;
    const CollectiveTraits& of_;
    const MessagePlaces& messages_;
    std::size_t at_ = 0;  // the packet that is named
};

// Counts the shares in every sum, provided that its sender sends all that it holds. If the sum's contributors are given
// and are not as many, sums have to be kept apart (Flow::apart).
class Number {
public:
    using Value = NodeId;

    explicit Number(const Topology& topology) : nodes_(topology.members()) {}

    [[nodiscard]] static Value own(NodeId) { return 1; }
    [[nodiscard]] bool is_complete(Value shares) const { return shares >= nodes_; }
    [[nodiscard]] static Value both(Value held, Value arrived) { return held + arrived; }
    [[nodiscard]] static Value sent(const Flow::Part&, Value held) { return held; }

    // A complete sum is kept where it arrives, others are added.
    void pass(const Flow::Part& part, std::uint64_t begin, std::uint64_t end, Value shares, Flow& flow) const
    {
        flow.parts.push_back(
            {part.message, begin, end, is_complete(shares) ? Arrival::kept : Arrival::added, part.sum_of});
        flow.apart = flow.apart || (part.sum_of && part.sum_of->size() != shares);
    }

private:
    NodeId nodes_;
};

// The contributors to a sum: those given, or else all whose shares its sender holds.
class Members {
public:
    using Value = std::shared_ptr<const Contributors>;

    explicit Members(const Topology& topology) : all_(Contributors::all(topology)) {}

    [[nodiscard]] static Value own(NodeId node) { return std::make_shared<const Contributors>(node); }
    [[nodiscard]] bool is_complete(const Value& members) const { return *members == all_; }
    [[nodiscard]] static Value both(const Value& held, const Value& arrived)
    {
        auto united = std::make_shared<Contributors>(*held);
        united->unite(*arrived);
        return united;
    }
    [[nodiscard]] static Value sent(const Flow::Part& part, const Value& held)
    {
        return part.sum_of ? part.sum_of : held;
    }

    static void pass(const Flow::Part& part, std::uint64_t begin, std::uint64_t end, const Value& members, Flow& flow)
    {
        flow.parts.push_back({part.message, begin, end, Arrival::kept, members});
        flow.apart = true;
    }

private:
    Contributors all_;
};

// Tracks what every sum is made of, at every node that sends all that it holds.
template <class Shares>
class Following {
public:
    using Value = typename Shares::Value;

    explicit Following(const Topology& topology) : shares_(topology) {}

    // Cuts parts where what is sent differs.
    Flow follow(const Flow& flow)
    {
        Flow followed;
        Step step = 0;
        for (std::size_t i = 0; i < flow.packets.size(); ++i) {
            if (flow.packets[i].step != std::exchange(step, flow.packets[i].step))
                arrive();
            followed.packets.push_back(flow.packets[i]);
            followed.packets.back().first_part = followed.parts.size();
            for (const Flow::Part& part : flow.parts_of(i))
                carry(flow.packets[i], part, followed);
        }
        return followed;
    }

private:
    struct Place {
        NodeId node;
        std::uint64_t message;

        friend bool operator==(const Place&, const Place&) = default;
    };
    struct PlaceHash {
        std::size_t operator()(const Place& place) const
        {
            return static_cast<std::size_t>((place.message + 1) * 0x9e3779b97f4a7c15U ^
                                            place.node * std::size_t{0x85ebca6bU});
        }
    };
    struct Arrived {
        Place at;
        std::uint64_t begin;
        std::uint64_t end;
        Value shares;
    };

    // A node that has received nothing yet has its own share.
    void carry(const Flow::Packet& packet, const Flow::Part& part, Flow& flow)
    {
        for (const auto& [begin, end, value] : held_[{packet.from, part.message}].parts(part.begin, part.end)) {
            const Value shares = Shares::sent(part, value != nullptr ? *value : Shares::own(packet.from));
            shares_.pass(part, begin, end, shares, flow);
            arrived_.push_back({{packet.to, part.message}, begin, end, shares});
        }
    }

    // To be called at the end of a step.
    void arrive()
    {
        for (const auto& [at, begin, end, shares] : arrived_) {
            Stretches<Value>& held = held_[at];
            for (const auto& part : held.parts(begin, end)) {
                const Value before = part.value != nullptr ? *part.value : Shares::own(at.node);
                held.set(part.begin, part.end, shares_.is_complete(shares) ? shares : Shares::both(before, shares));
            }
        }
        arrived_.clear();
    }

    Shares shares_;
    std::unordered_map<Place, Stretches<Value>, PlaceHash> held_;
    std::vector<Arrived> arrived_;  // in this step
};

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
    // Bytes that are wanted at the node that they come from are copied there at the beginning; sums begin elsewhere.
    void keep_own()
    {
        for (const Own& own : owned())
            if (const auto wanted = home(own.message); wanted && own.length != 0) {
                begin_stage(1);
                act(Action::Kind::copy, 0, 0, own.length, *wanted, Held{in_input, own.offset, 0});
            }
    }

    // Bytes that are sent may be read until the end of the next step.
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

    // The old sum may still be read by a node that it was sent to, so the new one has a place of its own.
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
    std::map<std::uint64_t, Stretches<Held>> held_;  // received bytes, by message
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

Flow flow_of(const PieceSchedule& schedule, const Topology& topology, const Problem& problem,
             const MessagePlaces& messages)
{
    Flow flow = Naming(schedule, topology, problem, messages)();
    if (!is_reduction(problem.collective))
        return flow;
    if (is_scan(problem.collective)) {  // whose nodes need sums of some members only
        Flow apart = Following<Members>(topology).follow(flow);
        apart.apart = true;
        return apart;
    }
    Flow added_up = Following<Number>(topology).follow(flow);
    return added_up.apart ? Following<Members>(topology).follow(flow) : added_up;
}

std::vector<NodePlan> piece_plans(const Flow& flow, const Topology& topology, const Problem& problem,
                                  const MessagePlaces& messages)
{
    std::vector<NodePlan> plans;
    const bool sums = is_reduction(problem.collective);
    std::vector<std::vector<Event>> events = events_of(flow, topology.nodes());
    for (NodeId node = 0; node < topology.nodes(); ++node)
        plans.push_back(
            flow.apart ? plan_of_sums(flow, messages, node, terms_of(problem.collective, topology, node), events[node])
                       : Planner(flow, messages, sums, node)(std::exchange(events[node], {})));
    return plans;
}

}  // namespace dcube::detail

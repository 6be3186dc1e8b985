#include "algorithms/programs/piece_flow.hpp"

#include "algorithms/programs/stretches.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <string>
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
          targets_(of_.target == Who::all ? topology.nodes() : 1), messages_(messages)
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
        const NodeId from = piece.origin.value_or(0);
        const std::uint64_t origin = of_.origin == Who::all                             ? from
                                     : of_.origin == Who::ends && from == problem_.peer ? 1
                                                                                        : 0;
        const std::uint64_t target = of_.target == Who::all ? *piece.target : 0;
        const std::uint64_t message = origin * targets_ + target;
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
    std::uint64_t targets_;
    const MessagePlaces& messages_;
    std::size_t at_ = 0;  // the packet that is named
};

// Of how many shares a sum is made. Who is in one that is told must be as many, if its sender sends all that it holds.
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

// Who is in a sum: what is told, or else all that its sender holds.
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

// Follows of what every sum is made, at every node that sends all that it holds.
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
            return (place.message + 1) * 0x9e3779b97f4a7c15U ^ place.node * std::size_t{0x85ebca6bU};
        }
    };
    struct Arrived {
        Place at;
        std::uint64_t begin;
        std::uint64_t end;
        Value shares;
    };

    // Who has heard of nothing has a share of its own.
    void carry(const Flow::Packet& packet, const Flow::Part& part, Flow& flow)
    {
        for (const auto& [begin, end, value] : held_[{packet.from, part.message}].parts(part.begin, part.end)) {
            const Value shares = Shares::sent(part, value != nullptr ? *value : Shares::own(packet.from));
            shares_.pass(part, begin, end, shares, flow);
            arrived_.push_back({{packet.to, part.message}, begin, end, shares});
        }
    }

    // At the end of a step.
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

}  // namespace

Flow flow_of(const PieceSchedule& schedule, const Topology& topology, const Problem& problem,
             const MessagePlaces& messages)
{
    Flow flow = Naming(schedule, topology, problem, messages)();
    if (!is_reduction(problem.collective))
        return flow;
    Flow added_up = Following<Number>(topology).follow(flow);
    return added_up.apart ? Following<Members>(topology).follow(flow) : added_up;
}

}  // namespace dcube::detail

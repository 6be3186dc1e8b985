// The walk through a schedule. Programs keep the time of every packet where it lies (programs/plan_program.cpp), so a
// packet that comes again is as usable as it came last, and a sum as the last of its terms.

#include "algorithms/programs/walked_time.hpp"

#include "base/planning.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace dcube::detail {

namespace {

class ScheduleWalk {
public:
    ScheduleWalk(const Schedule& schedule, std::uint32_t rounds, const Topology& topology, const Problem& problem)
        : schedule_(schedule), rounds_(rounds), topology_(topology), collective_(problem.collective),
          blocks_(problem.packets), translated_(schedule.symmetry == Symmetry::translated),
          alike_(translated_ && has_all_blocks(topology, problem)), nodes_(topology.nodes()),
          ports_(topology.max_ports()), order_(schedule.hops.size()),
          links_(packet_clock(problem.link), std::size_t{alike_ ? kinds() : nodes_} * ports_, alike_ ? kinds() : nodes_)
    {
        std::iota(order_.begin(), order_.end(), std::uint32_t{0});
        std::ranges::stable_sort(order_, {}, [&](std::uint32_t hop) { return schedule_.hops[hop].step; });
    }

    std::optional<std::uint64_t> operator()()
    {
        const std::uint64_t moves = schedule_.hops.size() * (translated_ && !alike_ ? nodes_ / kinds() : 1);
        if (moves > most_walked)
            return std::nullopt;
        std::uint64_t walked = 0;
        for (std::uint32_t round = 0; round < rounds_; ++round, walked += moves) {
            if (walked > most_walked)
                return std::nullopt;
            planning("virtual time", static_cast<double>(round) / rounds_);
            const std::vector<Time> before = links_.free_from();
            walk(round);
            if (const Time longer = same_again(before); longer != 0)
                return links_.finish() + longer * (rounds_ - 1 - round);
        }
        return links_.finish();
    }

private:
    // A hop, as its two ends see it.
    struct Move {
        NodeId from;
        NodeId to;
        PacketName sent;
        PacketName received;
    };
    struct Arrived {
        PacketAt packet;
        Arrival arrival;
        Time time;
    };

    // Otherwise nodes of one kind need not send the same: blocks that an all-reduce lacks are not sent.
    static bool has_all_blocks(const Topology& topology, const Problem& problem)
    {
        return problem.collective != Collective::all_reduce || problem.packets % topology.nodes() == 0;
    }

    [[nodiscard]] NodeId kinds() const { return NodeId{1} << schedule_.alternating.size(); }
    [[nodiscard]] NodeId kind(NodeId node) const { return kind_of(topology_, schedule_.alternating, node); }

    void walk(std::uint32_t round)
    {
        held_.clear();  // other copies
        std::vector<Arrived> arrived;
        for (std::size_t i = 0; i < order_.size();) {
            const Step step = schedule_.hops[order_[i]].step;
            arrived.clear();
            for (; i < order_.size() && schedule_.hops[order_[i]].step == step; ++i)
                send(schedule_.hops[order_[i]], round, arrived);
            links_.end_step();
            for (const Arrived& packet : arrived)
                receive(packet);
        }
    }

    void send(const Hop& hop, std::uint32_t round, std::vector<Arrived>& arrived)
    {
        if (!translated_)
            return send(hop, {hop.from, topology_.neighbour(hop.from, hop.port), hop.packet, hop.packet}, round,
                        arrived);
        if (alike_) {
            const NodeId sender = least_of_kind(topology_, schedule_.alternating, hop.from);
            const NodeId to = kind(topology_.neighbour(sender, hop.port));
            return send(hop, {hop.from, to, hop.packet, name_at_receiver(topology_, hop)}, round, arrived);
        }
        for (NodeId node = 0; node < nodes_; ++node)
            if (kind(node) == hop.from) {
                const PacketName name = translated(topology_, hop, node).packet;
                send(hop, {node, topology_.neighbour(node, hop.port), name, name}, round, arrived);
            }
    }

    void send(const Hop& hop, const Move& move, std::uint32_t round, std::vector<Arrived>& arrived)
    {
        if (!exists(hop, move, round))
            return;
        const bool own = hop.arrival == Arrival::kept && collective_ != Collective::all_reduce &&
                         move.sent.origin == (alike_ ? 0 : move.from);
        const auto held = own ? held_.end() : held_.find(at(move.from, move.sent, hop.arrival));
        const Time usable = held == held_.end() ? 0 : held->second;
        const Time end = links_.depart(std::size_t{move.from} * ports_ + hop.port, 1, usable, move.from, move.to);
        arrived.push_back({at(move.to, move.received, hop.arrival), hop.arrival, end});
    }

    void receive(const Arrived& packet)
    {
        Time& time = held_[packet.packet];
        time = packet.arrival == Arrival::added ? std::max(time, packet.time) : packet.time;
    }

    // Whether the vector of an all-reduce has that block.
    [[nodiscard]] bool exists(const Hop& hop, const Move& move, std::uint32_t round) const
    {
        if (collective_ != Collective::all_reduce || alike_)
            return true;
        const NodeId of = hop.arrival == Arrival::added ? move.sent.target : move.sent.origin;
        return (std::uint64_t{move.sent.copy} + round) * nodes_ + of < blocks_;
    }

    // Names are equal where packets lie in one place: a sum, and in an all-reduce the whole sum that comes for it.
    [[nodiscard]] PacketAt at(NodeId place, PacketName name, Arrival arrival) const
    {
        if (arrival == Arrival::added)
            name.origin = 0;
        else if (collective_ == Collective::all_reduce)
            name = {0, name.origin, name.copy};
        else if (traits(collective_).target == Who::nobody)
            name.target = 0;
        return {place, name};
    }

    // The time by which every round takes longer from now on, if that is settled: 0 if not. A round's times are maxima
    // of sums of the times from which its links are free, for packets that a node has at the start can leave whenever
    // their link is free. So once all have moved on by the same, they always do.
    [[nodiscard]] Time same_again(const std::vector<Time>& before) const
    {
        if (collective_ == Collective::all_reduce)
            return 0;
        if (links_.lockstep())  // every round has as many steps in which something is sent
            return links_.finish();
        Time longer = 0;
        for (std::size_t link = 0; link < before.size(); ++link) {
            const Time now = links_.free_from()[link];
            if (now == 0)
                continue;  // nothing is sent there
            if (before[link] == 0 || (longer != 0 && now - before[link] != longer))
                return 0;
            longer = now - before[link];
        }
        return longer;
    }

    const Schedule& schedule_;
    std::uint32_t rounds_;
    const Topology& topology_;
    Collective collective_;
    std::size_t blocks_;
    bool translated_;
    bool alike_;
    NodeId nodes_;
    Port ports_;
    std::vector<std::uint32_t> order_;  // the hops, by step
    WalkedLinks links_;
    std::unordered_map<PacketAt, Time, PacketAtHash> held_;  // since when what has come is usable
};

}  // namespace

std::optional<std::uint64_t> walked_packet_times(const Schedule& schedule, std::uint32_t rounds,
                                                 const Topology& topology, const Problem& problem)
{
    return ScheduleWalk(schedule, rounds, topology, problem)();
}

}  // namespace dcube::detail

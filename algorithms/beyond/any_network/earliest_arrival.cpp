// earliest-arrival: broadcast, all-gather and, backwards, reductions where nodes or links differ. In the network
// unrolled in time, the piece that can be somewhere new first goes there first (a greedy method as that of Won,
// Elavazhagan, Srinivasan, Gupta & Krishna, TACOS, MICRO 2024, whose links are direct):
//
//   of all pieces and nodes that lack them, the pair whose arrival is earliest, given the links' earlier packets, is
//   next: from a node that has the piece, over switches if need be; of several equally early, the piece that fewest
//   nodes have.
//
// So slow links carry what no fast path brings sooner, every link is used as soon as it has something to carry, and a
// message in many pieces flows along several trees at once. Then the order of the packets on each link is chosen anew,
// with the trees as they are: those first on which most is still to follow. The better order counts.
//
// No closed form. Messages are cut into 1, 2, 3, 4, 6, .. pieces as long as that helps.
// Planning: pieces times nodes, and for each a search among the links near the nodes that have the piece.

#include "algorithms/beyond/any_network/earliest_arrival.hpp"

#include "base/planning.hpp"

#include <dcube/random.hpp>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>

namespace dcube::detail {

namespace {

constexpr Time never = std::numeric_limits<Time>::max();
constexpr std::size_t most_transports = 20'000;  // of one plan
constexpr std::size_t most_pieces = 64;          // of a message
constexpr std::uint64_t most_tries = 4;

class SpreadingByArrival {
public:
    SpreadingByArrival(const TimedArcs& arcs, std::span<const Spreading> pieces, std::uint64_t seed)
        : arcs_(arcs), network_(arcs.arcs()), pieces_(pieces), free_from_(network_.size()),
          hosts_(arcs.topology().members()), since_(network_.nodes()), arc_to_(network_.nodes())
    {
        std::vector<std::uint32_t> ranks(pieces.size());
        std::iota(ranks.begin(), ranks.end(), 0U);
        if (seed > 0)
            Random(seed).shuffle(ranks);
        for (std::uint32_t piece = 0; piece < pieces.size(); ++piece) {
            at_.push_back({});
            at_.back().emplace(pieces[piece].root, Copy{});
            next_.push({0, 1, ranks[piece], piece});
        }
    }

    std::vector<Transport> operator()()
    {
        while (!next_.empty()) {
            planning("earliest arrival", 0);
            const Candidate top = next_.top();
            next_.pop();
            if (at_[top.piece].size() == hosts_)
                continue;
            const NodeId to = find(top.piece);
            Candidate now = top;
            now.arrival = since_[to];
            if (next_.empty() || !(now > next_.top())) {
                carry(top.piece, to);
                ++now.copies;
            }
            next_.push(now);
        }
        return std::move(transports_);
    }

private:
    // A node's copy of a piece: since when, and what brought it.
    struct Copy {
        Time since = 0;
        std::optional<std::uint32_t> brought{};
    };
    // A piece, and a time before which it comes to no other node.
    struct Candidate {
        Time arrival;
        std::uint32_t copies;
        std::uint32_t rank;
        std::uint32_t piece;
        friend bool operator>(const Candidate& a, const Candidate& b)
        {
            return std::tie(a.arrival, a.copies, a.rank) > std::tie(b.arrival, b.copies, b.rank);
        }
    };

    // The node, no switch, that lacks the piece and can have it first; since_ and arc_to_ then have the path.
    NodeId find(std::uint32_t piece)
    {
        using Entry = std::pair<Time, NodeId>;
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> next;
        std::ranges::fill(since_, never);
        const std::size_t bytes = pieces_[piece].message.length;
        const auto leave = [&](NodeId node, Time time) {
            for_each_out(network_, node, [&](ArcId arc) {
                const NodeId to = network_.to(arc);
                if (at_[piece].contains(to))
                    return;
                const Time there = later(std::max(time, free_from_[arc]), arcs_.duration(arc, bytes));
                if (there < since_[to]) {
                    since_[to] = there;
                    arc_to_[to] = arc;
                    next.emplace(there, to);
                }
            });
        };
        for (const auto& [node, copy] : at_[piece])
            leave(node, copy.since);
        while (!next.empty()) {
            const auto [time, node] = next.top();
            next.pop();
            if (time != since_[node])
                continue;
            if (!arcs_.topology().is_switch(node))
                return node;
            leave(node, time);
        }
        throw std::logic_error("a network whose nodes are not connected");
    }

    void carry(std::uint32_t piece, NodeId to)
    {
        Transport transport{{pieces_[piece].message}, {}};
        NodeId from = to;
        do {
            transport.arcs.push_back(arc_to_[from]);
            free_from_[arc_to_[from]] = since_[from];
            from = network_.from(arc_to_[from]);
        } while (arcs_.topology().is_switch(from));
        std::ranges::reverse(transport.arcs);
        if (const auto& brought = at_[piece].at(from).brought)
            transport.after.push_back(*brought);
        at_[piece][to] = {since_[to], static_cast<std::uint32_t>(transports_.size())};
        transports_.push_back(std::move(transport));
    }

    const TimedArcs& arcs_;
    const Arcs& network_;
    std::span<const Spreading> pieces_;
    std::vector<Time> free_from_;  // by arc
    std::size_t hosts_;
    std::vector<std::map<NodeId, Copy>> at_;  // by piece, the nodes that have it
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> next_;
    std::vector<Transport> transports_;
    std::vector<Time> since_;  // by node, of the last search
    std::vector<ArcId> arc_to_;
};

// In the order in which they were chosen, or by what follows.
TransportPlan in_better_order(const TimedArcs& arcs, std::vector<Transport> transports)
{
    std::vector<Time> first_come(transports.size());
    for (std::size_t i = 0; i < transports.size(); ++i)
        first_come[i] = transports.size() - i;
    Timetable as_chosen = timetable(arcs, transports, first_come);
    Timetable by_rest = timetable(arcs, transports, times_to_go(arcs, transports));
    return {std::move(transports), by_rest.finish < as_chosen.finish ? std::move(by_rest) : std::move(as_chosen)};
}

}  // namespace

TransportPlan best_number_of_pieces(std::size_t most, const std::function<TransportPlan(std::size_t pieces)>& plan)
{
    constexpr unsigned patience = 4;
    TransportPlan best = plan(1);
    unsigned in_vain = 0;
    for (std::size_t pieces = 2, after = 3; pieces <= most && in_vain < patience;
         pieces = std::exchange(after, 2 * pieces)) {
        TransportPlan one = plan(pieces);
        const bool better = one.table.finish < best.table.finish;
        in_vain = better ? 0 : in_vain + 1;
        if (better)
            best = std::move(one);
    }
    return best;
}

TransportPlan spread_by_arrival(const TimedArcs& arcs, std::span<const Spreading> messages, std::size_t unit)
{
    std::size_t longest = 0;
    for (const Spreading& one : messages)
        longest = std::max(longest, one.message.length / unit);
    const std::size_t transports = messages.size() * (arcs.topology().members() - 1);
    const std::size_t most = std::min({longest, most_pieces, most_transports / std::max<std::size_t>(transports, 1)});
    return best_number_of_pieces(most, [&](std::size_t pieces) {
        const std::vector<Spreading> parts = in_pieces(messages, pieces, unit);
        const std::uint64_t tries = transports * pieces <= most_transports / most_tries ? most_tries : 1;
        TransportPlan best = in_better_order(arcs, SpreadingByArrival(arcs, parts, 0)());
        for (std::uint64_t seed = 1; seed < tries; ++seed) {
            TransportPlan one = in_better_order(arcs, SpreadingByArrival(arcs, parts, seed)());
            if (one.table.finish < best.table.finish)
                best = std::move(one);
        }
        return best;
    });
}

std::uint64_t work_of_spreading(const Topology& topology, std::uint64_t messages, std::uint64_t longest)
{
    const std::uint64_t pieces = std::min<std::uint64_t>(longest, most_pieces);
    const std::uint64_t of_last_plan =
        std::max(messages, std::min<std::uint64_t>(messages * pieces, most_transports / topology.members()));
    const std::uint64_t of_all = 3 * most_tries * of_last_plan * topology.members();
    return 100 * of_all * topology.members();
}

}  // namespace dcube::detail

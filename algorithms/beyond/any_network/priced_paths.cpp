// priced-paths: scatter, gather, all-to-all, permute, send and exchange where nodes or links differ. Every piece of a
// message takes its cheapest path. An arc costs the time that the piece holds it, times 2^(8 r b/B) in round r: b is
// how long the arc is busy already, B how long the busiest is. In every round each piece is taken off and finds its
// path anew, so that the arcs end up about evenly busy (as in negotiated congestion, McMurchie & Ebeling 1995, by
// times). Then links carry what has come: first what has the longest way to go.
//
// No closed form. Messages are cut into 1, 2, 3, 4, 6, .. pieces as long as that helps; or all that takes the same hop
// at the same time is joined to one packet, so that there are few start-ups (a switch passes packets on whole, so only
// what leaves it together again can be joined before it).
// Planning: rounds times pieces, and a search of the network for each.

#include "algorithms/beyond/any_network/priced_paths.hpp"

#include "algorithms/beyond/any_network/earliest_arrival.hpp"
#include "base/planning.hpp"
#include "collectives/graphs/cheapest_paths.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <queue>
#include <tuple>
#include <utility>

namespace dcube::detail {

namespace {

using ArcPath = std::vector<ArcId>;

constexpr unsigned pricing_rounds = 5;
constexpr std::size_t most_sent = 20'000;  // pieces of all messages together
constexpr std::size_t most_cut = 64;       // pieces of a message

class PricedPaths {
public:
    explicit PricedPaths(const TimedArcs& arcs)
        : arcs_(arcs), network_(arcs.arcs()), busy_(network_.size()), cost_to_(network_.nodes()),
          arc_to_(network_.nodes())
    {
    }

    std::vector<ArcPath> operator()(std::span<const Sending> messages)
    {
        std::vector<ArcPath> paths(messages.size());
        unit_ = 1;
        for (const Sending& one : messages)
            for (ArcId arc = 0; arc < network_.size(); ++arc)
                unit_ = std::max(unit_, arcs_.duration(arc, one.message.length) >> 12);
        for (unsigned round = 0; round < pricing_rounds; ++round) {
            steepness_ += 8 * exponent_unit;
            busiest_ = std::max<Time>(1, *std::ranges::max_element(busy_));
            for (std::size_t i = 0; i < messages.size(); ++i) {
                planning("priced paths", static_cast<double>(round) / pricing_rounds);
                book(paths[i], messages[i], -1);
                paths[i] = cheapest(messages[i]);
                book(paths[i], messages[i], 1);
            }
        }
        return paths;
    }

private:
    void book(const ArcPath& path, const Sending& message, int sign)
    {
        for (const ArcId arc : path) {
            const Time time = arcs_.duration(arc, message.message.length);
            busy_[arc] = sign > 0 ? later(busy_[arc], time) : busy_[arc] - time;
            busiest_ = std::max(busiest_, busy_[arc]);
        }
    }

    [[nodiscard]] std::uint64_t cost(ArcId arc, std::size_t bytes) const
    {
        __extension__ using Wide = unsigned __int128;
        const auto exponent = static_cast<std::int64_t>(Wide{busy_[arc]} * steepness_ / busiest_);
        return std::max<std::uint64_t>(1, arcs_.duration(arc, bytes) / unit_) * power_of_two(exponent, 4);
    }

    ArcPath cheapest(const Sending& message)
    {
        using Entry = std::pair<std::uint64_t, NodeId>;
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> next;
        std::ranges::fill(cost_to_, std::numeric_limits<std::uint64_t>::max());
        cost_to_[message.from] = 0;
        next.emplace(0, message.from);
        while (next.top().second != message.to) {
            const auto [paid, node] = next.top();
            next.pop();
            if (paid != cost_to_[node])
                continue;
            for_each_out(network_, node, [&](ArcId arc) {
                const std::uint64_t there = paid + cost(arc, message.message.length);
                if (there < cost_to_[network_.to(arc)]) {
                    cost_to_[network_.to(arc)] = there;
                    arc_to_[network_.to(arc)] = arc;
                    next.emplace(there, network_.to(arc));
                }
            });
        }
        ArcPath path;
        for (NodeId node = message.to; node != message.from; node = network_.from(path.back()))
            path.push_back(arc_to_[node]);
        std::ranges::reverse(path);
        return path;
    }

    const TimedArcs& arcs_;
    const Arcs& network_;
    Time unit_ = 1;                // of costs, which stay below 2^63: 2^(12 + 4 + 8 rounds) an arc, and some more
    std::uint64_t steepness_ = 0;  // of prices, in units of an exponent
    std::vector<Time> busy_;       // by arc
    Time busiest_ = 1;             // at least; at least 1
    std::vector<std::uint64_t> cost_to_;
    std::vector<ArcId> arc_to_;
};

// The parts of a path between nodes that are no switches.
std::vector<ArcPath> hops_of(const TimedArcs& arcs, const ArcPath& path)
{
    std::vector<ArcPath> hops(1);
    for (const ArcId arc : path) {
        hops.back().push_back(arc);
        if (!arcs.topology().is_switch(arcs.arcs().to(arc)))
            hops.emplace_back();
    }
    hops.pop_back();
    return hops;
}

TransportPlan by_times_to_go(const TimedArcs& arcs, std::vector<Transport> transports)
{
    Timetable table = timetable(arcs, transports, times_to_go(arcs, transports));
    return {std::move(transports), std::move(table)};
}

TransportPlan apart(const TimedArcs& arcs, std::span<const Sending> messages)
{
    const std::vector<ArcPath> paths = PricedPaths(arcs)(messages);
    std::vector<Transport> transports;
    for (std::size_t i = 0; i < messages.size(); ++i) {
        std::vector<std::uint32_t> after;
        for (ArcPath& hop : hops_of(arcs, paths[i])) {
            transports.push_back({{messages[i].message}, std::move(hop), after});
            after = {static_cast<std::uint32_t>(transports.size() - 1)};
        }
    }
    return by_times_to_go(arcs, std::move(transports));
}

// What takes the same hop at the same number: one packet.
TransportPlan joined(const TimedArcs& arcs, std::span<const Sending> messages, Joining joining)
{
    const std::vector<ArcPath> paths = PricedPaths(arcs)(messages);
    std::vector<std::vector<ArcPath>> hops;
    std::size_t most = 0;
    for (const ArcPath& path : paths) {
        hops.push_back(hops_of(arcs, path));
        most = std::max(most, hops.back().size());
    }
    std::vector<Transport> transports;
    std::vector<std::uint32_t> last(messages.size());  // the transport that each message was in
    for (std::size_t number = 0; number < most; ++number) {
        std::map<ArcPath, std::uint32_t> of_hop;
        for (std::size_t i = 0; i < messages.size(); ++i) {
            const std::size_t begins = joining == Joining::together ? 0 : most - hops[i].size();
            if (number < begins || number >= begins + hops[i].size())
                continue;
            const ArcPath& hop = hops[i][number - begins];
            const auto [found, fresh] = of_hop.emplace(hop, static_cast<std::uint32_t>(transports.size()));
            if (fresh)
                transports.push_back({{}, hop});
            Transport& transport = transports[found->second];
            append(transport.fragments, messages[i].message);
            if (number > begins && std::ranges::find(transport.after, last[i]) == transport.after.end())
                transport.after.push_back(last[i]);
            last[i] = found->second;
        }
    }
    return by_times_to_go(arcs, std::move(transports));
}

}  // namespace

TransportPlan send_on_priced_paths(const TimedArcs& arcs, std::span<const Sending> messages, Joining joining)
{
    std::size_t longest = 0;
    for (const Sending& one : messages)
        longest = std::max(longest, one.message.length);
    const std::size_t most = std::min({longest, most_cut, most_sent / std::max<std::size_t>(messages.size(), 1)});
    TransportPlan best =
        best_number_of_pieces(most, [&](std::size_t pieces) { return apart(arcs, in_pieces(messages, pieces, 1)); });
    TransportPlan few = joined(arcs, messages, joining);
    return few.table.finish < best.table.finish ? std::move(few) : std::move(best);
}

std::uint64_t work_of_sending(const Topology& topology, std::uint64_t messages, std::uint64_t longest)
{
    const std::uint64_t pieces = std::min<std::uint64_t>(longest, most_cut);
    const std::uint64_t of_last_plan = std::max(messages, std::min<std::uint64_t>(messages * pieces, most_sent));
    return 10 * 3 * pricing_rounds * of_last_plan * topology.directed_links();
}

}  // namespace dcube::detail

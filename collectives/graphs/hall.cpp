#include "collectives/graphs/hall.hpp"

#include "base/planning.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace dcube::detail {

namespace {

// A largest flow (Dinic), on arrays that are soon filled: it is built anew for every number of steps that is tried.
class HallFlow {
public:
    using Amount = std::uint64_t;
    using Place = std::uint32_t;

    explicit HallFlow(std::size_t places) : first_(places, none), level_(places), next_(places) {}

    void add(Place from, Place to, Amount most)
    {
        arcs_.push_back({to, first_[from], most});
        first_[from] = static_cast<std::uint32_t>(arcs_.size() - 1);
        arcs_.push_back({from, first_[to], 0});
        first_[to] = static_cast<std::uint32_t>(arcs_.size() - 1);
    }

    Amount largest(Place from, Place to)
    {
        Amount all = 0;
        while (number_levels(from, to)) {
            next_ = first_;
            while (const Amount more = push(from, to))
                all += more;
        }
        return all;
    }

    // The places from which more could still flow to this place, after largest().
    [[nodiscard]] std::vector<bool> leading_to(Place to) const
    {
        std::vector<bool> leads(first_.size());
        std::vector<Place> found{to};
        leads[to] = true;
        for (std::size_t i = 0; i < found.size(); ++i)
            for (std::uint32_t arc = first_[found[i]]; arc != none; arc = arcs_[arc].next)
                if (const Place from = arcs_[arc].to; arcs_[arc ^ 1].left > 0 && !leads[from]) {
                    leads[from] = true;
                    found.push_back(from);
                }
        return leads;
    }

private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    struct Arc {
        Place to;
        std::uint32_t next;  // the next arc that leaves the same place
        Amount left;
    };

    bool number_levels(Place from, Place to)
    {
        planning("flows", 0);
        std::ranges::fill(level_, none);
        std::vector<Place> found{from};
        level_[from] = 0;
        for (std::size_t i = 0; i < found.size() && level_[to] == none; ++i)
            for (std::uint32_t arc = first_[found[i]]; arc != none; arc = arcs_[arc].next)
                if (const Place next = arcs_[arc].to; arcs_[arc].left > 0 && level_[next] == none) {
                    level_[next] = level_[found[i]] + 1;
                    found.push_back(next);
                }
        return level_[to] != none;
    }

    // Sends along one path through the levels as much as it has left; the arcs before next_ have been tried. 0 if there
    // is no path. Paths may be as long as the network, so this is a loop.
    Amount push(Place from, Place to)
    {
        path_.clear();
        for (Place at = from; at != to;) {
            std::uint32_t& arc = next_[at];
            while (arc != none && (arcs_[arc].left == 0 || level_[arcs_[arc].to] != level_[at] + 1))
                arc = arcs_[arc].next;
            if (arc != none) {
                path_.push_back(arc);
                at = arcs_[arc].to;
                continue;
            }
            if (path_.empty())
                return 0;
            at = arcs_[path_.back() ^ 1].to;
            path_.pop_back();
            next_[at] = arcs_[next_[at]].next;
        }
        Amount pushed = std::numeric_limits<Amount>::max();
        for (const std::uint32_t arc : path_)
            pushed = std::min(pushed, arcs_[arc].left);
        for (const std::uint32_t arc : path_) {
            arcs_[arc].left -= pushed;
            arcs_[arc ^ 1].left += pushed;
        }
        return pushed;
    }

    std::vector<std::uint32_t> first_;
    std::vector<std::uint32_t> level_;
    std::vector<std::uint32_t> next_;
    std::vector<std::uint32_t> path_;  // used by push()
    std::vector<Arc> arcs_;
};

std::uint64_t left_after(std::uint64_t steps, std::uint64_t wait)
{
    return steps > wait ? steps - wait : 0;
}

// The nodes that get too little in that many steps, or none. Both forms end at place `sink`, to which needs lead.
using ShortNodes = std::vector<bool>;

std::optional<ShortNodes> short_of_senders(const Arcs& arcs, std::span<const std::uint64_t> need,
                                           std::span<const std::uint64_t> waits, std::uint64_t steps)
{
    const NodeId n = arcs.nodes();  // senders are 0 to n - 1, receivers n to 2 n - 1
    const NodeId source = 2 * n;
    const NodeId sink = source + 1;
    HallFlow flow(std::size_t{2} * n + 2);
    for (const NodeId node : arcs.members()) {
        flow.add(source, node, left_after(steps, waits[node]));
        flow.add(n + node, sink, need[node]);
        for_each_out(arcs, node, [&](ArcId arc) { flow.add(node, n + arcs.to(arc), need[arcs.to(arc)]); });
    }
    if (flow.largest(source, sink) == std::reduce(need.begin(), need.end()))
        return std::nullopt;
    const std::vector<bool> leads = flow.leading_to(sink);
    return ShortNodes(leads.begin() + n, leads.begin() + source);
}

std::optional<ShortNodes> short_of_links(const Arcs& arcs, NodeId root, std::uint64_t packets,
                                         std::span<const std::uint32_t> hops, std::uint64_t steps)
{
    const NodeId sink = arcs.nodes();
    HallFlow flow(std::size_t{sink} + 1);
    for (const NodeId node : arcs.members()) {
        for_each_out(arcs, node, [&](ArcId arc) {
            if (arcs.to(arc) != root)
                flow.add(node, arcs.to(arc), left_after(steps, hops[node]));
        });
        if (node != root)
            flow.add(node, sink, packets);
    }
    if (flow.largest(root, sink) == packets * (arcs.members().size() - 1))
        return std::nullopt;
    std::vector<bool> leads = flow.leading_to(sink);
    leads.pop_back();
    return leads;
}

// Newton's method: nodes that are short of packets ask for more steps, until none are.
template <class ShortNodesIn, class ShortageOf>
std::optional<Shortage> largest_shortage(std::uint64_t steps, const ShortNodesIn& short_nodes_in,
                                         const ShortageOf& shortage_of)
{
    std::optional<Shortage> largest;
    while (const std::optional<ShortNodes> nodes = short_nodes_in(steps)) {
        largest = shortage_of(*nodes);
        std::ranges::sort(largest->waits);
        steps = least_steps(largest->packets, largest->waits);
        while (largest->waits.back() >= steps)  // these bring nothing
            largest->waits.pop_back();
    }
    return largest;
}

}  // namespace

// With the first k waits alone it is ceil((packets + their waits) / k); waits too long for T only make that larger.
std::uint64_t least_steps(const Integer& packets, std::span<const std::uint64_t> waits)
{
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    Integer together = packets;
    for (std::size_t k = 0; k < waits.size(); ++k) {
        together += waits[k];
        least = std::min(least, Integer((together + k) / (k + 1)).convert_to<std::uint64_t>());
    }
    return least;
}

std::optional<Shortage> shortage_of_senders(const Arcs& arcs, std::span<const std::uint64_t> need,
                                            std::span<const std::uint64_t> waits, std::uint64_t steps)
{
    const auto shortage_of = [&](const ShortNodes& nodes) {
        Shortage shortage{.nodes = nodes};
        for (const NodeId node : arcs.members()) {
            shortage.packets += nodes[node] ? need[node] : 0;
            bool reaches = false;
            for_each_out(arcs, node, [&](ArcId arc) { reaches = reaches || nodes[arcs.to(arc)]; });
            if (reaches)
                shortage.waits.push_back(waits[node]);
        }
        return shortage;
    };
    return largest_shortage(
        steps, [&](std::uint64_t in) { return short_of_senders(arcs, need, waits, in); }, shortage_of);
}

std::optional<Shortage> shortage_of_links(const Arcs& arcs, NodeId root, std::uint64_t packets, std::uint64_t steps)
{
    const std::vector<std::uint32_t> hops = hops_from(arcs, root);
    const auto shortage_of = [&](const ShortNodes& nodes) {
        Shortage shortage{.nodes = nodes};
        for (const NodeId node : arcs.members()) {
            shortage.packets += nodes[node] ? packets : 0;
            for_each_out(arcs, node, [&](ArcId arc) {
                if (!nodes[node] && nodes[arcs.to(arc)])
                    shortage.waits.push_back(hops[node]);
            });
        }
        return shortage;
    };
    return largest_shortage(
        steps, [&](std::uint64_t in) { return short_of_links(arcs, root, packets, hops, in); }, shortage_of);
}

}  // namespace dcube::detail

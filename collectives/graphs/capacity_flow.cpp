#include "collectives/graphs/capacity_flow.hpp"

#include <algorithm>

namespace dcube::detail {

void CapacityFlow::add(std::size_t from, std::size_t to, std::uint64_t capacity)
{
    const auto number = static_cast<std::uint32_t>(arcs_.size());
    arcs_.push_back({static_cast<std::uint32_t>(to), first_[from], std::min(capacity, unlimited)});
    arcs_.push_back({static_cast<std::uint32_t>(from), first_[to], 0});
    first_[from] = number;
    first_[to] = number + 1;
}

bool CapacityFlow::find_levels(std::size_t source, std::size_t sink)
{
    level_.assign(first_.size(), none);
    level_[source] = 0;
    std::vector<std::uint32_t> reached{static_cast<std::uint32_t>(source)};
    for (std::size_t i = 0; i < reached.size(); ++i)
        for (std::uint32_t arc = first_[reached[i]]; arc != none; arc = arcs_[arc].next)
            if (arcs_[arc].left > 0 && level_[arcs_[arc].to] == none) {
                level_[arcs_[arc].to] = level_[reached[i]] + 1;
                reached.push_back(arcs_[arc].to);
            }
    return level_[sink] != none;
}

// One path of the level graph, found depth first without recursion; 0 if there is none left.
std::uint64_t CapacityFlow::push(std::size_t source, std::size_t sink, std::uint64_t wanted)
{
    std::vector<std::uint32_t> path;
    std::size_t at = source;
    while (at != sink) {
        std::uint32_t& arc = next_[at];
        while (arc != none && (arcs_[arc].left == 0 || level_[arcs_[arc].to] != level_[at] + 1))
            arc = arcs_[arc].next;
        if (arc != none) {
            path.push_back(arc);
            at = arcs_[arc].to;
            continue;
        }
        if (path.empty())
            return 0;
        at = arcs_[path.back() ^ 1].to;
        next_[at] = arcs_[next_[at]].next;
        path.pop_back();
    }
    for (const std::uint32_t arc : path)
        wanted = std::min(wanted, arcs_[arc].left);
    for (const std::uint32_t arc : path) {
        arcs_[arc].left -= wanted;
        arcs_[arc ^ 1].left += wanted;
    }
    return wanted;
}

std::uint64_t CapacityFlow::largest(std::size_t source, std::size_t sink, std::uint64_t wanted)
{
    std::uint64_t flow = 0;
    while (flow < wanted && find_levels(source, sink)) {
        next_ = first_;
        while (const std::uint64_t more = flow < wanted ? push(source, sink, wanted - flow) : 0)
            flow += more;
    }
    return flow;
}

}  // namespace dcube::detail

// Successive shortest augmenting paths, all arcs of capacity 1. Boost's successive_shortest_path_nonnegative_weights
// does not return the paths' lengths, and cannot stop before it has found the largest flow.

#include "collectives/graphs/quickest_flow.hpp"

#include "base/planning.hpp"
#include "collectives/graphs/hall.hpp"
#include "collectives/graphs/residual_search.hpp"

#include <algorithm>
#include <optional>

namespace dcube::detail {

namespace {

// A flow of least cost for its size: no link carries something both ways, because taking it back is cheaper.
class UnitFlow {
public:
    UnitFlow(const Arcs& arcs, NodeId from, NodeId to)
        : arcs_(arcs), from_(from), to_(to), carries_(arcs.size()), search_(arcs)
    {
    }

    // One path more: its length, if there is one.
    std::optional<std::uint32_t> augment()
    {
        planning("quickest flow", 0);
        const auto cost = [this](ArcId arc) {
            if (carries_[arcs_.opposite(arc)])
                return -1;
            return carries_[arc] ? ResidualSearch::closed : 1;
        };
        if (!search_.run(from_, cost, [this](NodeId node) { return node == to_; }))
            return std::nullopt;
        for (NodeId node = to_; node != from_;) {
            const ArcId arc = search_.entered_by(node);
            const ArcId opposite = arcs_.opposite(arc);
            if (carries_[opposite])
                carries_[opposite] = false;
            else
                carries_[arc] = true;
            node = arcs_.from(arc);
        }
        return search_.length();
    }

    // A flow of least cost has no cycles, so following its arcs always leads to the end.
    [[nodiscard]] std::vector<std::vector<ArcId>> paths() const
    {
        std::vector<bool> left = carries_;
        std::vector<std::vector<ArcId>> paths;
        while (const std::optional<ArcId> first = first_of(left, from_)) {
            std::vector<ArcId>& path = paths.emplace_back();
            for (std::optional<ArcId> arc = first; arc; arc = first_of(left, arcs_.to(*arc))) {
                left[*arc] = false;
                path.push_back(*arc);
                if (arcs_.to(*arc) == to_)
                    break;
            }
        }
        std::ranges::stable_sort(paths, {}, [](const std::vector<ArcId>& path) { return path.size(); });
        return paths;
    }

private:
    [[nodiscard]] std::optional<ArcId> first_of(const std::vector<bool>& left, NodeId node) const
    {
        for (ArcId arc = arcs_.first_out(node), end = arc + arcs_.degree(node); arc != end; ++arc)
            if (left[arc])
                return arc;
        return std::nullopt;
    }

    const Arcs& arcs_;
    NodeId from_;
    NodeId to_;
    std::vector<bool> carries_;
    ResidualSearch search_;
};

}  // namespace

std::vector<std::uint32_t> augmenting_lengths(const Arcs& arcs, NodeId from, NodeId to)
{
    UnitFlow flow(arcs, from, to);
    std::vector<std::uint32_t> lengths;
    while (const std::optional<std::uint32_t> length = flow.augment())
        lengths.push_back(*length);
    return lengths;
}

std::uint64_t quickest_steps(std::span<const std::uint32_t> lengths, std::uint64_t packets)
{
    if (packets == 0 || lengths.empty())
        return 0;
    std::vector<std::uint64_t> waits;
    for (const std::uint32_t length : lengths)
        waits.push_back(length - 1);
    return least_steps(packets, waits);
}

std::size_t quickest_paths_needed(std::span<const std::uint32_t> lengths, std::uint64_t packets)
{
    const std::uint64_t steps = quickest_steps(lengths, packets);
    std::size_t paths = 0;
    for (std::uint64_t in_time = 0; in_time < packets && paths < lengths.size(); ++paths)
        in_time += steps - lengths[paths] + 1;
    return paths;
}

QuickestPaths quickest_paths(const Arcs& arcs, NodeId from, NodeId to, std::uint64_t packets)
{
    const std::vector<std::uint32_t> lengths = augmenting_lengths(arcs, from, to);
    const std::size_t k = quickest_paths_needed(lengths, packets);
    UnitFlow flow(arcs, from, to);
    for (std::size_t path = 0; path < k; ++path)
        flow.augment();
    return {static_cast<Step>(quickest_steps(lengths, packets)), flow.paths()};
}

}  // namespace dcube::detail

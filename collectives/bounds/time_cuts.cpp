// Why this holds: of every byte that must cross, one copy is followed to where it is needed (of a sum, one node's share
// of it). The busiest link of the cut carries at least their number over the links, one after the other; none of them
// has left before it came there from its origin, and the last one then has to go on to its target.

#include "collectives/bounds/time_cuts.hpp"

#include "base/numbers.hpp"
#include "graphs/arcs.hpp"
#include "graphs/cut_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace dcube {

namespace {

using detail::ArcId;
using detail::Arcs;
using Inside = std::vector<bool>;

// Looks at arcs: about a tenth of a second.
constexpr std::uint64_t most_looks_at_arcs = 20'000'000;

class TimeCuts {
public:
    TimeCuts(const Topology& topology, const Problem& problem, const std::function<void(Argument)>& tell)
        : topology_(topology), problem_(problem), tell_(tell), arcs_(topology)
    {
    }

    void operator()()
    {
        for (const NodeId centre : centres())
            if (looks_ < most_looks_at_arcs)
                add_balls(centre);
        for (const NodeId node : detail::cut_nodes(arcs_))
            if (looks_ < most_looks_at_arcs)
                add_parts(node);
    }

private:
    // The ends first, then all others, unless they are all alike.
    [[nodiscard]] std::vector<NodeId> centres() const
    {
        std::vector<NodeId> all;
        if (has_root(problem_.collective))
            all.push_back(problem_.root);
        if (has_peer(problem_.collective))
            all.insert(all.end(), {problem_.root, problem_.peer});
        if (topology_.symmetric() && !all.empty())
            return all;
        for (NodeId node = 0; node < topology_.nodes(); ++node)
            all.push_back(node);
        if (topology_.symmetric() && !has_permutation(problem_.collective))
            all.resize(1);
        return all;
    }

    void add_balls(NodeId centre)
    {
        const std::vector<std::uint32_t> hops = detail::hops_from(arcs_, std::span(&centre, 1));
        const std::uint32_t farthest = *std::ranges::max_element(hops);
        for (std::uint32_t radius = 0; radius < farthest; ++radius) {
            Inside ball(topology_.nodes());
            for (NodeId node = 0; node < topology_.nodes(); ++node)
                ball[node] = hops[node] <= radius;
            add_both(std::move(ball));
        }
    }

    void add_parts(NodeId node)
    {
        const detail::WithoutNode rest = detail::without_node(arcs_, node);
        for (std::uint32_t part = 0; part < rest.parts.size(); ++part) {
            Inside inside(topology_.nodes());
            for (NodeId other = 0; other < topology_.nodes(); ++other)
                inside[other] = rest.part[other] == part;
            add_both(std::move(inside));
        }
    }

    void add_both(Inside inside)
    {
        add(inside);
        inside.flip();
        add(std::move(inside));
    }

    void add(Inside inside)
    {
        looks_ += std::uint64_t{3} * arcs_.size();
        const std::uint64_t messages = crossing(inside);
        if (messages == 0)
            return;
        std::vector<NodeId> tails;
        std::vector<NodeId> heads;
        for (ArcId arc = 0; arc < arcs_.size(); ++arc)
            if (inside[arcs_.from(arc)] && !inside[arcs_.to(arc)]) {
                tails.push_back(arcs_.from(arc));
                heads.push_back(arcs_.to(arc));
            }
        const std::uint64_t further = hops_before(inside, tails) + hops_after(inside, heads);
        tell_({.kind = Argument::Kind::cut,
               .name = "links-across",
               .reason = words(inside, messages, tails.size(), further),
               .factors = {messages},
               .per_step = tails.size(),
               .far = further + 1,
               .cut = {.inside = std::move(inside)}});
    }

    [[nodiscard]] std::string words(const Inside& inside, std::uint64_t messages, std::uint64_t links,
                                    std::uint64_t further) const
    {
        const auto nodes = static_cast<std::uint64_t>(std::ranges::count(inside, true));
        const std::string to_go =
            further == 0 ? ""
                         : fmt::format(", and ha{} {} to go", messages == 1 ? "s" : "ve", grouped(further, "more hop"));
        return fmt::format("{} {} {} over {}{}",
                           messages == 1 ? "a message" : fmt::format("{} messages", grouped(messages)),
                           messages == 1 ? "leaves" : "leave", grouped(nodes, "node"), grouped(links, "link"), to_go);
    }

    // The messages, or messages' sums, that nodes outside need of what nodes inside have.
    [[nodiscard]] std::uint64_t crossing(const Inside& inside) const
    {
        if (has_permutation(problem_.collective)) {
            std::uint64_t messages = 0;
            for (NodeId node = 0; node < inside.size(); ++node)
                messages += inside[node] && !inside[problem_.permutation[node]] ? 1 : 0;
            return messages;
        }
        const CollectiveTraits& of = traits(problem_.collective);
        if (of.origin == Who::ends)
            return inside[problem_.root] != inside[problem_.peer] ? 1 : 0;
        return ends_at(of.origin, inside, true) * ends_at(of.target, inside, false);
    }

    // How many ends of messages are on that side; one where nobody's means everybody's: a sum, or what all get.
    [[nodiscard]] std::uint64_t ends_at(Who who, const Inside& inside, bool side) const
    {
        switch (who) {
        case Who::root: return inside[problem_.root] == side ? 1 : 0;
        case Who::peer: return inside[problem_.peer] == side ? 1 : 0;
        case Who::all: return static_cast<std::uint64_t>(std::ranges::count(inside, side));
        case Who::nobody:
        case Who::ends:
        case Who::partner: break;
        }
        return 1;
    }

    // From a node from which all of them come, or whose shares are in all of them: the farthest from the cut.
    [[nodiscard]] std::uint64_t hops_before(const Inside& inside, std::span<const NodeId> tails) const
    {
        return hops_to_ends(traits(problem_.collective).origin, inside, true, tails);
    }

    // To a node that needs all of them.
    [[nodiscard]] std::uint64_t hops_after(const Inside& inside, std::span<const NodeId> heads) const
    {
        return hops_to_ends(traits(problem_.collective).target, inside, false, heads);
    }

    [[nodiscard]] std::uint64_t hops_to_ends(Who who, const Inside& inside, bool side,
                                             std::span<const NodeId> border) const
    {
        if (has_peer(problem_.collective))
            return nearest(border, end_where(inside, side));
        if (who == Who::root)
            return nearest(border, problem_.root);
        return who == Who::nobody ? farthest(border, inside, side) : 0;  // else each has another end
    }

    [[nodiscard]] NodeId end_where(const Inside& inside, bool is_inside) const
    {
        return inside[problem_.root] == is_inside ? problem_.root : problem_.peer;
    }

    [[nodiscard]] std::uint64_t nearest(std::span<const NodeId> ends, NodeId node) const
    {
        return detail::hops_from(arcs_, ends)[node];
    }

    [[nodiscard]] std::uint64_t farthest(std::span<const NodeId> ends, const Inside& inside, bool is_inside) const
    {
        const std::vector<std::uint32_t> hops = detail::hops_from(arcs_, ends);
        std::uint64_t most = 0;
        for (NodeId node = 0; node < inside.size(); ++node)
            if (inside[node] == is_inside)
                most = std::max<std::uint64_t>(most, hops[node]);
        return most;
    }

    const Topology& topology_;
    const Problem& problem_;
    const std::function<void(Argument)>& tell_;
    Arcs arcs_;
    std::uint64_t looks_ = 0;
};

}  // namespace

void for_time_cuts(const Topology& topology, const Problem& problem, const std::function<void(Argument)>& tell)
{
    if (topology.is_hypercube() || is_matrix(problem.collective) || problem.collective == Collective::all_to_all)
        return;
    TimeCuts(topology, problem, tell)();
}

}  // namespace dcube

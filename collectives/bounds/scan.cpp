#include "collectives/bounds/scan.hpp"

#include "collectives/bounds/dissemination.hpp"
#include "collectives/bounds/extremes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace dcube {

namespace {

using Kind = Argument::Kind;
using InsideFactor = std::vector<bool>;  // by digit

/// How often the digits 0, 1, .. of this factor recur in the order of the ids.
std::uint64_t rows_above(const Topology& topology, unsigned factor)
{
    return topology.nodes() / (std::uint64_t{topology.stride(factor)} * topology.factor(factor).nodes());
}

std::uint64_t links_out_of(const Graph& factor, const InsideFactor& inside)
{
    std::uint64_t links = 0;
    for (NodeId node = 0; node < factor.nodes(); ++node)
        for (Port port = 0; inside[node] && port < factor.ports(node); ++port)
            links += inside[factor.neighbour(node, port)] ? 0 : 1;
    return links;
}

/// Keeps the cut with the largest rank per link.
class WidestScanCut {
public:
    explicit WidestScanCut(const Topology& topology) : topology_(topology) {}

    void add(unsigned factor, InsideFactor inside)
    {
        add_one_way(factor, inside);
        inside.flip();
        add_one_way(factor, std::move(inside));
    }

    [[nodiscard]] Argument take() && { return std::move(widest_); }

private:
    void add_one_way(unsigned factor, InsideFactor inside)
    {
        const Graph& graph = topology_.factor(factor);
        const std::uint64_t rank = rank_of_cut(inside, rows_above(topology_, factor));
        const std::uint64_t links = links_out_of(graph, inside) * (topology_.nodes() / graph.nodes());
        if (links == 0 || rank * widest_.per_step <= (widest_.factors.empty() ? 0 : widest_.factors[0]) * links)
            return;
        widest_ = {.kind = Kind::cut,
                   .name = "rank",
                   .reason = fmt::format("nodes across a cut need {} of every block, over {}",
                                         rank == 1 ? "a sum" : fmt::format("{} different sums", rank),
                                         links == 1 ? "one link" : fmt::format("{} links", links)),
                   .factors = {rank},
                   .per_step = links,
                   .cut = {.inside = std::move(inside)}};
        if (topology_.dimension() > 1)
            widest_.cut.factor = factor;
    }

    const Topology& topology_;
    Argument widest_{};
};

/// The digits below each one, the even ones, and those round each one.
void add_cuts_of_factor(WidestScanCut& widest, const Graph& graph, unsigned factor)
{
    constexpr std::uint64_t most_looks_of_factor = 2'000'000;
    InsideFactor inside(graph.nodes());
    for (NodeId digit = 0; digit < graph.nodes(); ++digit)
        inside[digit] = digit % 2 == 0;
    widest.add(factor, inside);
    std::fill(inside.begin(), inside.end(), false);
    for (NodeId end = 1; end < graph.nodes() && std::uint64_t{end} * graph.directed_links() < most_looks_of_factor;
         ++end) {
        inside[end - 1] = true;
        widest.add(factor, inside);
    }
    std::uint64_t looks = 0;
    for (NodeId centre = 0; centre < graph.nodes(); ++centre)
        for (unsigned radius = 0; radius < graph.diameter() && looks < most_looks_of_factor; ++radius) {
            for (NodeId digit = 0; digit < graph.nodes(); ++digit)
                inside[digit] = graph.distance(centre, digit) <= radius;
            widest.add(factor, inside);
            looks += 2 * graph.directed_links();
        }
}

/// ceil(m / p) + h - 1: a node p of whose links can be used at once needs m sums with the share of a node before it, h
/// links away. On a hypercube that is the last node and the first; elsewhere all nodes are tried, of large networks
/// two.
Argument share_of_first(const Topology& topology, PortModel ports, std::uint64_t m)
{
    constexpr NodeId most_nodes = 1024;
    Argument one{.kind = Kind::arriving,
                 .name = topology.is_hypercube() ? "antipode" : "farthest-share",
                 .reason =
                     ports == PortModel::one
                         ? "the sums that need the farthest earlier node's share arrive one per step, none before "
                           "its distance"
                         : "the sums that need the farthest earlier node's share arrive by a node's ports, none "
                           "before its distance",
                 .factors = {m}};
    const auto between = [&](NodeId first, NodeId second) {
        one.node = std::max(first, second);
        one.other = std::min(first, second);
        one.per_step = ports == PortModel::one ? 1 : topology.ports(one.node);
        one.far = topology.distance(first, second);
        return one;
    };
    if (topology.is_hypercube())
        return between(0, topology.nodes() - 1);
    const auto [first, second] = farthest_pair(topology);
    Argument most = between(first, second);
    if (topology.nodes() > most_nodes)
        return most;
    for (NodeId node = 1; node < topology.nodes(); ++node)
        for (NodeId other = 0; other < node; ++other)
            if (between(other, node).value() > most.value())
                most = one;
    return most;
}

/// The transmissions of a block over the links of one factor. In a path the links at one place of all copies are a cut
/// each way; elsewhere the links to the nodes of one digit are.
std::uint64_t transmissions_along(const Topology& topology, unsigned factor)
{
    const Graph& graph = topology.factor(factor);
    const std::uint64_t rows = rows_above(topology, factor);
    const std::uint64_t nodes = graph.nodes();
    if (nodes == 1)
        return 0;
    const bool is_path = nodes == 2 || graph.kind() == Graph::Kind::path;
    return is_path ? (nodes - 1) * (2 * rows - 1) : nodes * rows - 1;
}

std::uint64_t transmissions_of_block(const Topology& topology)
{
    std::uint64_t all = 0;
    for (unsigned factor = 0; factor < topology.dimension(); ++factor)
        all += transmissions_along(topology, factor);
    return all;
}

Argument all_transmissions(const Topology& topology, PortModel ports, const Problem& problem)
{
    const std::uint64_t of_block = transmissions_of_block(topology);
    const bool all = ports == PortModel::all;
    const std::uint64_t moves = all                       ? topology.directed_links()
                                : topology.is_hypercube() ? topology.nodes()
                                                          : simultaneous_moves(topology);
    return {.kind = Kind::hops,
            .name = "transmissions",
            .reason = all ? fmt::format("every block needs {} transmissions, over all links", of_block)
                          : fmt::format("every block needs {} transmissions, and at most {} packets can move at once",
                                        of_block, moves),
            .factors = {of_block, problem.packets},
            .per_step = moves};
}

}  // namespace

std::uint64_t rank_of_cut(const std::vector<bool>& inside, std::uint64_t periods)
{
    bool is_new = false;  // since the last node outside there was one inside
    const auto in_one = [&] {
        std::uint64_t sums = 0;
        for (const bool here : inside) {
            sums += is_new && !here ? 1 : 0;
            is_new = here;
        }
        return sums;
    };
    const std::uint64_t first = in_one();
    return periods < 2 ? first : first + (periods - 1) * in_one();
}

Argument widest_scan_cut(const Topology& topology)
{
    WidestScanCut widest(topology);
    if (topology.is_hypercube() && topology.nodes() > 1) {
        widest.add(topology.dimension() - 1, {true, false});
        return std::move(widest).take();
    }
    for (unsigned factor = 0; factor < topology.dimension(); ++factor)
        add_cuts_of_factor(widest, topology.factor(factor), factor);
    return std::move(widest).take();
}

Argument steps_of_scan(const Topology& topology, PortModel ports, const Problem& problem)
{
    const Argument share = share_of_first(topology, ports, problem.packets);
    const Argument transmissions = all_transmissions(topology, ports, problem);
    if (ports == PortModel::one)
        return topology.is_hypercube() ? largest({share, transmissions})
                                       : largest({share, dissemination(topology, problem, 0), transmissions});
    Argument cut = widest_scan_cut(topology);
    cut.factors.push_back(problem.packets);
    return largest({share, std::move(cut), transmissions});
}

Bound transmissions_of_scan(const Topology& topology, const Problem& problem)
{
    return {problem.packets * transmissions_of_block(topology),
            topology.is_hypercube() ? "the ranks of the cuts of all dimensions, both ways: 2(N-1) - d a block"
                                    : "the ranks of cuts that have no links in common"};
}

}  // namespace dcube

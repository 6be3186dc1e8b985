#include "collectives/bounds/dissemination.hpp"

#include "base/numbers.hpp"
#include "collectives/bounds/extremes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>

namespace dcube {

DisseminationTime dissemination_time(const std::vector<std::uint64_t>& at_distance)
{
    std::vector<std::uint64_t> beyond(at_distance.size());  // at this distance and farther
    std::inclusive_scan(at_distance.rbegin(), at_distance.rend(), beyond.rbegin());
    std::vector<std::uint64_t> know(at_distance.size());
    know[0] = 1;
    DisseminationTime time{};
    for (; know != beyond; ++time.steps) {
        for (std::size_t k = 0; k < know.size(); ++k)
            if (know[k] < beyond[k])
                time.last = {k, beyond[k], know[k]};
        for (std::size_t k = know.size(); k-- > 0;)
            know[k] = std::min(beyond[k], know[k] + know[k == 0 ? 0 : k - 1]);
    }
    return time;
}

std::vector<std::uint64_t> nodes_by_distance(const Topology& topology, NodeId node)
{
    std::vector<std::uint64_t> counts{1};
    for (unsigned i = 0; i < topology.dimension(); ++i) {
        const Graph& factor = topology.factor(i);
        std::vector<std::uint64_t> longer(counts.size() + factor.diameter());
        for (NodeId other = 0; other < factor.nodes(); ++other)
            for (std::size_t far = 0; far < counts.size(); ++far)
                longer[far + factor.distance(topology.digit(node, i), other)] += counts[far];
        while (longer.back() == 0)
            longer.pop_back();
        counts = std::move(longer);
    }
    return counts;
}

Argument dissemination(const Topology& topology, const Problem& problem, NodeId node)
{
    const DisseminationTime time = dissemination_time(nodes_by_distance(topology, node));
    const auto& [apart, beyond, informed] = time.last;
    const std::string some = fmt::format("at most {} of the {} nodes{}", informed, beyond,
                                         apart == 0 ? "" : fmt::format(" that are {} or more links away", apart));
    const std::string steps = counted(time.steps - 1, "step");
    const bool copies = traits(problem.collective).origin == Who::root;
    const bool reduces = is_reversed(problem.collective);
    return {.kind = Argument::Kind::dissemination,
            .name = "dissemination",
            .reason =
                reduces ? fmt::format("node {} completes at most one block per step, and {} bring shares of {} into "
                                      "the first",
                                      topology.original(node), steps, some)
                        : fmt::format(
                              "the last {} leaves node {} in step {} or later, and in the {} after that {} can have it",
                              copies                           ? "packet"
                              : is_barrier(problem.collective) ? "signal"
                                                               : "share",
                              topology.original(node), problem.packets, steps, some),
            .factors = {problem.packets},
            .far = time.steps,
            .node = node,
            .dissemination = time.last};
}

Argument longest_dissemination(const Topology& topology, const Problem& problem)
{
    constexpr std::uint64_t most_nodes = 1024;
    const auto [first, second] = farthest_pair(topology);
    Argument most = largest({dissemination(topology, problem, first), dissemination(topology, problem, second)});
    if (!topology.symmetric() && topology.nodes() <= most_nodes)
        for (NodeId node = 0; node < topology.nodes(); ++node)
            most = largest({most, dissemination(topology, problem, node)});
    return most;
}

}  // namespace dcube

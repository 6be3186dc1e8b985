// The time that planning takes on networks of any shape: random networks, another one in each iteration of each
// benchmark, because plans are kept.

#include "bench/benchmarks.hpp"

#include <dcube/bounds.hpp>
#include <dcube/catalogue.hpp>
#include <dcube/random.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace dcube;

// A ring, and random links beside it: two links at least lead to every node.
Topology random_network(NodeId nodes, std::size_t links, std::uint64_t seed)
{
    Random random(seed);
    std::set<std::pair<NodeId, NodeId>> edges;
    for (NodeId node = 0; node < nodes; ++node)
        edges.insert(std::minmax(node, (node + 1) % nodes));
    while (edges.size() < links) {
        const auto a = static_cast<NodeId>(random.below(nodes));
        const auto b = static_cast<NodeId>(random.below(nodes));
        if (a != b)
            edges.insert(std::minmax(a, b));
    }
    const std::vector<std::pair<NodeId, NodeId>> list(edges.begin(), edges.end());
    return Topology::product({Graph::from_edges("random", list)});
}

struct Planned {
    Collective collective;
    PortModel ports;
    std::size_t packets;
    NodeId nodes;
    std::size_t links_a_node;
    std::string_view algorithm;
};

// The bounds at which the search ends are part of what is measured. Counters show how far from them it ends.
void plan(benchmark::State& state, const Planned& planned, std::uint64_t& seed)
{
    Problem problem{.collective = planned.collective, .bytes = 8, .packets = planned.packets};
    if (has_permutation(planned.collective))
        for (NodeId node = 0; node < planned.nodes; ++node)
            problem.permutation.push_back((node + planned.nodes / 2) % planned.nodes);
    std::uint64_t steps = 0;
    std::uint64_t bound = 0;
    for (auto _ : state) {
        state.PauseTiming();
        const Topology topology = random_network(planned.nodes, planned.links_a_node * planned.nodes, seed++);
        state.ResumeTiming();
        const Entry& algorithm = find_algorithm(topology, planned.ports, problem, std::string(planned.algorithm));
        steps += algorithm.cost(topology, problem).steps;
        state.PauseTiming();
        bound += steps_bound(topology, planned.ports, problem).value;
        state.ResumeTiming();
    }
    state.counters["steps"] = benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kAvgIterations);
    state.counters["steps/bound"] = static_cast<double>(steps) / static_cast<double>(bound);
}

}  // namespace

void bench::add_planning(Scale scale)
{
    using enum Collective;
    constexpr PortModel all = PortModel::all;
    constexpr PortModel one = PortModel::one;
    const std::vector<Planned> cases{
        {all_gather, all, 1, 128, 4, "spread"},
        {all_gather, all, 17, 128, 4, "spread"},
        {all_gather, one, 17, 128, 4, "spread-one"},
        {all_gather, all, 1, 1000, 4, "spread"},
        {broadcast, all, 100, 1000, 4, "spread"},
        {scatter, all, 100, 128, 4, "unrolled-flow"},
        {scatter, all, 1, 1000, 4, "unrolled-flow"},
        {all_to_all, all, 1, 64, 3, "priced-routes"},
        {all_to_all, all, 1, 128, 4, "priced-routes"},
        {all_to_all, all, 1, 256, 4, "priced-routes"},
        {all_to_all, one, 1, 256, 4, "priced-routes-one"},
        {permute, all, 17, 1000, 4, "priced-routes"},
        {all_reduce, all, 17, 1000, 4, "trees-up-and-down"},
        {all_reduce, all, 17, 1000, 4, "periodic-trees"},
        {all_reduce, all, 17, 1000, 4, "spread-twice"},
        {all_reduce, all, 17, 1000, 4, "auto"},
    };
    std::uint64_t first_seed = 1;
    for (Planned planned : cases) {
        if (scale == Scale::small)
            planned.nodes = 12;
        const std::string name = fmt::format("planning/{}/{}/random:{}/packets:{}", dcube::name(planned.collective),
                                             planned.algorithm, planned.nodes, planned.packets);
        const auto seed = std::make_shared<std::uint64_t>(first_seed);  // goes on when the benchmark is repeated
        add(scale, name, [planned, seed](benchmark::State& state) { plan(state, planned, *seed); });
        first_seed += 1'000'000;
    }
}

#include "run/working_memory.hpp"

#include <dcube/group.hpp>
#include <dcube/layout.hpp>

#include <algorithm>

namespace dcube {

namespace {

// The factors are fitted to the peak memory of runs of 30 to 500 MiB. The estimates differed from it by a factor of at
// most 1.8, mostly upwards.
std::uint64_t notes(const Algorithm& algorithm, const Topology& topology, const Problem& problem)
{
    if (const auto groups = groups_of(problem, topology))
        return groups->count() * notes(algorithm, groups->network(), in_group(problem));
    if (moves_nothing(problem))
        return 0;
    const std::uint64_t nodes = topology.nodes();
    const std::uint64_t dimension = topology.dimension();
    // Every node notes which packets it holds, and on a link-bound machine since when.
    const Pattern pattern = pattern_of(problem.collective);
    if (pattern == Pattern::one_to_all && algorithm.link == LinkKind::unit)
        return problem.link.bound() ? nodes * problem.packets * sizeof(Time) : nodes * problem.packets / 8;
    if (algorithm.link == LinkKind::unit)
        return 0;
    // In transit, messages are cut into as many parts as there are ports, and each part is noted at each of its hops.
    constexpr std::uint64_t note = 256;
    if (pattern == Pattern::one_to_each)
        return nodes * dimension * dimension * note;
    // A permuted message may pass twice as many nodes, and is noted where it comes from and where it goes.
    if (has_permutation(problem.collective))
        return 4 * nodes * dimension * dimension * note;
    // The message lies in every node of its paths for a while.
    if (has_peer(problem.collective))
        return std::uint64_t{Layout(problem, topology).input_bytes} * topology.distance(problem.root, problem.peer);
    // Elements are packed for every packet and unpacked after it.
    if (is_matrix(problem.collective))
        return std::uint64_t{2} * Layout(problem, topology).input_bytes;
    return 0;
}

// The share of these nodes, if all nodes take `bytes`.
std::uint64_t share(std::uint64_t bytes, NodeRange own, const Topology& topology)
{
    const std::uint64_t nodes = topology.nodes();
    return bytes / nodes * own.size() + (bytes % nodes * own.size() + nodes - 1) / nodes;
}

}  // namespace

std::uint64_t working_memory(const Algorithm& algorithm, const Topology& topology, const Problem& problem)
{
    return storage_of(algorithm, topology, problem) + notes(algorithm, topology, problem);
}

std::uint64_t own_working_memory(const Machine& machine, const Algorithm& algorithm, const Problem& problem)
{
    const Topology& topology = machine.topology();
    return share(working_memory(algorithm, topology, problem), machine.own_nodes(), topology);
}

std::uint64_t memory_of_a_rank(const Algorithm& algorithm, const Topology& topology, const MachineOptions& machine,
                               const Problem& problem)
{
    const unsigned ranks = machine.world ? machine.world->ranks() : 1;
    const Layout layout(problem, topology);
    const std::uint64_t working = working_memory(algorithm, topology, problem);
    std::uint64_t most = 0;
    for (unsigned rank = 0; rank < ranks; ++rank) {
        const NodeRange nodes = nodes_of_rank(rank, ranks, topology.nodes());
        const Layout own = layout.of(nodes);
        most = std::max(most, own.bytes() + share(working, nodes, topology));
    }
    return most + machine_memory(topology, machine);
}

}  // namespace dcube

// Matrices on any network, in unit steps: what a node has for another goes along a shortest path in one packet, the
// longest paths first. Well known; optimal on no network by proof.
//
// shortest-paths, shortest-paths-one: as many steps as the list scheduling takes. Transmissions: for every pair of
// nodes with something to move, their distance.
//
// Planning: O(N^2) paths and a table of all their hops, in time and memory.

#include "algorithms/beyond/any_network/shortest_path_trees.hpp"
#include "algorithms/families.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/matrix_program.hpp"
#include "algorithms/programs/phases.hpp"

namespace dcube::detail {

namespace {

Routing shortest_paths(const Topology& topology, const Problem& problem, PortModel ports)
{
    const MatrixPacking packing(problem, topology);
    LeastUsedPaths paths(topology, ports, Symmetry::none);
    std::vector<PacketTree> trees;
    for (NodeId i = 0; i < topology.members(); ++i)
        for (NodeId j = 0; j < topology.members(); ++j)
            if (const NodeId origin = topology.member(i), target = topology.member(j);
                origin != target && packing.bytes(origin, target) != 0)
                trees.push_back(paths.path(origin, target, {origin, target, 0}));
    RoutingTable table(topology);
    for (const Hop& hop : schedule_trees(topology, ports, Symmetry::none, trees).hops) {
        const auto [origin, target, copy] = hop.packet;
        table.add(hop.step - 1, hop.from, hop.port,
                  Fragment{origin * std::uint64_t{topology.nodes()} + target, 0, packing.bytes(origin, target)});
    }
    return std::move(table).routing();
}

Entry entry(Collective collective, PortModel ports)
{
    const MakeRouting routing = [ports](const Topology& topology, const Problem& problem) {
        return shortest_paths(topology, problem, ports);
    };
    return routing_entry(
        {{.collective = collective,
          .name = ports == PortModel::all ? "shortest-paths" : "shortest-paths-one",
          .ports = ports,
          .networks = Networks::products,
          .prepare =
              [routing](const Topology& topology, const Problem& problem) {
                  return matrix_program(topology, problem, routing(topology, problem));
              }},
         {.paper = "textbook: shortest paths, list scheduling",
          .origin = Origin::dcube,
          .summary = "all that one node has for another in one packet, on a shortest path",
          .idea = ports == PortModel::all
                      ? "All that one node has for another goes as one packet on a shortest path, and links are chosen "
                        "so that they have equal shares. In this model a packet is as large as it needs to be."
                      : "With one port: all that one node has for another goes as one packet on a shortest path.",
          .formula = as_planned,
          .paper_note = "Nothing says that it meets a bound; each run is compared with them.",
          .phases =
              [routing](const Topology& topology, const Problem& problem) {
                  return whole_run(routing(topology, problem).stages,
                                   {"shortest paths", "What a node has for another goes as one packet along a shortest "
                                                      "path, the longest paths first where two want the same link."});
              }}},
        routing, {.pieces = [](const Topology& topology, const Problem&) {
            return static_cast<double>(topology.sum_of_statuses());
        }});
}

}  // namespace

std::vector<Entry> routed_matrix_family()
{
    std::vector<Entry> all;
    for (const Collective collective : {Collective::matrix_transpose, Collective::matrix_quarter_turn,
                                        Collective::matrix_half_turn, Collective::matrix_relayout})
        for (const PortModel ports : {PortModel::all, PortModel::one})
            all.push_back(entry(collective, ports));
    return all;
}

}  // namespace dcube::detail

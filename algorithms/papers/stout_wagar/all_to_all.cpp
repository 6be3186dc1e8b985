// All-to-all: every node has m bytes for every other. Stout & Wagar 1990, section 6 (COMPLETE EXCHANGE), on a d-cube.
//
//   name                   paper              time
//   rotated                ours               2^(d-1) tau m + d beta   exact if d divides m
//   distribute-everywhere  COMPLETE EXCHANGE  the same                 exact if lcm(1..d) divides m
//
// rotated: there are d rotations, of which rotation i corrects the address bits i, i + 1, .., cyclically, and messages
// are dealt out to them: of d differences of source and target that rotate into each other every rotation gets one, so
// that all carry as much in every stage, in one packet per link. Only messages whose difference is periodic are cut
// (all_to_all_plan.hpp), and which parts are a byte longer is staggered. distribute-everywhere: every node is the root
// of a DISTRIBUTE 1. Both send one packet per link and stage, d^2 N transmissions. Planning: the routing of rotated is
// worked out by every node, but it runs from a plan of O(d N) extents (all_to_all_plan.hpp), made in time O(d^2 N);
// distribute-everywhere keeps one root's table, d 2^(d-1) pieces.

#include "algorithms/papers/stout_wagar/all_to_all.hpp"

#include "algorithms/papers/stout_wagar/all_to_all_plan.hpp"
#include "algorithms/papers/stout_wagar/scatter.hpp"
#include "algorithms/programs/cube.hpp"

#include <memory>
#include <numeric>

namespace dcube::detail {

Stretch equal_part(std::size_t bytes, unsigned n, unsigned i, NodeId difference)
{
    return staggered_part(bytes, n, i, stagger(difference, n));
}

Routing complete_send(const Topology& topology, std::vector<Port> dims, std::vector<NodeId> differences,
                      FragmentFor fragment_for, PartFor part_for)
{
    const auto n = static_cast<unsigned>(dims.size());
    std::vector<unsigned> place(topology.dimension(), n);  // by port, its place in dims
    for (unsigned at = 0; at < n; ++at)
        place[dims[at]] = at;
    std::vector<NodeId> done(std::size_t{n} * n);  // by rotation and stage: the bits that are corrected before it
    for (unsigned i = 0; i < n; ++i)
        for (unsigned k = 0, mask = 0; k < n; mask |= bit(dims[(i + k++) % n]))
            done[i * n + k] = mask;
    return {n, [=, differences = std::move(differences),
                fragment_for = std::move(fragment_for)](Step k, NodeId from, Port port, Fragments& fragments) {
                if (place[port] == n)
                    return;
                const unsigned i = (place[port] + n - k) % n;
                for (const NodeId difference : differences) {
                    if (!has_bit(difference, port))
                        continue;
                    const NodeId source = from ^ (difference & done[i * n + k]);
                    const Fragment whole = fragment_for(source, source ^ difference);
                    const auto [offset, bytes] = part_for(whole.length, n, i, difference);
                    append(fragments, {whole.message, whole.offset + offset, bytes});
                }
            }};
}

Routing complete_exchange(const Topology& topology, FragmentFor fragment_for, PartFor part_for)
{
    std::vector<Port> dims(topology.dimension());
    std::iota(dims.begin(), dims.end(), Port{0});
    std::vector<NodeId> differences(topology.nodes() - 1);
    std::iota(differences.begin(), differences.end(), NodeId{1});
    return complete_send(topology, std::move(dims), std::move(differences), std::move(fragment_for), part_for);
}

double complete_exchange_pieces(const Topology& topology)
{
    const double d = topology.dimension();
    const double n = topology.nodes();
    return d * d * n * n / 2;
}

Routing rotated_exchange(const Topology& topology, const Problem& problem)
{
    const std::uint64_t n = topology.nodes();
    return complete_exchange(
        topology,
        [n, bytes = message_bytes(problem)](NodeId source, NodeId target) {
            return Fragment{source * n + target, 0, bytes};
        },
        dealt_part);
}

CollectiveProgram rotated_program(const Topology& topology, const Problem& problem)
{
    const auto plan = std::make_shared<const AllToAllPlan>(topology.dimension(), message_bytes(problem));
    return [plan](Node& me, NodeData data) { return run_all_to_all_plan(me, *plan, data); };
}

Routing distribute_everywhere(const Topology& topology, const Problem& problem)
{
    const std::uint64_t n = topology.nodes();
    const Routing one = distribute_1(topology, equal_lengths(problem));
    return {one.stages, [one, n](Step stage, NodeId from, Port port, Fragments& fragments) {
                Fragments of_root;
                for (NodeId x = 0; x < n; ++x) {  // where `from` stands, seen from each root
                    of_root.clear();
                    one.packet(stage, x, port, of_root);
                    const NodeId root = from ^ x;
                    for (const Fragment& fragment : of_root)
                        append(fragments, {root * n + (fragment.message ^ root), fragment.offset, fragment.length});
                }
            }};
}

}  // namespace dcube::detail

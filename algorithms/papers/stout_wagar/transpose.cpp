// Transpose of a matrix stored by submatrices: node (a, b) and node (b, a) exchange all they have. Stout & Wagar 1990,
// section 7.2 (L.C. INVERSION). d = 2c, m bytes per node, X packets on every link.
//
//   logical-cubes   (X+1)(tau m/(2X) + beta)   exact if 2X divides m; X >= 2c, or any X if c = 1; the paper's X is kp
//                   2X (tau m/(2X) + beta)     for smaller X: no pipeline
//
// Where a and b differ in k positions, the nodes with the same differences, and the same bits of a elsewhere (the paper
// leaves these out), form a logical k-cube: logical link l flips position p_l of a and b over two paths of two hops. On
// it an INVERSION runs: in stage s logical link l carries part i = l - s (mod k) of the messages. No link has two
// users.
//
// The X packets of a link are dealt out to the k parts, so X need not be a multiple of k. Transmissions: 2 X c N, as
// far as there are bytes. Planning: a table of them, O(X c N) in time and memory.

#include "algorithms/papers/stout_wagar/transpose.hpp"

#include "algorithms/papers/stout_wagar/opposite_corner_send.hpp"
#include "algorithms/programs/cut.hpp"

#include <algorithm>

namespace dcube::detail {

NodeId LogicalInversion::differing(NodeId node) const
{
    return (grid.row(node) ^ grid.column(node)) & (bit(positions) - 1);
}

NodeId LogicalInversion::transposed(NodeId node) const
{
    return node ^ differing(node) ^ differing(node) << grid.c;
}

void LogicalInversion::write(RoutingTable& table, const StringAt& string_at, Step first) const
{
    for (NodeId node = 0; node < bit(2 * grid.c); ++node) {
        const std::size_t k = one_positions(differing(node)).size();
        for (std::size_t link = 0; link < k; ++link)
            for (unsigned half = 0; half < 2; ++half)
                write_link(table, string_at, first, node, link, half);
    }
}

// The packets that `node` sends on half a logical link, stage after stage: the node between passes each on a step
// later.
void LogicalInversion::write_link(RoutingTable& table, const StringAt& string_at, Step first, NodeId node,
                                  std::size_t link, unsigned half) const
{
    const std::vector<Port> p = one_positions(differing(node));
    const std::size_t k = p.size();
    const Port near = half == 0 ? p[link] : grid.c + p[link];
    const Port far = half == 0 ? grid.c + p[link] : p[link];
    Step step = first;
    for (std::size_t stage = 0; stage < k; ++stage) {
        const std::size_t part = (link + k - stage) % k;
        NodeId origin = node;  // it has come over the logical links part, part + 1, ..
        for (std::size_t crossed = 0; crossed < stage; ++crossed)
            origin ^= grid.both(p[(part + crossed) % k]);
        const Fragments string = string_at(origin);
        const Stretch share = balanced_part(x, k, part);  // its share of the X packets
        for (std::size_t packet = 0; packet < share.length; ++packet, step += pace()) {
            const std::size_t number = 2 * share.offset + half * share.length + packet;
            const Fragments fragments = part_of(string, 2 * x, number);
            table.add(step, node, near, fragments);
            table.add(step + 1, node ^ bit(near), far, fragments);
        }
    }
}

Exact logical_inversion_time(unsigned positions, const Exact& bytes, std::size_t x, const LinkCosts& costs)
{
    const bool pipelined = follow_each_other(positions, x);
    return costs.packets(pipelined ? x + 1 : 2 * x, Exact(ceiling(bytes / (2 * x))));
}

namespace {

// The smallest X >= 2c with X (X + 1) >= tau m / (2 beta), or c packets without a pipeline if that is faster.
std::size_t best_packets(unsigned c, const Exact& bytes, const LinkCosts& costs)
{
    const std::size_t most = std::max<std::size_t>(1, Integer(ceiling(bytes / 2)).convert_to<std::size_t>());
    std::size_t pipelined = costs.beta == 0 ? most : std::min(most, least_groups(costs.tau * bytes / (2 * costs.beta)));
    pipelined = std::max<std::size_t>(pipelined, c == 1 ? 1 : 2 * c);
    const bool slower = logical_inversion_time(c, bytes, c, costs) < logical_inversion_time(c, bytes, pipelined, costs);
    return slower ? c : pipelined;
}

}  // namespace

std::size_t packets_for(unsigned positions, const Exact& bytes, const Problem& problem)
{
    if (problem.tuning.groups != 0)
        return problem.tuning.groups;
    return best_packets(positions, bytes, LinkCosts(problem.link));
}

Routing logical_cubes(const Topology& topology, const Problem& problem)
{
    return grid_routing(topology, problem, [&](RoutingTable& table, const MatrixGrid& grid, const StringAt& string_at) {
        const std::size_t x = packets_for(grid.c, matrix_bytes(topology, problem), problem);
        LogicalInversion{grid, grid.c, x}.write(table, string_at, 0);
    });
}

}  // namespace dcube::detail

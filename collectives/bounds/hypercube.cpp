#include "collectives/bounds/hypercube.hpp"

#include "collectives/bounds/demand.hpp"
#include "collectives/bounds/largest.hpp"

namespace dcube {

namespace {

using Kind = Argument::Kind;

/// The half of the nodes in which the highest bit is 0 sends to the other one.
NodeCut highest_dimension()
{
    return {0, {true, false}};
}

/// What all nodes but one make of every block, and no algorithm does with less.
Argument of_transmissions(std::uint64_t n, std::uint64_t m, std::uint64_t per_step, std::string reason)
{
    return {.kind = Kind::hops,
            .name = "transmissions",
            .reason = std::move(reason),
            .factors = {2, n - 1, m},
            .per_step = per_step};
}

/// For node 0 and its antipode, the sums that need the antipode's share.
Argument of_antipode(const Topology& cube, std::uint64_t m, std::uint64_t per_step, std::string reason)
{
    return {.kind = Kind::arriving,
            .name = "antipode",
            .reason = std::move(reason),
            .factors = {m},
            .per_step = per_step,
            .far = cube.dimension(),
            .node = 0,
            .other = cube.nodes() - 1};
}

// Bertsekas et al. 1991, Table I.
Argument all_port_steps(const Topology& cube, const Problem& problem)
{
    const std::uint64_t d = cube.dimension();
    const std::uint64_t n = cube.nodes();
    const std::uint64_t m = problem.packets;
    const NodeId root = problem.root;
    const NodeId antipode = root ^ (cube.nodes() - 1);
    switch (problem.collective) {
    case Collective::broadcast:
        return {.kind = Kind::arriving,
                .name = "antipode",
                .reason = "the antipode is d hops away, and takes at most d packets a step",
                .factors = {m},
                .per_step = d,
                .far = d,
                .node = antipode,
                .other = root};
    case Collective::reduce:
        return {.kind = Kind::leaving,
                .name = "antipode",
                .reason = "the antipode's share of every block leaves it by d links, and has d hops to go",
                .factors = {m},
                .per_step = d,
                .far = d,
                .node = antipode,
                .other = root};
    case Collective::scatter:
        return {.kind = Kind::leaving,
                .name = "root-links",
                .reason = "all packets for the other nodes leave the root by d links",
                .factors = {n - 1, m},
                .per_step = d,
                .node = root};
    case Collective::gather:
        return {.kind = Kind::arriving,
                .name = "root-links",
                .reason = "all packets of the other nodes enter the root by d links",
                .factors = {n - 1, m},
                .per_step = d,
                .node = root};
    case Collective::all_gather:
        return {.kind = Kind::arriving,
                .name = "node-links",
                .reason = "every node receives the packets of all others on d links",
                .factors = {n - 1, m},
                .per_step = d};
    case Collective::reduce_scatter:
        return {.kind = Kind::leaving,
                .name = "node-links",
                .reason = "every node sends its share of all other blocks on d links",
                .factors = {n - 1, m},
                .per_step = d};
    case Collective::all_reduce:
        return largest({of_antipode(cube, m, d,
                                    "the antipode is d hops away, and a node takes at most d of the sums that need its "
                                    "share a step"),
                        of_transmissions(n, m, d * n, "every block needs 2(N-1) transmissions, over dN links")});
    case Collective::all_to_all:
        return {.kind = Kind::cut,
                .name = "cut",
                .reason = "half of all packets cross each dimension, over N/2 links in each direction",
                .factors = {n / 2, n / 2, m},
                .per_step = n / 2,
                .cut = highest_dimension()};
    case Collective::send:
    case Collective::exchange:
    case Collective::permute:
    case Collective::matrix_transpose:
    case Collective::matrix_quarter_turn:
    case Collective::matrix_half_turn:
    case Collective::matrix_relayout: return steps_by_demand(cube, PortModel::all, problem);
    }
    return {};
}

Argument one_port_steps(const Topology& cube, const Problem& problem)
{
    const std::uint64_t d = cube.dimension();
    const std::uint64_t n = cube.nodes();
    const std::uint64_t m = problem.packets;
    const NodeId root = problem.root;
    switch (problem.collective) {
    case Collective::broadcast:
        return {.kind = Kind::doubling,
                .name = "doubling",
                .reason = "the last packet leaves the root in step m or later, and its holders at most double a step",
                .factors = {m},
                .far = d,
                .node = root};
    case Collective::reduce:
        return {.kind = Kind::doubling,
                .name = "doubling",
                .reason = "the root completes at most one block a step, and none before step d, as shares at most "
                          "halve a step",
                .factors = {m},
                .far = d,
                .node = root};
    case Collective::scatter:
        return {.kind = Kind::leaving,
                .name = "root-links",
                .reason = "the root sends one packet a step",
                .factors = {n - 1, m},
                .node = root};
    case Collective::gather:
        return {.kind = Kind::arriving,
                .name = "root-links",
                .reason = "the root receives one packet a step",
                .factors = {n - 1, m},
                .node = root};
    case Collective::all_gather:
        return {.kind = Kind::arriving,
                .name = "node-links",
                .reason = "every node receives one packet a step",
                .factors = {n - 1, m}};
    case Collective::reduce_scatter:
        return {.kind = Kind::leaving,
                .name = "node-links",
                .reason = "every node sends one packet a step",
                .factors = {n - 1, m}};
    case Collective::all_reduce:
        return largest({of_antipode(cube, m, 1,
                                    "the antipode is d hops away, and a node takes one of the sums that need its share "
                                    "a step"),
                        of_transmissions(n, m, n, "every block needs 2(N-1) transmissions, N a step")});
    case Collective::all_to_all:
        return {.kind = Kind::hops,
                .name = "hops",
                .reason = "the sum of all distances, N sends a step",
                .factors = {n, cube.status(0), m},
                .per_step = n};
    case Collective::send:
    case Collective::exchange:
    case Collective::permute:
    case Collective::matrix_transpose:
    case Collective::matrix_quarter_turn:
    case Collective::matrix_half_turn:
    case Collective::matrix_relayout: return steps_by_demand(cube, PortModel::one, problem);
    }
    return {};
}

}  // namespace

Argument steps_on_hypercube(const Topology& cube, PortModel ports, const Problem& problem)
{
    return ports == PortModel::all ? all_port_steps(cube, problem) : one_port_steps(cube, problem);
}

}  // namespace dcube

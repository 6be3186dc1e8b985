#include "algorithms/papers/stout_wagar/matrix_grid.hpp"

#include "algorithms/programs/matrix_program.hpp"

#include <utility>

namespace dcube::detail {

Routing grid_routing(const Topology& topology, const Problem& problem,
                     const std::function<void(RoutingTable&, const MatrixGrid&, const StringAt&)>& write)
{
    RoutingTable table(topology);
    if (topology.nodes() > 1) {
        const MatrixMove move(problem, topology);
        const std::size_t bytes = matrix_bytes(topology, problem);
        write(table, MatrixGrid{topology.dimension() / 2}, [&](NodeId origin) {
            return Fragments{{origin * std::uint64_t{topology.nodes()} + only_target(move, origin), 0, bytes}};
        });
    }
    return std::move(table).routing();
}

std::size_t matrix_bytes(const Topology& topology, const Problem& problem)
{
    return problem.rows * problem.columns / topology.nodes() * size_of(problem.type);
}

NodeId only_target(const MatrixMove& move, NodeId origin)
{
    return move.target({origin, 0}).node;
}

bool in_rows(MatrixLayout layout)
{
    return layout != MatrixLayout::submatrices && layout != MatrixLayout::submatrices_gray;
}

Entry matrix_entry(Entry head, MakeRouting routing, RoutingKind kind)
{
    head.link = LinkKind::link_bound;
    head.prepare = [routing](const Topology& topology, const Problem& problem) {
        return matrix_program(topology, problem, routing(topology, problem));
    };
    return routing_entry(std::move(head), std::move(routing), std::move(kind));
}

}  // namespace dcube::detail

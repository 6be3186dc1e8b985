#include "algorithms/formulas.hpp"

#include "algorithms/programs/cut.hpp"
#include "algorithms/programs/link_costs.hpp"
#include "algorithms/programs/renaming.hpp"

#include <dcube/layout.hpp>
#include <dcube/matrix.hpp>

#include <cassert>
#include <optional>

namespace dcube::detail {

namespace {

// The hops that the one message, or node 0's, has to go; 0 in other collectives.
unsigned distance_of(const Topology& topology, const Problem& problem)
{
    if (has_peer(problem.collective))
        return topology.distance(problem.root, problem.peer);
    if (has_permutation(problem.collective))
        return topology.distance(0, problem.permutation[0]);
    if (problem.collective == Collective::matrix_half_turn)
        return topology.distance(0, MatrixMove(problem, topology).target({0, 0}).node);
    return 0;
}

std::uint64_t whole(const Exact& value)
{
    assert(denominator(value) == 1);
    return numerator(value).convert_to<std::uint64_t>();
}

}  // namespace

Letters letters_of(LinkKind link, const Topology& topology, const Problem& problem)
{
    if (const Recognition* const known = known_for(topology, problem))
        return letters_of(link, known->network, renamed(problem, *known));
    const unsigned d = topology.dimension();
    Letters letters{{"d", d}, {"N", topology.members()}};
    if (link == LinkKind::unit) {
        letters["m"] = problem.packets;
        return letters;
    }
    const Exact bytes = Layout(problem, topology).message;
    letters["m"] = bytes;
    letters["p"] = bytes / topology.members();
    letters["c"] = d / 2;
    letters["e"] = unit_of(problem);
    letters["tau"] = exact(problem.link.tau);
    letters["beta"] = exact(problem.link.beta);
    if (const unsigned h = distance_of(topology, problem); h > 0) {
        letters["h"] = h;
        letters["K"] = k_sum(h - 1);
    }
    return letters;
}

Entry costed_by_formula(Entry head)
{
    if (!head.formula.steps.empty())
        head.cost = [formula = head.formula](const Topology& topology, const Problem& problem) {
            if (topology.nodes() == 1)
                return Cost{0, 0};
            const Letters letters = letters_of(LinkKind::unit, topology, problem);
            return Cost{whole(Formula(formula.steps).value(letters)),
                        whole(Formula(formula.transmissions).value(letters))};
        };
    if (!head.formula.time.empty())
        head.time = [formula = head.formula](const Topology& topology, const Problem& problem) {
            if (topology.nodes() == 1)
                return std::optional(Rational{});
            return std::optional(
                to_rational(Formula(formula.time).value(letters_of(LinkKind::link_bound, topology, problem))));
        };
    return head;
}

}  // namespace dcube::detail

// Formulas with values that a search finds, or a term for each factor, come to what the program computes.

#include "collectives/example.hpp"
#include "inspect/explain/case.hpp"
#include "inspect/explain/costs.hpp"
#include "tests/inspect/explain/arithmetic.hpp"
#include "tests/support/catch.hpp"

#include <map>
#include <string>

using namespace dcube;
using namespace dcube::explain;

namespace {

void check_last_line(const WorkedOut& worked, const detail::Exact& value)
{
    REQUIRE(worked.lines.size() > 1);
    CHECK(worked.remark.empty());
    CHECK(!worked.said.empty());
    CHECK(test::evaluated(worked.lines.back()).value == value);
}

const Entry& entry(std::string_view name, Collective collective)
{
    for (const Entry& algorithm : catalogue())
        if (algorithm.name == name && algorithm.collective == collective && algorithm.link == LinkKind::link_bound)
            return algorithm;
    throw std::logic_error("no such entry");
}

}  // namespace

TEST_CASE("formulas: the formula of a product has a term for each factor", "[explain]")
{
    std::map<std::string, int> compared;
    for (const Entry& algorithm : catalogue())
        for (const char* const network :
             {"torus:3x3", "torus:6x6", "torus:5x4", "mesh:3x5", "ring:5", "path:3*petersen", "kary:3^4", "ghc:3x4",
              "ring:5*path:4*complete:3", "ring:6*path:4", "complete:3*path:3*ring:4", "star:3*ring:3"}) {
            const Topology topology = Topology::parse(network);
            Case one{topology, algorithm.ports, example_problem(algorithm.collective, topology)};
            if (algorithm.link == LinkKind::link_bound || !contains(algorithm.networks, topology) ||
                !obstacle_of(algorithm, topology, algorithm.ports, one.problem).empty())
                continue;
            for (const std::size_t packets : {1U, 3U}) {
                one.problem.packets = packets;
                if (!algorithm.case_formula(topology, one.problem))
                    continue;
                CAPTURE(algorithm.name, network, packets);
                check_last_line(worked_out(algorithm, one).front(), algorithm.cost(topology, one.problem).steps);
                ++compared[std::string(algorithm.name)];
            }
        }
    for (const char* const name : {"row-by-row", "factor-by-factor", "edge-colouring", "digit-rounds", "homogeneous",
                                   "interleaved", "grouped"}) {
        CAPTURE(name);
        CHECK(compared[name] > 0);
    }
}

TEST_CASE("formulas: with the values that the program chose, formulas give its time", "[explain][long]")
{
    const auto check = [](std::string_view name, Collective collective, unsigned d, std::size_t bytes, NodeId peer,
                          std::size_t groups, std::size_t detour_groups = 0) {
        const Entry& algorithm = entry(name, collective);
        const Topology topology = Topology::hypercube(d);
        Case one = example_case(algorithm, topology, Size::usual);
        if (is_matrix(collective)) {
            one.problem.rows = std::size_t{1} << d;
            one.problem.columns = bytes;
        } else {
            one.problem.bytes = bytes;
        }
        if (has_peer(collective))
            one.problem.peer = peer;
        one.problem.tuning = {.groups = groups, .detour_groups = detour_groups};
        CAPTURE(name, d, bytes, peer, groups, detour_groups);
        REQUIRE(obstacle_of(algorithm, topology, PortModel::all, one.problem).empty());
        REQUIRE(algorithm.case_formula(topology, one.problem));
        check_last_line(worked_out(algorithm, one).front(),
                        detail::exact(algorithm.time(topology, one.problem).value()));
    };
    for (const unsigned d : {3U, 4U, 6U}) {
        const std::size_t bytes = std::size_t{27720} << d;
        check("waves", Collective::scatter, d, bytes, 0, 0);
        check("waves", Collective::gather, d, bytes, 0, 0);
        check("scatter-all-gather", Collective::broadcast, d, bytes, 0, 0);
        for (const NodeId peer : {NodeId{1}, NodeId{3}, (NodeId{1} << d) - 1}) {
            check("waves", Collective::send, d, bytes, peer, 2);
            check("waves", Collective::send, d, bytes, peer, 0);
            for (const Collective collective : {Collective::send, Collective::exchange}) {
                check("subcubes", collective, d, 27720, peer, 0);
                check("subcubes-balanced", collective, d, 2520, peer, 0);
                check("subcubes", collective, d, 27720, peer, 1, 3);
            }
        }
    }
    for (const unsigned d : {2U, 4U, 6U})
        for (const std::size_t bytes : {std::size_t{16} << d, std::size_t{64} << d, std::size_t{1024} << d}) {
            check("logical-cubes", Collective::matrix_transpose, d, bytes, 0, 0);
            check("logical-cubes", Collective::matrix_transpose, d, bytes, 0, d);
            check("two-halves", Collective::matrix_quarter_turn, d, bytes, 0, 0);
        }
}

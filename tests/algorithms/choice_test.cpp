// The choices of "auto" on link-bound machines.

#include "tests/support/catch.hpp"
#include "tests/support/link_bound.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/dcube.hpp>

#include <string>
#include <utility>

using namespace dcube;
using namespace test_support;

namespace {

std::string full_name(const Entry& algorithm)
{
    return (algorithm.link == LinkKind::unit ? "unit:" : "") + std::string(algorithm.name);
}

}  // namespace

TEST_CASE("auto is never slower than another algorithm that it could have chosen, as predicted and as run",
          "[link-bound][long]")
{
    test_support::Sample sample(7, 3);
    for (const Collective collective :
         {Collective::broadcast, Collective::reduce, Collective::scatter, Collective::gather, Collective::all_gather,
          Collective::reduce_scatter, Collective::all_reduce, Collective::all_to_all, Collective::send,
          Collective::exchange, Collective::permute, Collective::matrix_transpose, Collective::matrix_quarter_turn}) {
        for (const unsigned d : {2U, 4U, 6U}) {
            constexpr unsigned largest = smaller(6U, 4U);
            const bool large = d == largest;
            if (d > largest || (large && collective == Collective::all_to_all))
                continue;
            const Topology topology = Topology::hypercube(d);
            for (const std::size_t bytes : {60U, 960U, 15360U}) {
                if (large && bytes == 960)
                    continue;
                if (bytes > 960 && (collective == Collective::all_to_all || collective == Collective::all_gather ||
                                    collective == Collective::reduce_scatter))
                    continue;
                for (const auto& [tau, beta] : {std::pair{1, 10}, {1, 1000}, {3, 0}, {0, 7}}) {
                    if ((large && beta < 10) || !sample.takes_next())
                        continue;
                    Problem problem{.collective = collective, .bytes = bytes, .root = 1};
                    problem.peer = d == 2 ? 2 : 6;
                    problem.permutation = permutation_by_name(bytes == 60 ? "rotation" : "inversion", topology);
                    problem.rows = problem.columns = topology.nodes() * (bytes < 1000 ? 1 : 4);
                    problem.layout = bytes == 60 ? MatrixLayout::rows_blocked : MatrixLayout::submatrices;
                    problem.link = link_bound(tau, beta);
                    const Entry& chosen = find_algorithm(topology, PortModel::all, problem);
                    const Rational predicted = predicted_time(chosen, topology, problem).value().ns;
                    const Rational measured = virtual_time(d, problem, "auto");
                    CHECK(predicted == measured);
                    for (const Entry& other : catalogue()) {
                        if (other.collective != collective || !other.automatic ||
                            !obstacle_of(other, topology, PortModel::all, problem).empty())
                            continue;
                        INFO(name(collective) << " d=" << d << " m=" << bytes << " tau=" << tau << " beta=" << beta
                                              << ": " << chosen.name << " against " << other.name);
                        CHECK(predicted <= predicted_time(other, topology, problem).value().ns);
                        CHECK(measured <= virtual_time(d, problem, full_name(other)));
                    }
                }
            }
        }
    }
}

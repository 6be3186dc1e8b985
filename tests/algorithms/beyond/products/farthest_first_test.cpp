// farthest-first: legal schedules, bounded work.

#include "algorithms/papers/dimakopoulos/exchanges.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/exchange_check.hpp"
#include "tests/support/same_schedule.hpp"
#include "tests/support/search_figures.hpp"

#include <vector>

using namespace dcube;
using namespace dcube::detail;
using dcube::test::check_at_most;
using dcube::test::exchange_fault;
using dcube::test::Figure;

namespace {

constexpr std::uint64_t no_limit = ~std::uint64_t{0};

}  // namespace

TEST_CASE("farthest-first: a total exchange takes at most as many steps as by a plain greedy method", "[dimakopoulos]")
{
    // Steps are those of a plain greedy method, the best of a few seeds; the Petersen graph's are its cut's.
    const std::vector<Figure> figures = {
        {"petersen", 5},    {"hypercube:3", 5},    {"hypercube:4", 10},   {"hypercube:5", 20}, {"torus:3x4", 7},
        {"torus:4x6", 20},  {"torus:5x5", 18},     {"torus:6x6", 33},     {"kary:4^3", 40},    {"ghc:4x4", 6},
        {"ghc:3x4x5", 25},  {"mesh:3x3", 7},       {"mesh:4x4", 18},      {"mesh:3x5", 19},    {"mesh:3x3x3", 23},
        {"mesh:3x4x5", 78}, {"path:4*ring:3", 13}, {"path:5*ring:7", 45}, {"hypercube:0", 0}};
    check_at_most(figures, PortModel::all, farthest_first);
}

TEST_CASE("farthest-first: planning twice gives the same schedule, and more tries give no longer one", "[dimakopoulos]")
{
    const Topology mesh = Topology::parse("mesh:3x4");
    const auto of_tries = [&](unsigned tries) { return *farthest_first_within(mesh, tries, no_limit); };
    CHECK(dcube::test::same(of_tries(5), of_tries(5)));
    CHECK(of_tries(20).steps <= of_tries(1).steps);
}

TEST_CASE("farthest-first: planning is limited by the packets looked at, not by a clock", "[dimakopoulos]")
{
    const Topology mesh = Topology::parse("mesh:3x4");
    CHECK_FALSE(farthest_first_within(mesh, 8, 0).has_value());
    CHECK_FALSE(farthest_first_within(mesh, 8, 20).has_value());
    // With looks for some of the tries the schedule is the best of these.
    const auto some = farthest_first_within(mesh, 1, no_limit);
    std::uint64_t enough = 1;
    while (!farthest_first_within(mesh, 8, enough))
        enough *= 2;
    CHECK(exchange_fault(mesh, PortModel::all, *farthest_first_within(mesh, 8, enough)) == "");
    CHECK(farthest_first_within(mesh, 1, enough)->steps == some->steps);
}

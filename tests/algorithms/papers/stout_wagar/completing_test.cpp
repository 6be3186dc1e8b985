// All-gather, all-to-all, permute, reduce-scatter and all-reduce on link-bound machines: the times of Stout & Wagar
// 1990, sections 6 and 8. Sizes that divide have the paper's times; the others were worked out by a byte-by-byte
// simulation of the link model that shares nothing with dcube.

#include "algorithms/papers/stout_wagar/all_to_all_plan.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/link_bound_table.hpp"

#include <dcube/dcube.hpp>

#include <algorithm>
#include <vector>

using namespace dcube;
using namespace test_support;

namespace {

auto permuted(const char* name)
{
    return [name](Problem& problem, const LinkColumn& column) {
        problem.permutation = permutation_by_name(name, Topology::hypercube(column.d));
    };
}

auto odd_permuted(const char* name)
{
    return [name](Problem& problem, unsigned d) {
        problem.permutation = permutation_by_name(name, Topology::hypercube(d));
    };
}

}  // namespace

TEST_CASE("completed operations take the times of the paper's section 6 where sizes divide", "[link-bound]")
{
    CHECK(times(Collective::all_gather, "AG") == "86 468 760 2560 6002 18356");      // (2^d - 1) tau m/d + d beta
    CHECK(times(Collective::all_to_all, "A2A") == "126 588 1576 5008 15410 46580");  // 2^(d-1) tau m + d beta
    CHECK(times(Collective::all_to_all, "COMPLETE EXCHANGE") == "126 588 1576 5008 15410 46580");  // the same
    CHECK(times(Collective::permute, "INV", permuted("inversion")) ==
          "54 372 232 976 1010 3380");                                                             // d (tau m/d + beta)
    CHECK(times(Collective::permute, "PS", permuted("rotation")) == "84 672 272 1376 1060 3880");  // tau m + 2 d beta
}

TEST_CASE("parts that are a byte longer cost all-gather and reduce-scatter few bytes' time", "[link-bound]")
{
    for (const Collective collective : {Collective::all_gather, Collective::reduce_scatter}) {
        // By another program's cut 278; by parts staggered in the old way 280.
        Problem issue{.collective = collective, .bytes = 63, .type = ElementType::uint8};
        issue.link = link_bound(1, 10);
        const Topology cube = Topology::hypercube(4);
        const Entry& rotated = find_algorithm(cube, PortModel::all, issue, "rotated");
        CHECK(predicted_time(rotated, cube, issue)->ns == Rational{277, 1});
        for (unsigned d = 2; d <= 9; ++d)
            for (std::size_t bytes = 3 * d; bytes < 4 * d; ++bytes) {
                CAPTURE(name(collective), d, bytes);
                const Topology network = Topology::hypercube(d);
                Problem problem{.collective = collective, .bytes = bytes, .type = ElementType::uint8};
                problem.link = link_bound(1, 10);
                const auto time =
                    predicted_time(find_algorithm(network, PortModel::all, problem, "rotated"), network, problem);
                REQUIRE(time->exact);
                const std::size_t least = ((network.nodes() - 1) * bytes + d - 1) / d + d * 10;
                CHECK(time->ns.numerator >= static_cast<std::int64_t>(least));
                CHECK(time->ns.numerator <= static_cast<std::int64_t>(least) + 12);
            }
    }
}

TEST_CASE("reduce-scatter takes the time of the paper's section 8", "[link-bound]")
{
    // (1 - 2^-d) tau M/d + d beta, where M is the whole vector.
    CHECK(times(Collective::reduce_scatter, "RS", [](Problem& problem, const LinkColumn& column) {
              problem.bytes >>= column.d;
          }) == "37 321 85 535 236 1058");
}

TEST_CASE("all-reduce takes its time for any number of halvings", "[link-bound]")
{
    // 2(1-2^-q) tau M/d + (d-q) tau M/(d 2^q) + (d+q) beta for q = d, d - 1 and 0
    const auto less_than_d = [](unsigned less) {
        return [less](Problem& problem, const LinkColumn& column) { problem.tuning.halvings = column.d - less; };
    };
    CHECK(times(Collective::all_reduce, "AR", less_than_d(0)) == "74 642 170 1070 472 2116");
    CHECK(times(Collective::all_reduce, "AR", less_than_d(1)) == "64 542 160 970 462 2016");
    CHECK(times(Collective::all_reduce, "AR", [](Problem& problem, const LinkColumn&) {
              problem.tuning.halvings = 0;
          }) == "54 372 232 976 1010 3380");
}

TEST_CASE("completed operations of sizes that do not divide take what whole bytes allow", "[link-bound]")
{
    CHECK(odd_times(Collective::all_gather, "AG") == "55 67 196 34");  // (2^d - 1) m/d + 10 d: at least 54 67 193 33
    CHECK(odd_times(Collective::all_to_all, "A2A") == "72 98 420 36");
    CHECK(odd_times(Collective::permute, "INV", odd_permuted("inversion")) == "42 48 75 33");  // d (ceil(m/d) + 10)
    CHECK(odd_times(Collective::permute, "PS", odd_permuted("rotation")) == "77 98 139 69");
}

TEST_CASE("messages are dealt out to rotations whole, but where their differences are periodic", "[link-bound]")
{
    for (unsigned d = 1; d <= 10; ++d)
        for (const std::size_t bytes : {std::size_t{1}, std::size_t{7}, std::size_t{64}, std::size_t{360}}) {
            CAPTURE(d, bytes);
            std::vector<std::size_t> of_rotation(d);
            std::size_t cut = 0;
            for (NodeId relative = 1; relative >> d == 0; ++relative) {
                std::size_t covered = 0;
                for (unsigned i = 0; i < d; ++i) {
                    const detail::Stretch part = detail::dealt_part(bytes, d, i, relative);
                    CHECK((part.length == 0 || part.offset == covered));
                    covered += part.length;
                    of_rotation[i] += part.length;
                    cut += part.length != 0 && part.length != bytes ? 1 : 0;
                }
                REQUIRE(covered == bytes);
            }
            if (bytes % d == 0)
                CHECK(std::ranges::all_of(of_rotation, [&](std::size_t all) { return all == of_rotation[0]; }));
            if (d == 10 && bytes == 360)
                CHECK(cut == 30 * 2 + 2 * 5 + 10);  // 6 orbits of 5, one of 2, and all ones
        }
}

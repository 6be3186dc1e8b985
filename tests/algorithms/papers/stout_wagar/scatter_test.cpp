// Scatter and gather on link-bound machines: the times of Stout & Wagar 1990, section 5. Sizes that divide have the
// paper's times; the others were worked out by a byte-by-byte simulation of the link model that shares nothing with
// dcube.

#include "tests/support/catch.hpp"
#include "tests/support/link_bound_table.hpp"

#include <dcube/dcube.hpp>

using namespace dcube;
using namespace test_support;

TEST_CASE("scatter and gather take the times of the paper's section 5 where sizes divide", "[link-bound]")
{
    for (const Collective collective : {Collective::scatter, Collective::gather}) {
        INFO(name(collective));
        // (2^d - 1) tau m/d + d beta, with O.C. SEND 2 and with O.C. SEND 3
        CHECK(times(collective, "D1") == "86 468 760 2560 6002 18356");
        CHECK(times(collective, "D1 even") == "86 468 760 2560 6002 18356");
        // (2^d - 1) tau m/d + k beta with k = 2 waves, for d = 5 with 3
        CHECK(times(collective, "D2", [](Problem& problem, const LinkColumn& column) {
                  problem.tuning.waves = column.d == 3 ? "32|1" : column.d == 4 ? "432|1" : "543|2|1";
              }) == "78 444 744 2512 5982 18156");
    }
}

TEST_CASE("scatter of sizes that do not divide takes what whole bytes allow", "[link-bound]")
{
    CHECK(odd_times(Collective::scatter, "D1") == "54 67 193 33");
    CHECK(odd_times(Collective::scatter, "D1 even") == "54 70 198 34");
}

TEST_CASE("scatter: the paper's example of two waves on three dimensions", "[link-bound]")
{
    // Section 5: all messages have arrived by 7/3 tau m + 2 beta if beta <= tau m/3, as 10 = 30/3 is.
    Problem problem{.collective = Collective::scatter, .bytes = 30};
    problem.link = link_bound(1, 10);
    problem.tuning.waves = "32|1";
    CHECK(virtual_time(3, problem, "waves") == Rational{70 + 20});
    // With a longer start-up the messages for distance 2 arrive last, at 2 tau m + 3 beta.
    problem.link = link_bound(1, 60);
    CHECK(virtual_time(3, problem, "waves") == Rational{60 + 180});
}

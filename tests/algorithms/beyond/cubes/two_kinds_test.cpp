#include "algorithms/beyond/cubes/all_reduce_two_kinds.hpp"
#include "algorithms/programs/cube.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/hypercube_run.hpp"
#include "tests/support/sizes.hpp"
#include "tests/support/table_1.hpp"

#include <fmt/format.h>

#include <cstdlib>

using namespace dcube;
using namespace dcube::detail;
using namespace test_support;

namespace {

constexpr unsigned with_tables[] = {5, 6, 7, 10, 11, 12, 13, 14};

Cost two_kinds_cost(unsigned d, std::size_t blocks)
{
    const Topology cube = Topology::hypercube(d);
    const Problem problem{Collective::all_reduce, 1, blocks};
    return find_algorithm(cube, PortModel::all, problem, "two-kinds").cost(cube, problem);
}

// Why a table breaks the rules that make it an all-reduce without collisions, else empty.
// Two tables stand in one: step q + t has the links of t, and backwards the mirrored ones of -t.
std::string two_kinds_fault(const Kinds& kinds, const KindTable& table)
{
    const NodeId nodes = bit(kinds.d);
    std::array<std::vector<bool>, 2> reached{std::vector<bool>(nodes), std::vector<bool>(nodes)};
    reached[0][home(Kind::a)] = reached[1][home(Kind::b)] = true;
    std::array<int, 2> first{kinds.q, kinds.q};
    std::vector<bool> used(std::size_t{4} * static_cast<unsigned>(kinds.q) * kinds.d);
    const auto is_new = [&](int step, unsigned of_class, Port k) {
        const std::size_t slot = (static_cast<std::size_t>(step) * 2 + of_class) * kinds.d + k;
        const bool before = used[slot];
        used[slot] = true;
        return !before;
    };
    for (auto link = table.begin(); link != table.end();) {
        const int t = link->t;
        const auto end = std::find_if(link, table.end(), [t](const KindLink& next) { return next.t != t; });
        if (std::abs(t) >= kinds.q || (end != table.end() && end->t < t))
            return fmt::format("t = {} is not between {} and {}, or comes after a later one", t, 1 - kinds.q,
                               kinds.q - 1);
        for (auto one = link; one != end; ++one)
            if (one->k >= kinds.d || one->x >= nodes || !reached[one->kind == Kind::a ? 0 : 1][one->x])
                return fmt::format("t = {}: {}/{} does not lead from a reached node", t, one->x, one->k);
        for (; link != end; ++link) {
            const auto [at, kind, x, k] = *link;
            const NodeId y = x ^ bit(k);
            const unsigned number = kind == Kind::a ? 0 : 1;
            if (reached[number][y])
                return fmt::format("t = {}: node {} is reached twice", t, y);
            reached[number][y] = true;
            first[number] = std::min(first[number], t);
            if (!is_new(kinds.q + t, kinds.class_of(x), k) ||
                !is_new(kinds.q - t, kinds.class_of(kinds.mirrored(kind, y)), kinds.turned_port(k)))
                return fmt::format("t = {}: {}/{} or its mirror image takes a slot that is taken", t, x, k);
        }
    }
    if (table.size() != 2 * (std::size_t{nodes} - 1))
        return fmt::format("{} links cannot reach {} nodes twice", table.size(), nodes - 1);
    if (first[0] + first[1] <= 0)  // sums are whole in step q - first of the other kind
        return "a kind is spread before it is gathered";
    return {};
}

}  // namespace

TEST_CASE("two-kinds: the tables keep their rules", "[algorithms][bertsekas]")
{
    for (const unsigned d : with_tables) {
        if (d > smaller(14U, 7U))
            break;
        CAPTURE(d);
        const std::optional<Kinds> kinds = Kinds::of(d);
        REQUIRE(kinds.has_value());
        CHECK(two_kinds_fault(*kinds, two_kinds_table(*kinds)) == "");
    }
}

TEST_CASE("two-kinds: mirroring takes neighbours of one kind to neighbours of the other, over the turned port",
          "[algorithms][bertsekas]")
{
    for (const unsigned d : with_tables) {
        const Kinds kinds = *Kinds::of(d);
        for (const Kind kind : {Kind::a, Kind::b}) {
            CHECK(kinds.mirrored(kind, home(kind)) == home(other(kind)));
            for (NodeId x = 0; x < NodeId{1} << d; x += 1 + x / 16)
                for (Port k = 0; k < d; ++k) {
                    const NodeId y = x ^ NodeId { 1 } << k;
                    const NodeId across = kinds.mirrored(kind, x) ^ kinds.mirrored(kind, y);
                    REQUIRE(across == NodeId{1} << kinds.turned_port(k));
                    REQUIRE(kinds.mirrored(other(kind), kinds.mirrored(kind, x)) == x);
                }
            CHECK(kinds.class_of(kinds.mirrored(kind, home(kind))) != kinds.class_of(home(kind)));
        }
    }
}

TEST_CASE("two-kinds: a table that breaks a rule is detected", "[algorithms][bertsekas][negative]")
{
    for (const unsigned d : {5U, 6U}) {
        const Kinds kinds = *Kinds::of(d);
        const KindTable right = two_kinds_table(kinds);
        REQUIRE(two_kinds_fault(kinds, right) == "");
        for (std::size_t row = 0; row < right.size(); ++row) {
            CAPTURE(d, row);
            const auto fault = [&](const auto& change) {
                KindTable wrong = right;
                change(wrong, wrong[row]);
                return two_kinds_fault(kinds, wrong);
            };
            CHECK(fault([&](KindTable& all, KindLink&) {
                      all.erase(all.begin() + static_cast<std::ptrdiff_t>(row));
                  }) != "");
            CHECK(fault([&](KindTable& all, KindLink& link) {
                      all.insert(all.begin() + static_cast<std::ptrdiff_t>(row), KindLink(link));
                  }) != "");
            CHECK(fault([](KindTable&, KindLink& link) { link.x ^= 16; }) != "");
            CHECK(fault([d](KindTable&, KindLink& link) { link.k = (link.k + 1) % d; }) != "");
            CHECK(fault([](KindTable&, KindLink& link) { link.kind = other(link.kind); }) != "");
            CHECK(fault([](KindTable&, KindLink& link) { link.k += 32; }) != "");
            CHECK(fault([&](KindTable&, KindLink& link) { link.t = kinds.q; }) != "");
        }
    }
}

// Kind A is moved so far back that nothing meets, and its spreading comes before its gathering, which follows kind B.
TEST_CASE("two-kinds: a table that spreads a block before it is gathered is detected",
          "[algorithms][bertsekas][negative]")
{
    Kinds kinds = *Kinds::of(5);
    KindTable early = two_kinds_table(kinds);
    kinds.q = 40;
    for (KindLink& link : early)
        if (link.kind == Kind::a)
            link.t -= 20;
    std::ranges::stable_sort(early, {}, &KindLink::t);
    CHECK(two_kinds_fault(kinds, early) == "a kind is spread before it is gathered");
}

TEST_CASE("all-reduce of N blocks takes ceil(2 (N-1)/d) steps, on every cube of up to 14 dimensions",
          "[algorithms][bertsekas]")
{
    for (const Table1Row& row : table_1) {
        CAPTURE(row.d);
        const Topology cube = Topology::hypercube(row.d);
        const Problem problem{Collective::all_reduce, 1, cube.nodes()};
        CHECK(find_algorithm(cube, PortModel::all, problem).cost(cube, problem).steps == row.all_reduce_bound);
        if (std::ranges::find(with_tables, row.d) != std::end(with_tables))
            CHECK(two_kinds_cost(row.d, cube.nodes()) ==
                  Cost{row.all_reduce_bound, std::uint64_t{2} * cube.nodes() * (cube.nodes() - 1)});
        else
            CHECK_THROWS_WITH(two_kinds_cost(row.d, cube.nodes()),
                              Catch::Contains("it is for dimensions 5, 6, 7 and 10 to 14"));
    }
}

TEST_CASE("two-kinds: all-reduce of N blocks runs in as many steps as its lower bound says", "[algorithms][bertsekas]")
{
    for (const Table1Row& row : table_1) {
        if (row.d > smaller(10U, 5U))
            break;
        CAPTURE(row.d);
        const Report best = run_one(row.d, PortModel::all, Collective::all_reduce, std::size_t{1} << row.d, "auto", 2);
        CHECK(best.verified);
        CHECK(best.counts.steps == row.all_reduce_bound);
        CHECK(best.steps_optimal());
        if (std::ranges::find(with_tables, row.d) != std::end(with_tables))
            CHECK(best.transmissions_optimal());
    }
}

TEST_CASE("two-kinds runs as its entry promises, with any number of blocks and threads", "[algorithms][bertsekas]")
{
    for (const unsigned d : {5U, 6U, 7U}) {
        const std::size_t n = std::size_t{1} << d;
        for (const std::size_t blocks : {std::size_t{2}, std::size_t{3}, n / 2 + 1, n - 1, n}) {
            CAPTURE(d, blocks);
            const Report one = run_one(d, PortModel::all, Collective::all_reduce, blocks, "two-kinds", 1);
            const Report three = run_one(d, PortModel::all, Collective::all_reduce, blocks, "two-kinds", 3);
            CHECK(one.verified);
            CHECK(counted(one) == two_kinds_cost(d, blocks));
            CHECK(counted(three) == counted(one));
            CHECK(three.result_digest == one.result_digest);
        }
    }
    CHECK_THROWS_WITH(two_kinds_cost(5, 1), Catch::Contains("it is for vectors of 2 to N = 32 blocks"));
    CHECK_THROWS_WITH(two_kinds_cost(5, 33), Catch::Contains("it is for vectors of 2 to N = 32 blocks"));
}

#include "tests/support/catch.hpp"
#include "tests/support/hypercube_run.hpp"
#include "tests/support/sizes.hpp"

#include <algorithm>
#include <set>

using namespace dcube;
using namespace test_support;

namespace {

const char* fold_for(PortModel ports)
{
    return ports == PortModel::all ? "fold" : "fold-one";
}

Cost fold_cost(unsigned d, PortModel ports, std::size_t blocks)
{
    const Topology cube = Topology::hypercube(d);
    const Problem problem{Collective::all_reduce, 1, blocks};
    return find_algorithm(cube, ports, problem, fold_for(ports)).cost(cube, problem);
}

// The fewest steps for a list of this many blocks over this many dimensions, dimension by dimension: either all the
// rest is swapped, or halved, for which half of it is sent and comes back.
std::uint64_t fewest_steps(std::size_t list, unsigned dimensions)
{
    if (dimensions == 0)
        return 0;
    const std::size_t half = list / 2 + list % 2;
    return std::min(dimensions * list, 2 * half + fewest_steps(half, dimensions - 1));
}

}  // namespace

TEST_CASE("fold sums up any number of blocks in the fewest steps that halving and swapping can take",
          "[algorithms][bertsekas]")
{
    for (const PortModel ports : {PortModel::all, PortModel::one})
        for (unsigned d = 0; d <= smaller(6U, 4U); ++d) {
            std::set<std::size_t> numbers{std::size_t{1} << d, (std::size_t{1} << d) + 1, std::size_t{3} << d};
            for (std::size_t blocks = 1; blocks <= 4 * d + 1; ++blocks)
                numbers.insert(blocks);
            for (const std::size_t blocks : numbers) {
                CAPTURE(name(ports), d, blocks);
                const std::size_t lists = ports == PortModel::one || d == 0 ? 1 : d;
                const std::size_t list = (blocks + lists - 1) / lists;
                const Report report = run_one(d, ports, Collective::all_reduce, blocks, fold_for(ports), 2);
                CHECK(report.verified);
                CHECK(report.counts.steps == fewest_steps(list, d));
                CHECK(counted(report) == fold_cost(d, ports, blocks));
            }
        }
}

TEST_CASE("fold is optimal for up to 2d blocks, with one port for up to 2", "[algorithms][bertsekas]")
{
    for (unsigned d = 1; d <= 14; ++d)
        for (const PortModel ports : {PortModel::all, PortModel::one})
            for (std::size_t blocks = 1; blocks <= 2 * (ports == PortModel::all ? d : 1); ++blocks) {
                CAPTURE(name(ports), d, blocks);
                const Problem problem{Collective::all_reduce, 1, blocks};
                CHECK(fold_cost(d, ports, blocks).steps == steps_bound(Topology::hypercube(d), ports, problem).value);
            }
}

TEST_CASE("fold takes 2M - 2 + d - j steps for lists of M = 2^j blocks, and the fewest transmissions if j = d",
          "[algorithms][bertsekas]")
{
    for (unsigned d = 1; d <= 14; ++d)
        for (unsigned j = 1; j <= d; ++j) {
            CAPTURE(d, j);
            const std::size_t list = std::size_t{1} << j;
            CHECK(fold_cost(d, PortModel::one, list).steps == 2 * list - 2 + d - j);
            CHECK(fold_cost(d, PortModel::all, d * list).steps == 2 * list - 2 + d - j);
        }
    for (unsigned d = 1; d <= 14; ++d) {
        const std::size_t n = std::size_t{1} << d;
        CHECK(fold_cost(d, PortModel::one, n) == Cost{2 * (n - 1), 2 * n * (n - 1)});
    }
}

TEST_CASE("fold never takes longer than a pipelined reduction and a pipelined broadcast", "[algorithms][bertsekas]")
{
    for (unsigned d = 1; d <= 12; ++d)
        for (std::size_t list = 1; list <= 3000; list += 1 + list / 8) {
            CAPTURE(d, list);
            CHECK(fold_cost(d, PortModel::one, list).steps <= 2 * (list + d - 1));
            CHECK(fold_cost(d, PortModel::all, d * list).steps <= 2 * (list + d - 1));
        }
}

TEST_CASE("fold runs on large cubes, and its report does not depend on the threads", "[algorithms][bertsekas]")
{
    constexpr unsigned d = smaller(12U, 7U);
    for (const auto& [ports, blocks] : {std::pair(PortModel::all, 3 * d + 5), {PortModel::one, 7U}}) {
        CAPTURE(name(ports), blocks);
        const Report one = run_one(d, ports, Collective::all_reduce, blocks, fold_for(ports), 1);
        const Report three = run_one(d, ports, Collective::all_reduce, blocks, fold_for(ports), 3);
        CHECK(one.verified);
        CHECK(counted(one) == fold_cost(d, ports, blocks));
        CHECK(counted(three) == counted(one));
        CHECK(three.result_digest == one.result_digest);
        CHECK(three.counts.storage_bytes == one.counts.storage_bytes);
    }
}

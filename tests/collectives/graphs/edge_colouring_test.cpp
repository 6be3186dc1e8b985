// Bipartite edge colouring and packing: as many colours as the largest degree, always.

#include "collectives/graphs/edge_colouring.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/sizes.hpp"

#include <algorithm>
#include <random>
#include <set>
#include <utility>

using namespace dcube::detail;

namespace {

bool is_proper(const std::vector<ColouredEdge>& edges, const std::vector<std::uint32_t>& colours)
{
    std::set<std::pair<std::uint32_t, std::uint32_t>> left;
    std::set<std::pair<std::uint32_t, std::uint32_t>> right;
    for (std::size_t i = 0; i < edges.size(); ++i)
        if (!left.emplace(edges[i].left, colours[i]).second || !right.emplace(edges[i].right, colours[i]).second)
            return false;
    return true;
}

}  // namespace

TEST_CASE("edge colouring: random multigraphs take as many colours as their degree", "[edge-colouring]")
{
    std::mt19937 random(5);
    for (unsigned round = 0; round < test_support::smaller(300U, 60U); ++round) {
        const auto below = [&](std::uint32_t most) { return static_cast<std::uint32_t>(random() % most); };
        const std::uint32_t lefts = 1 + below(20);
        const std::uint32_t rights = 1 + below(20);
        std::vector<ColouredEdge> edges(below(400));
        for (ColouredEdge& edge : edges)
            edge = {below(lefts), below(rights)};
        const std::uint32_t degree = largest_degree(edges);
        for (const auto colouring : {colour_edges, pack_edges})
            for (const std::uint32_t number : {degree, degree + 3}) {
                const std::vector<std::uint32_t> colours = colouring(edges, number);
                REQUIRE(is_proper(edges, colours));
                REQUIRE(std::ranges::all_of(colours, [&](std::uint32_t colour) { return colour < number; }));
            }
    }
}

TEST_CASE("edge colouring: regular multigraphs are coloured without a spare colour", "[edge-colouring]")
{
    std::mt19937 random(6);
    for (const std::uint32_t degree : {1U, 2U, 7U, 64U, 65U, 130U}) {
        const std::uint32_t nodes = 13;
        std::vector<ColouredEdge> edges;
        std::vector<std::uint32_t> image(nodes);
        for (std::uint32_t node = 0; node < nodes; ++node)
            image[node] = node;
        for (std::uint32_t i = 0; i < degree; ++i) {  // a permutation a colour, hidden by the order
            std::ranges::shuffle(image, random);
            for (std::uint32_t node = 0; node < nodes; ++node)
                edges.push_back({node, image[node]});
        }
        std::ranges::shuffle(edges, random);
        REQUIRE(largest_degree(edges) == degree);
        REQUIRE(is_proper(edges, colour_edges(edges, degree)));
        REQUIRE(is_proper(edges, pack_edges(edges, degree)));
    }
}

TEST_CASE("edge packing: many jobs with few operations and few jobs with many are packed as tightly as possible",
          "[edge-colouring]")
{
    constexpr std::uint32_t jobs = 5000;
    std::vector<ColouredEdge> edges;
    for (std::uint32_t job = 0; job < jobs; ++job)
        for (const std::uint32_t machine : {job % 3, 3U, 3U + job % 2})
            edges.push_back({job, machine});
    const std::uint32_t degree = largest_degree(edges);
    const std::vector<std::uint32_t> steps = pack_edges(edges, degree);
    CHECK(std::ranges::all_of(steps, [&](std::uint32_t step) { return step < degree; }));
    CHECK(is_proper(edges, steps));
    for (ColouredEdge& edge : edges)
        std::swap(edge.left, edge.right);
    CHECK(is_proper(edges, pack_edges(edges, degree)));
}

TEST_CASE("edge packing: a job that has begun goes on before others begin", "[edge-colouring]")
{
    // Both machines have an operation of each of three jobs.
    const std::vector<ColouredEdge> edges{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}};
    CHECK(pack_edges(edges, 3) == std::vector<std::uint32_t>{0, 1, 2, 0, 1, 2});
    // With a step to spare no machine must work in the first one.
    CHECK(pack_edges(edges, 4) == std::vector<std::uint32_t>{1, 2, 3, 1, 2, 3});
}

TEST_CASE("edge colouring: without edges no colour is needed", "[edge-colouring]")
{
    CHECK(largest_degree({}) == 0);
    CHECK(colour_edges({}, 0).empty());
    CHECK(pack_edges({}, 0).empty());
}

// Heat on a torus: every node of a 4x4 torus has a tile of 4x4 cells, and in each round every cell becomes the mean of
// its four neighbours (Jacobi). The cells along a tile's edge need the neighbouring tile's: nodes exchange their halos.
#include <dcube/dcube.hpp>

#include <array>
#include <cstdio>
#include <utility>
#include <vector>

using namespace dcube;

constexpr std::size_t side = 4;
constexpr unsigned rounds = 20;
using Edge = std::array<double, side>;
using Cells = std::array<std::array<double, side + 2>, side + 2>;  // with the halo

// One node's memory. Edges that are lent in one round are read in the next step, in which others are made.
struct Tile {
    Cells cells{};
    Cells next{};
    std::array<std::array<Edge, 4>, 2> lent{};
};

// The tile's sides: up, down, left, right, as dimensions and directions of the torus.
constexpr std::array<std::pair<unsigned, int>, 4> sides{{{0, -1}, {0, +1}, {1, -1}, {1, +1}}};

// The i-th cell along side s: of the halo (depth 0), or of the tile (depth 1).
double& cell(Cells& cells, unsigned s, std::size_t i, std::size_t depth)
{
    const std::size_t across = sides[s].second < 0 ? depth : side + 1 - depth;
    return sides[s].first == 0 ? cells[across][i + 1] : cells[i + 1][across];
}

double mean(double up, double down, double left, double right)
{
    return (up + down + left + right) / 4;
}

Task heat(Node& me, Tile& tile)
{
    for (unsigned round = 0; round < rounds; ++round) {
        std::array<Edge, 4>& edges = tile.lent[round % 2];
        for (unsigned s = 0; s < 4; ++s) {
            for (std::size_t i = 0; i < side; ++i)
                edges[s][i] = cell(tile.cells, s, i, 1);
            me.send(me.port_to(sides[s].first, sides[s].second), edges[s]);
        }
        co_await me.next_step();
        for (unsigned s = 0; s < 4; ++s) {
            const Edge halo = me.receive<Edge>(me.port_to(sides[s].first, sides[s].second));
            for (std::size_t i = 0; i < side; ++i)
                cell(tile.cells, s, i, 0) = halo[i];
        }
        for (std::size_t r = 1; r <= side; ++r)
            for (std::size_t c = 1; c <= side; ++c)
                tile.next[r][c] =
                    mean(tile.cells[r - 1][c], tile.cells[r + 1][c], tile.cells[r][c - 1], tile.cells[r][c + 1]);
        std::swap(tile.cells, tile.next);
    }
}

// All cells in one array, by one thread.
constexpr std::size_t n = 4 * side;
using Plane = std::vector<double>;

Plane serial(Plane cells)
{
    Plane next(cells.size());
    for (unsigned round = 0; round < rounds; ++round) {
        for (std::size_t r = 0; r < n; ++r)
            for (std::size_t c = 0; c < n; ++c)
                next[r * n + c] = mean(cells[(r + n - 1) % n * n + c], cells[(r + 1) % n * n + c],
                                       cells[r * n + (c + n - 1) % n], cells[r * n + (c + 1) % n]);
        std::swap(cells, next);
    }
    return cells;
}

int main()
{
    Machine machine(Topology::parse("torus:4x4"));
    Plane plane(n * n);
    plane[3 * n + 3] = 1000;  // one hot cell, in the corner of node 0's tile
    std::vector<Tile> tiles(16);
    const auto in_tiles = [&](std::size_t r, std::size_t c) -> double& {
        return tiles[r / side * 4 + c / side].cells[r % side + 1][c % side + 1];
    };
    in_tiles(3, 3) = 1000;

    const Counts counts = machine.run([&](Node& me) { return heat(me, tiles[me.id()]); });

    const Plane expected = serial(plane);
    bool same = true;
    for (std::size_t r = 0; r < n; ++r)
        for (std::size_t c = 0; c < n; ++c)
            same = same && in_tiles(r, c) == expected[r * n + c];
    std::printf("%u rounds on %zu x %zu cells: %u steps, %u packets\n", rounds, n, n, counts.steps,
                static_cast<unsigned>(counts.transmissions));
    std::printf("the hot cell is at %.3f, the one across the corner, in another tile, at %.3f\n", in_tiles(3, 3),
                in_tiles(4, 4));
    std::printf("the same as computed in one array: %s\n", same ? "yes" : "no");
    return same ? 0 : 1;
}

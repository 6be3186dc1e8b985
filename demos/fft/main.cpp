// The fast Fourier transform, radix 2, on a 4-cube: 64 points, four per node, in their order. Points whose numbers
// differ in one bit meet, the highest bit first: the two nodes that differ in that bit of their numbers are a group,
// and gather each other's points, all such groups at once. That costs one step a bit; the bits within a node cost none.
// The result comes out with its bits reversed.
#include <dcube/dcube.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdio>
#include <numbers>
#include <vector>

using namespace dcube;

constexpr unsigned d = 4;
constexpr std::size_t points_per_node = 4;
constexpr std::size_t n = points_per_node << d;
using Complex = std::complex<double>;
using Points = std::array<Complex, points_per_node>;

Complex root_of_unity(std::size_t k, std::size_t of)
{
    return std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(of));
}

// Point `number` after it has met the one that differs in bit `half`.
Complex butterfly(std::size_t number, std::size_t half, Complex mine, Complex theirs)
{
    return (number & half) == 0 ? mine + theirs : (theirs - mine) * root_of_unity(number % half, 2 * half);
}

// A node's points before each bit and after the last one, and those of its groups: neighbours read what is gathered
// while this node goes on.
struct Places {
    std::array<Points, d + 1> points{};
    std::array<std::array<Points, 2>, d> both{};
};

// Two nodes of a group, and how they gather each other's points.
struct Pairs {
    Group groups;
    Prepared gather;

    Pairs(const Machine& machine, unsigned dimension)
        : groups(Group::of(machine.topology(), {dimension})),
          gather(machine, groups, {.collective = Collective::all_gather, .bytes = sizeof(Points)})
    {
    }
};

Task fft(Node& me, const std::vector<Pairs>& by_dimension, Places& places)
{
    const std::size_t first = me.id() * points_per_node;
    std::size_t half = n / 2;
    for (unsigned met = 0; met < d; ++met, half /= 2) {
        const Pairs& pairs = by_dimension[d - 1 - met];
        const Points& mine = places.points[met];
        co_await pairs.gather(me, mine, places.both[met]);
        const Points& theirs = places.both[met][1 - pairs.groups.rank(me.id())];
        for (std::size_t i = 0; i < points_per_node; ++i)
            places.points[met + 1][i] = butterfly(first + i, half, mine[i], theirs[i]);
    }
    for (Points& points = places.points[d]; half > 0; half /= 2) {
        const Points mine = points;
        for (std::size_t i = 0; i < points_per_node; ++i)
            points[i] = butterfly(first + i, half, mine[i], mine[i ^ half]);
    }
}

std::size_t reversed(std::size_t number)
{
    std::size_t bits = 0;
    for (std::size_t bit = 1; bit < n; bit *= 2, number /= 2)
        bits = 2 * bits + number % 2;
    return bits;
}

int main()
{
    Machine machine(Topology::hypercube(d), {.ports = PortModel::one});
    std::vector<Pairs> by_dimension;
    for (unsigned k = 0; k < d; ++k)
        by_dimension.emplace_back(machine, k);
    std::vector<Places> memory(machine.topology().nodes());
    std::vector<Complex> signal(n);
    Random random(1);
    for (std::size_t i = 0; i < n; ++i)
        memory[i / points_per_node].points[0][i % points_per_node] = signal[i] = {random.uniform(), random.uniform()};

    const Counts counts = machine.run([&](Node& me) { return fft(me, by_dimension, memory[me.id()]); });

    double error = 0;
    for (std::size_t k = 0; k < n; ++k) {
        Complex sum = 0;
        for (std::size_t i = 0; i < n; ++i)
            sum += signal[i] * root_of_unity(i * k % n, n);
        const std::size_t at = reversed(k);
        error = std::max(error, std::abs(sum - memory[at / points_per_node].points[d][at % points_per_node]));
    }
    std::printf("%zu points on %zu nodes: %u steps, %u packets\n", n, memory.size(), counts.steps,
                static_cast<unsigned>(counts.transmissions));
    std::printf("off the sums of the definition by less than 1e-12: %s\n", error < 1e-12 ? "yes" : "no");
    return error < 1e-12 ? 0 : 1;
}

// The fast Fourier transform, radix 2, on a 4-cube: 64 points, four per node, in their order. Points whose numbers
// differ in one bit meet, the highest bit first; bits of the node's number cost one step each, the others none. The
// result comes out with its bits reversed.
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

// A node's points: those of the one place are lent while those of the other are made.
using Places = std::array<Points, 2>;

Complex root_of_unity(std::size_t k, std::size_t of)
{
    return std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(of));
}

// Point `number` after it has met the one that differs in bit `half`.
Complex butterfly(std::size_t number, std::size_t half, Complex mine, Complex theirs)
{
    return (number & half) == 0 ? mine + theirs : (theirs - mine) * root_of_unity(number % half, 2 * half);
}

Task fft(Node& me, Places& places)
{
    const std::size_t first = me.id() * points_per_node;
    std::size_t now = 0;
    std::size_t half = n / 2;
    for (Port port = me.ports(); port-- > 0; half /= 2, now = 1 - now) {
        Points theirs{};
        co_await me.exchange(port, places[now], theirs);
        for (std::size_t i = 0; i < points_per_node; ++i)
            places[1 - now][i] = butterfly(first + i, half, places[now][i], theirs[i]);
    }
    for (; half > 0; half /= 2) {  // the neighbour still reads the other place
        const Points mine = places[now];
        for (std::size_t i = 0; i < points_per_node; ++i)
            places[now][i] = butterfly(first + i, half, mine[i], mine[i ^ half]);
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
    constexpr std::size_t last = d % 2;  // the place in which the result is
    Machine machine(Topology::hypercube(d), {.ports = PortModel::one});
    std::vector<Places> memory(machine.topology().nodes());
    std::vector<Complex> signal(n);
    Random random(1);
    for (std::size_t i = 0; i < n; ++i)
        memory[i / points_per_node][0][i % points_per_node] = signal[i] = {random.uniform(), random.uniform()};

    const Counts counts = machine.run([&](Node& me) { return fft(me, memory[me.id()]); });

    double error = 0;
    for (std::size_t k = 0; k < n; ++k) {
        Complex sum = 0;
        for (std::size_t i = 0; i < n; ++i)
            sum += signal[i] * root_of_unity(i * k % n, n);
        const std::size_t at = reversed(k);
        error = std::max(error, std::abs(sum - memory[at / points_per_node][last][at % points_per_node]));
    }
    std::printf("%zu points on %zu nodes: %u steps, %u packets\n", n, memory.size(), counts.steps,
                static_cast<unsigned>(counts.transmissions));
    std::printf("off the sums of the definition by less than 1e-12: %s\n", error < 1e-12 ? "yes" : "no");
    return error < 1e-12 ? 0 : 1;
}

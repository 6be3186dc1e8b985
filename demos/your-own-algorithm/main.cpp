// An algorithm of one's own, which is not in the catalogue: a schedule, for an operation that does not commute.
#include <dcube/dcube.hpp>

#include <cstdio>

using namespace dcube;

// Reduce to node 0, dimension by dimension. Before step k + 1 every node that is left holds the product of the 2^k
// nodes from itself on; what arrives is that of the 2^k nodes behind them. So the order of the nodes is kept.
Schedule in_order(const Topology& cube, const Problem&)
{
    Schedule schedule{.symmetry = Symmetry::none, .steps = cube.dimension()};
    for (Port k = 0; k < cube.dimension(); ++k)
        for (NodeId node = 0; node < cube.nodes(); node += NodeId{2} << k)
            schedule.hops.push_back({.step = k + 1,
                                     .from = node + (NodeId{1} << k),
                                     .port = k,
                                     .packet = {.target = 0},
                                     .arrival = Arrival::added});
    return schedule;
}

// Matrices of 2 x 2 bytes, row by row: into = a b, modulo 256.
void multiply(std::byte* into, const std::byte* a, const std::byte* b, std::size_t bytes)
{
    for (std::size_t at = 0; at < bytes; at += 4) {
        unsigned product[4] = {};
        for (std::size_t i = 0; i < 8; ++i)  // bit 2 is the row, bit 1 the column, bit 0 what is summed over
            product[i / 2] += std::to_integer<unsigned>(a[at + i / 4 * 2 + i % 2]) *
                              std::to_integer<unsigned>(b[at + i % 2 * 2 + i / 2 % 2]);
        for (std::size_t i = 0; i < 4; ++i)
            into[at + i] = static_cast<std::byte>(product[i]);
    }
}

int main()
{
    Machine machine(Topology::hypercube(6), {.ports = PortModel::one});
    Problem problem{.collective = Collective::reduce, .bytes = 64};
    problem.own_operation = OwnOperation{.name = "product", .combine = multiply, .element = 4, .commutative = false};
    const Algorithm mine = algorithm_of(
        {.collective = Collective::reduce, .name = "in-order", .ports = PortModel::one, .keeps_order = true}, in_order);

    const Report report = run_verified(machine, mine, problem);
    std::printf("%s: %u steps, and no algorithm takes fewer than %u\n", report.algorithm.c_str(), report.counts.steps,
                static_cast<unsigned>(report.steps_lower_bound));
    std::printf("%u packets, every byte of the product of %u matrices checked\n",
                static_cast<unsigned>(report.counts.transmissions), report.topology.nodes());
}

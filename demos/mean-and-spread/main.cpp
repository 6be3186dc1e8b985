// The mean and the spread of numbers that lie on 8 nodes: two all-reduces inside one program, with own work between.
#include <dcube/dcube.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

using namespace dcube;

struct Own {
    std::array<double, 4> numbers{};
    double sum = 0;       // of these
    double total = 0;     // of all
    double squares = 0;   // of these numbers' distances from the mean
    double variance = 0;  // of all, times how many there are
};

Task mean_and_spread(Node& me, const Prepared& add_up, Own& own)
{
    const auto all = static_cast<double>(own.numbers.size() * me.topology().nodes());
    me.phase("mean");
    for (const double number : own.numbers)
        own.sum += number;
    co_await add_up(me, own.sum, own.total);  // every node, in the same step

    me.phase("spread");
    for (const double number : own.numbers)
        own.squares += (number - own.total / all) * (number - own.total / all);
    co_await add_up(me, own.squares, own.variance);
}

int main()
{
    Machine machine(Topology::hypercube(3));
    std::vector<Own> nodes(8);
    double number = 0;
    for (Own& own : nodes)
        for (double& one : own.numbers)
            one = ++number;
    const Prepared add_up(machine, {.collective = Collective::all_reduce, .bytes = 8, .type = ElementType::float64});

    const Counts counts = machine.run([&](Node& me) { return mean_and_spread(me, add_up, nodes[me.id()]); });

    std::printf("node 6 knows: mean %.2f, standard deviation %.4f\n", nodes[6].total / 32,
                std::sqrt(nodes[6].variance / 32));
    for (const Phase& phase : counts.phases)
        std::printf("phase: %s, steps %u to %u\n", phase.name.c_str(), phase.first, phase.last);
    std::printf("%u packets, algorithm %s\n", static_cast<unsigned>(counts.transmissions),
                std::string(add_up.algorithm()).c_str());
}

// A 4x4 torus, and what it is without one of its links: ports, distances, and how long a broadcast takes.
#include <dcube/dcube.hpp>

#include <cstdio>

using namespace dcube;

void show(const Topology& network)
{
    std::printf("%s: %u nodes, diameter %u, average distance %.4f\n", network.title().c_str(), network.nodes(),
                network.diameter(), average_distance(network).to_double());
    for (Port port = 0; port < network.ports(0); ++port)
        std::printf("  port %u of node 0 leads to node %u\n", port, network.neighbour(0, port));

    Machine machine(network, {.ports = PortModel::one});
    const Report report = run_verified(machine, {.collective = Collective::broadcast});
    std::printf("  a broadcast takes %u steps, by %s\n", report.counts.steps, report.algorithm.c_str());
}

int main()
{
    const Topology torus = Topology::parse("torus:4x4");
    show(torus);
    show(torus.without(parse_faults("0-1")));
}

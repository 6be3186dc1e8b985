// Programs of a user of the installed libraries: a program of their own, a collective as a call, and an algorithm of
// their own.

#include <dcube/dcube.hpp>

#include <iostream>
#include <span>
#include <vector>

// Every node sends its byte over port 0 and takes its neighbour's.
dcube::Task swap_with_neighbour(dcube::Node& me, std::span<std::byte> mine, std::span<std::byte> theirs)
{
    me.send(0, mine);
    co_await me.next_step();
    me.receive(0, theirs);
}

// A broadcast of the user's own: in step k + 1 the nodes below 2^k, which have it, send over port k.
dcube::Schedule doubling(const dcube::Topology& cube, const dcube::Problem&)
{
    dcube::Schedule schedule{.symmetry = dcube::Symmetry::rooted, .steps = cube.dimension()};
    for (dcube::Port k = 0; k < cube.dimension(); ++k)
        for (dcube::NodeId node = 0; node < dcube::NodeId{1} << k; ++node)
            schedule.hops.push_back({.step = k + 1, .from = node, .port = k});
    return schedule;
}

int main()
{
    const dcube::Topology cube = dcube::Topology::hypercube(4);
    dcube::Machine machine(cube);

    std::vector<std::byte> before(cube.nodes());
    std::vector<std::byte> after(cube.nodes());
    for (dcube::NodeId node = 0; node < cube.nodes(); ++node)
        before[node] = static_cast<std::byte>(node);
    const dcube::Counts counts = machine.run([&](dcube::Node& me) {
        return swap_with_neighbour(me, std::span(before).subspan(me.id(), 1), std::span(after).subspan(me.id(), 1));
    });
    for (dcube::NodeId node = 0; node < cube.nodes(); ++node) {
        if (after[node] != before[cube.neighbour(node, 0)])
            return 1;
    }

    const dcube::Report report = dcube::run_verified(machine, dcube::Problem{});
    std::cout << cube.directed_links() << " links, " << counts.transmissions << " packets, all-to-all in "
              << report.counts.steps << " steps\n";

    const dcube::Algorithm mine =
        dcube::algorithm_of({.collective = dcube::Collective::broadcast, .name = "doubling"}, doubling);
    const dcube::Report own = dcube::run_verified(machine, mine, {.collective = dcube::Collective::broadcast});
    return report.verified && own.verified && own.counts.steps == cube.dimension() ? 0 : 1;
}

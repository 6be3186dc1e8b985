// What a user of the installed libraries writes: a program of their own, and a collective as a call.

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
    return report.verified ? 0 : 1;
}

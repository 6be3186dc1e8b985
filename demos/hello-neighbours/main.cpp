// Every node of a 3-cube sends its number to all neighbours, and adds up theirs.
#include <dcube/dcube.hpp>

#include <cstdio>
#include <vector>

using namespace dcube;

Task greet(Node& me, const NodeId& mine, NodeId& sum)
{
    for (Port k = 0; k < me.ports(); ++k)
        me.send(k, std::as_bytes(std::span(&mine, 1)));
    co_await me.next_step();
    for (Port k = 0; k < me.ports(); ++k) {
        NodeId theirs = 0;
        me.receive(k, std::as_writable_bytes(std::span(&theirs, 1)));
        sum += theirs;
    }
}

int main()
{
    Machine machine(Topology::hypercube(3));
    const std::vector<NodeId> numbers{0, 1, 2, 3, 4, 5, 6, 7};  // the nodes' memory: what is sent must outlive the step
    std::vector<NodeId> sums(8);                                // in which it is received
    const Counts counts = machine.run([&](Node& me) { return greet(me, numbers[me.id()], sums[me.id()]); });
    for (NodeId node = 0; node < 8; ++node)
        std::printf("node %u: its neighbours add up to %u\n", node, sums[node]);
    std::printf("%u packets in %u step\n", static_cast<unsigned>(counts.transmissions), counts.steps);
}

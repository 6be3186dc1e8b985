// All nodes of a 3-cube add up their numbers, and all learn the sum: an exchange over each port in turn.
#include <dcube/dcube.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

using namespace dcube;

// sums[0] is the node's own number; sums[k + 1] is the sum of the subcube over ports 0 to k. Each has a place of its
// own, because sums[k] is lent while the partner still reads it: adding into it would change what is on the link.
Task all_reduce_program(Node& me, std::span<std::uint32_t> sums)
{
    for (Port k = 0; k < me.ports(); ++k) {
        me.send(k, std::as_bytes(sums.subspan(k, 1)));
        co_await me.next_step();
        std::uint32_t theirs = 0;
        me.receive(k, std::as_writable_bytes(std::span(&theirs, 1)));
        sums[k + 1] = sums[k] + theirs;
    }
}

int main()
{
    constexpr unsigned d = 3;
    Machine machine(Topology::hypercube(d), {.watch_lent_bytes = true});
    std::vector<std::uint32_t> memory((d + 1) << d);
    const auto of_node = [&](NodeId node) { return std::span(memory).subspan(node * (d + 1), d + 1); };
    for (NodeId node = 0; node < 8; ++node)
        of_node(node)[0] = node + 1;
    const Counts counts = machine.run([&](Node& me) { return all_reduce_program(me, of_node(me.id())); });
    for (NodeId node = 0; node < 8; ++node)
        std::printf("node %u: %u\n", node, of_node(node)[d]);
    std::printf("%u packets in %u steps\n", static_cast<unsigned>(counts.transmissions), counts.steps);
}

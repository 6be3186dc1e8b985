// A total exchange of the caller's own data: what node `from` has for node `to` is there afterwards.
#include <dcube/dcube.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

int main()
{
    constexpr std::size_t nodes = 8;
    dcube::Machine machine(dcube::Topology::hypercube(3));
    std::vector<std::uint32_t> send(nodes * nodes);  // node after node, and in each a block for every node
    std::vector<std::uint32_t> received(nodes * nodes);
    for (std::uint32_t from = 0; from < nodes; ++from)
        for (std::uint32_t to = 0; to < nodes; ++to)
            send[from * nodes + to] = 100 + 10 * from + to;

    const dcube::Report report = dcube::all_to_all(machine, std::as_bytes(std::span(send)),
                                                   std::as_writable_bytes(std::span(received)), sizeof(std::uint32_t));

    for (std::size_t from = 0; from < nodes; ++from)
        std::printf("node 5 has %u from node %zu\n", received[5 * nodes + from], from);
    std::printf("algorithm %s: %u steps, and no algorithm takes fewer than %u\n", report.algorithm.c_str(),
                report.counts.steps, static_cast<unsigned>(report.steps_lower_bound));
}

// All-reduce on a ring of 8 nodes, as it is used to train neural networks (Patarasuk & Yuan 2009): every node has a
// vector of 8 blocks. First the blocks go round and are added up, until each node has the sum of one; then the sums go
// round.
#include <dcube/dcube.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <vector>

using namespace dcube;

constexpr NodeId n = 8;
using Block = std::array<std::int32_t, 4>;
using Vector = std::array<Block, n>;

Task ring_all_reduce(Node& me, Vector& vector)
{
    const Port up = me.port_to(0, +1);
    const Port down = me.port_to(0, -1);
    const auto block = [&](NodeId back) -> Block& { return vector[(me.id() + 2 * n - back) % n]; };

    me.phase("reduce-scatter");
    for (NodeId step = 0; step < n - 1; ++step) {
        me.send(up, block(step));
        co_await me.next_step();
        const Block theirs = me.receive<Block>(down);
        for (std::size_t i = 0; i < theirs.size(); ++i)
            block(step + 1)[i] += theirs[i];
    }

    me.phase("all-gather");
    for (NodeId step = 0; step < n - 1; ++step) {
        me.send(up, block(n - 1 + step));
        co_await me.next_step();
        me.receive(down, block(n + step));
    }
}

int main()
{
    Machine machine(Topology::parse("ring:8"), {.ports = PortModel::one});
    std::vector<Vector> vectors(n);
    Vector expected{};
    Random random(1);
    for (Vector& vector : vectors)
        for (NodeId block = 0; block < n; ++block)
            for (std::size_t i = 0; i < vector[block].size(); ++i)
                expected[block][i] += vector[block][i] = static_cast<std::int32_t>(random.below(1000));

    const Counts counts = machine.run([&](Node& me) { return ring_all_reduce(me, vectors[me.id()]); });

    bool same = true;
    for (const Vector& vector : vectors)
        same = same && vector == expected;
    std::printf("%u nodes: %u steps, %u packets of %zu bytes\n", n, counts.steps,
                static_cast<unsigned>(counts.transmissions), sizeof(Block));
    for (const Phase& phase : counts.phases)
        std::printf("phase: %s, steps %u to %u\n", phase.name.c_str(), phase.first, phase.last);
    std::printf("every node has the sum of all vectors: %s\n", same ? "yes" : "no");
    return same ? 0 : 1;
}

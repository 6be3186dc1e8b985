// Bitonic sort on a 4-cube (Batcher 1968): 64 keys, four per node. In stage i the subcubes of dimension i + 1 are
// sorted, every other one downwards; neighbours over port j exchange their keys, and the one keeps the smaller half.
#include <dcube/dcube.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <vector>

using namespace dcube;

constexpr std::size_t keys_per_node = 4;
using Keys = std::array<std::uint32_t, keys_per_node>;

// A node's keys. Two places, because the keys of the one are lent while those of the other are made.
using Places = std::array<Keys, 2>;

enum class Half { smaller, larger };

Keys half_of(const Keys& mine, const Keys& theirs, Half half)
{
    std::array<std::uint32_t, 2 * keys_per_node> all{};
    std::ranges::merge(mine, theirs, all.begin());
    Keys kept{};
    std::copy_n(half == Half::smaller ? all.begin() : all.begin() + keys_per_node, keys_per_node, kept.begin());
    return kept;
}

Task bitonic_sort(Node& me, Places& keys)
{
    const auto bit = [id = me.id()](Port k) { return id >> k & 1; };
    std::size_t now = 0;
    std::ranges::sort(keys[now]);
    for (Port i = 0; i < me.ports(); ++i)
        for (Port j = i + 1; j-- > 0; now = 1 - now) {
            Keys theirs{};
            co_await me.exchange(j, keys[now], theirs);
            keys[1 - now] = half_of(keys[now], theirs, bit(j) == bit(i + 1) ? Half::smaller : Half::larger);
            me.count("exchanges that moved a key", keys[1 - now] != keys[now]);
        }
}

int main()
{
    constexpr unsigned d = 4;
    constexpr std::size_t last = d * (d + 1) / 2 % 2;  // the place in which the sorted keys are
    Machine machine(Topology::hypercube(d), {.ports = PortModel::one});
    std::vector<Places> keys(machine.topology().nodes());
    std::vector<std::uint32_t> expected;
    Random random(1);
    for (Places& places : keys)
        for (std::uint32_t& key : places[0])
            expected.push_back(key = static_cast<std::uint32_t>(random.below(1000)));
    std::ranges::sort(expected);

    const Counts counts = machine.run([&](Node& me) { return bitonic_sort(me, keys[me.id()]); });

    std::vector<std::uint32_t> sorted;
    for (const Places& places : keys)
        sorted.insert(sorted.end(), places[last].begin(), places[last].end());
    std::printf("%zu keys on %zu nodes: %u steps, %u packets\n", sorted.size(), keys.size(), counts.steps,
                static_cast<unsigned>(counts.transmissions));
    for (const Counter& counter : counts.counters)
        std::printf("%s: %u\n", counter.name.c_str(), static_cast<unsigned>(counter.value));
    std::printf("node 0 has %u to %u, node 15 has %u to %u\n", sorted.front(), sorted[3], sorted[60], sorted.back());
    std::printf("the same as std::sort: %s\n", sorted == expected ? "yes" : "no");
    return sorted == expected ? 0 : 1;
}

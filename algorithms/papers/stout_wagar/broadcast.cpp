// Broadcast: the root's message reaches every node. Stout & Wagar 1990, section 2. m bytes on a d-cube of N nodes, g
// groups, |n| = the number of 1 bits of n. Node n of a rule is n ^ root on the machine.
//
//   name                paper         time                               transmissions
//   recursive-doubling  BROADCAST 1   d (tau m + beta)                   N - 1
//   rotated             BROADCAST 2   d (tau ceil(m/d) + beta)           d (N - 1)
//   wave                BROADCAST 3A  (d+1)(tau ceil(m/d) + beta)        d N
//   two-waves           BROADCAST 3B  d (tau ceil(m/d) + beta)           d (2N - 2 - d)
//   pipelined           BROADCAST 4   (d+g-1)(tau ceil(m/(dg)) + beta)   d ((g+1) N - 2 - d)
//   pipelined-pruned    ours          the same                           d g (N - 1)
//
// The times of BROADCAST 4 are exact if dg divides m, else upper bounds; packets of no bytes are not sent. Every node
// works out its packets from its number: nothing is planned, and no table is kept.

#include "algorithms/papers/stout_wagar/broadcast.hpp"

#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/tree_pipeline.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace dcube::detail {

namespace {

// BROADCAST 1. Before stage k the nodes n < 2^k hold the message; each sends it on link k.
Sent recursive_doubling(unsigned /*d*/, NodeId n, Port j, Step k)
{
    if (j == k && n < bit(k))
        return 0;
    return silent;
}

// BROADCAST 2: d copies of BROADCAST 1, P_i through the links i, i + 1, .. in its stages 0, 1, ..; so in stage k link j
// carries P_(j-k).
Sent rotated_doubling(unsigned d, NodeId n, Port j, Step k)
{
    const Port i = (j + d - k) % d;
    if (rotated(n, (d - i) % d, d) < bit(k))
        return i;
    return silent;
}

// BROADCAST 3A. Node n with a = |n| holds P_w for every 1 bit w of n when stage a begins, and sends a packet on every
// link; the others come back from its neighbours with one bit more in stage a + 1.
Sent wave(unsigned d, NodeId n, Port j, Step k)
{
    const auto a = static_cast<Step>(std::popcount(n));
    if (k == a)
        return idx(d, n, j);
    return silent;
}

}  // namespace

Port idx(unsigned d, NodeId n, Port j)
{
    if (n == 0)
        return j;
    while (!has_bit(n, j))
        j = j + 1 == d ? 0 : j + 1;
    return j;
}

// BROADCAST 3B. After stage d - 1 of BROADCAST 3A only node N - 1 - 2^i lacks P_i; a second wave, one stage later and
// one packet on, brings it there, so that the last stage is not needed.
Sent two_waves(unsigned d, NodeId n, Port j, Step k)
{
    const auto a = static_cast<Step>(std::popcount(n));
    if (k == a)
        return idx(d, n, j);
    if (k == a + 1 && k < d)
        return (idx(d, n, j) + 1) % d;
    return silent;
}

// BROADCAST 4. Group q is a BROADCAST 3A that begins in stage q, and the last one a BROADCAST 3B. With one group this
// is BROADCAST 3B.
WaveRule pipelined(std::uint32_t groups)
{
    return [groups](unsigned d, NodeId n, Port j, Step k) -> Sent {
        const auto a = static_cast<Step>(std::popcount(n));
        if (k < a)
            return silent;
        const Step q = k - a;
        if (q < groups)
            return q * d + idx(d, n, j);
        if (q == groups && a + 2 <= d)
            return (groups - 1) * d + (idx(d, n, j) + 1) % d;
        return silent;
    };
}

Stream wave_stream(const GroupedMessage& message, std::uint32_t groups, Step stages, WaveRule rule,
                   std::uint64_t transmissions)
{
    return {[rule = std::move(rule)](unsigned d, NodeId label) { return wave_pipeline(d, label, rule); }, stages,
            PacketCut::groups(message.units, message.unit, groups, std::max(1U, message.d)), transmissions};
}

// The groups that BROADCAST 4 takes.
std::uint32_t pipelined_groups(const GroupedMessage& message, const Problem& problem)
{
    const LinkCosts costs(problem.link);
    const Exact factor = message.d < 2 ? Exact(0) : Exact(message.d - 1) / message.d;
    return chosen_groups(message, problem, factor, [&](std::size_t g) {
        return costs.packets(message.d + g - 1, message.largest_part(message.d * g));
    });
}

Stream broadcast_1(const Topology& topology, const Problem& problem)
{
    const GroupedMessage message(topology, problem);
    Stream stream =
        wave_stream(message, 1, message.d, recursive_doubling, message.units == 0 ? 0 : topology.nodes() - 1);
    stream.cut = PacketCut::equal(message.units, 1);
    return stream;
}

Stream broadcast_2(const Topology& topology, const Problem& problem)
{
    const GroupedMessage message(topology, problem);
    return wave_stream(message, 1, message.d, rotated_doubling, message.packets(1) * (topology.nodes() - 1));
}

Stream broadcast_3a(const Topology& topology, const Problem& problem)
{
    const GroupedMessage message(topology, problem);
    return wave_stream(message, 1, message.d + 1, wave, message.packets(1) * topology.nodes());
}

namespace {

// Every packet is sent once by every node but that of the last group by node N - 1; and in the second wave by the nodes
// with at most d - 2 bits, N - 1 - d.
std::uint64_t pipelined_transmissions(const GroupedMessage& message, std::uint64_t groups)
{
    const std::uint64_t nodes = bit(message.d);
    const std::uint64_t last = message.packets_of_last(groups);
    return message.packets(groups) * nodes - last + last * (nodes - 1 - message.d);
}

}  // namespace

Stream broadcast_3b(const Topology& topology, const Problem& problem)
{
    const GroupedMessage message(topology, problem);
    return wave_stream(message, 1, message.d, two_waves, pipelined_transmissions(message, 1));
}

Stream broadcast_4(const Topology& topology, const Problem& problem)
{
    const GroupedMessage message(topology, problem);
    const std::uint32_t g = pipelined_groups(message, problem);
    return wave_stream(message, g, message.d + g - 1, pipelined(g), pipelined_transmissions(message, g));
}

// BROADCAST 4 without what brings nothing new: nothing goes to the root, and of the second wave only the path of P_i to
// node N - 1 - 2^i remains, over the links i - 1, i + 1, i + 2, .., whose nodes hear P_i of the last group on it alone.
// So every packet goes to every other node once, in d trees (programs/tree_pipeline).
Stream pipelined_pruned(const Topology& topology, const Problem& problem)
{
    const GroupedMessage message(topology, problem);
    const std::uint32_t g = pipelined_groups(message, problem);
    return {[packets = g * message.d](unsigned d, NodeId label) { return tree_pipeline(d, label, packets); },
            message.d + g - 1, PacketCut::groups(message.units, message.unit, g, std::max(1U, message.d)),
            message.packets(g) * (topology.nodes() - 1)};
}

Exact pipelined_time(const Topology& topology, const Problem& problem)
{
    const GroupedMessage message(topology, problem);
    const std::size_t g = pipelined_groups(message, problem);
    return LinkCosts(problem.link).packets(message.d + g - 1, message.largest_part(message.d * g));
}

}  // namespace dcube::detail

// Send between opposite corners of an n-cube. Stout & Wagar 1990, section 3. m bytes, g groups, K_n = the sum of
// 1/C(n,k) over k = 0..n. The papers' n is d; here it is the distance, and the cube the one between the two nodes.
//
//   name              paper        time                                                   transmissions
//   one-path          O.C. SEND 1  n (tau m + beta)                                       n
//   rotated-paths     O.C. SEND 2  n (tau ceil(m/n) + beta)                               n^2
//   spreading         O.C. SEND 3  K_(n-1) tau m/n + n beta                               n 2^(n-1)
//   spreading-groups  O.C. SEND 4  (g-1)(tau m/(ng) + beta) + K_(n-1) tau m/(ng) + n beta  g n 2^(n-1)
//
// The last two are exact if lcm(1..n) divides m/g; spreading_time.hpp has what they take for any m, and at most.
// Packets of no bytes are not sent. Planning: a table of all packets, O(transmissions) in time and memory, with up to
// O(m) fragments in the packets of the last two.
//
// Only links that lead away from the source are used, so both directions of an exchange never meet.

#include "algorithms/papers/stout_wagar/opposite_corner_send.hpp"

#include "algorithms/papers/stout_wagar/groups.hpp"
#include "base/arithmetic.hpp"

#include <algorithm>
#include <bit>

namespace dcube::detail {

// O.C. SEND 1. In stage k the message crosses the k-th dimension.
void oc_send_1(RoutingTable& table, const SendCase& send, const Problem& /*problem*/)
{
    NodeId at = send.source;
    Step stage = 0;
    for (const Port w : send.dims()) {
        table.add(stage++, at, w, send.string());
        at ^= bit(w);
    }
}

// O.C. SEND 2. Part i crosses the dimensions i, i + 1, .., cyclically.
void oc_send_2(RoutingTable& table, const SendCase& send, const Problem& /*problem*/)
{
    const std::vector<Port> dims = send.dims();
    const std::size_t n = dims.size();
    for (std::size_t i = 0; i < n; ++i) {
        NodeId at = send.source;
        for (std::size_t k = 0; k < n; ++k) {
            const Port w = dims[(i + k) % n];
            table.add(static_cast<Step>(k), at, w, part_of(send.string(), n, i));
            at ^= bit(w);
        }
    }
}

std::vector<NodeId> level_by_level(unsigned n)
{
    std::vector<NodeId> nodes(bit(n));
    for (NodeId x = 0; x < bit(n); ++x)
        nodes[x] = bit(n) - 1 - x;
    std::ranges::stable_sort(nodes, {}, [](NodeId x) { return std::popcount(x); });
    return nodes;
}

Fragments part_of(const Fragments& string, std::size_t p, std::size_t i)
{
    const auto [offset, bytes] = balanced_part(length(string), p, i);
    return substring(string, offset, bytes);
}

NodeId corner(NodeId chosen, const std::vector<Port>& dims)
{
    NodeId node = 0;
    for (const Port position : one_positions(chosen))
        node |= bit(dims[position]);
    return node;
}

// Node x, k = |x|, holds what came over its 1 bits, joined in ascending order. It cuts that in n - k parts, and the
// t-th goes out over the t-th of its 0 bits in stage k.
void spreading(RoutingTable& table, NodeId source, const std::vector<Port>& dims, const Fragments& string, Step first)
{
    const auto n = static_cast<unsigned>(dims.size());
    std::vector<Fragments> held(bit(n));
    held[0] = string;
    for (const NodeId x : level_by_level(n)) {
        const std::vector<Port> zeros = one_positions(~x & (bit(n) - 1));
        const Step k = n - static_cast<Step>(zeros.size());
        for (std::size_t t = 0; t < zeros.size(); ++t) {
            const Fragments packet = part_of(held[x], zeros.size(), t);
            table.add(first + k, source ^ corner(x, dims), dims[zeros[t]], packet);
            for (const Fragment& fragment : packet)
                append(held[x ^ bit(zeros[t])], fragment);
        }
        held[x].clear();
    }
}

Exact spreading_time(unsigned n, std::size_t m, const LinkCosts& costs)
{
    Exact time = 0;
    std::size_t held = m;
    for (unsigned k = 0; k < n; ++k) {
        const std::size_t packet = ceil_div(held, n - k);
        time += costs.packet(packet);
        held = packet * (k + 1);
    }
    return time;
}

std::uint64_t spreading_packets(unsigned n, std::size_t m)
{
    std::uint64_t packets = 0;
    std::vector<std::size_t> held(bit(n));
    held[0] = m;
    for (NodeId x = 0; x < bit(n); ++x) {
        const std::vector<Port> zeros = one_positions(~x & (bit(n) - 1));
        for (std::size_t t = 0; t < zeros.size(); ++t) {
            const std::size_t bytes = balanced_part(held[x], zeros.size(), t).length;
            packets += bytes != 0;
            held[x ^ bit(zeros[t])] += bytes;
        }
    }
    return packets;
}

void spreading_groups(RoutingTable& table, NodeId source, const std::vector<Port>& dims, const Fragments& string,
                      std::size_t groups)
{
    for (std::size_t q = 0; q < groups; ++q)
        spreading(table, source, dims, part_of(string, groups, q), static_cast<Step>(q));
}

Exact spreading_groups_time(unsigned n, std::size_t m, std::size_t groups, const LinkCosts& costs)
{
    const std::size_t group = ceil_div(m, groups);
    return costs.packets(groups - 1, ceil_div(group, n)) + spreading_time(n, group, costs);
}

std::size_t best_spreading_groups(unsigned n, std::size_t m, const LinkCosts& costs)
{
    return best_send_groups(n, m, (k_sum(n - 1) - 1) / n, costs,
                            [&](std::size_t g) { return spreading_groups_time(n, m, g, costs); });
}

std::size_t chosen_spreading_groups(const SendCase& send, const Problem& problem)
{
    if (problem.tuning.groups != 0)
        return problem.tuning.groups;
    return best_spreading_groups(send.distance(), send.bytes, LinkCosts(problem.link));
}

}  // namespace dcube::detail

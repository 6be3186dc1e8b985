#pragma once
// Messages that leave in g groups of d packets, one group a stage behind the other (Stout & Wagar 1990, section 2): how
// many groups are best, and how many packets there are.

#include "algorithms/programs/link_costs.hpp"
#include "algorithms/programs/phases.hpp"

#include <dcube/catalogue.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace dcube::detail {

struct GroupedMessage {
    GroupedMessage(const Topology& topology, const Problem& problem);

    // ceil(m / p), in bytes.
    [[nodiscard]] std::size_t largest_part(std::size_t p) const;
    // The number of packets that are not empty in g groups of d: the first groups are longer than the others, and so
    // are the first packets of a group. The same holds for g packets of each of d shares.
    [[nodiscard]] std::uint64_t packets(std::uint64_t groups) const { return packets_of_first(groups, groups); }
    // The packets of the first `some` groups, and of the last one.
    [[nodiscard]] std::uint64_t packets_of_first(std::uint64_t groups, std::uint64_t some) const;
    [[nodiscard]] std::uint64_t packets_of_last(std::uint64_t groups) const;

    unsigned d;
    std::size_t units;  // bytes, or the elements of a reduction, which are not cut
    std::size_t unit;   // bytes of each
};

// The number of groups that the problem asks for, or else the one of least time, which is near the g with g (g + 1) =
// factor tau m / beta.
std::uint32_t chosen_groups(const GroupedMessage& message, const Problem& problem, const Exact& factor,
                            const std::function<Exact(std::size_t groups)>& time);

// Phases of groups that leave the root, or a source, a stage apart, and take `levels` stages each, described by `text`;
// what comes after `stages` is not sent. If there are too many groups there are two phases, described by `sending` and
// `ending`.
Phases group_phases(std::uint64_t groups, std::uint64_t levels, std::uint64_t stages, const TextOf& text,
                    const PhaseText& sending, const PhaseText& ending);

// Groups of m bytes in balanced parts that each take `stages` stages and send packets(bytes of the group) packets.
Cost cost_of_groups(std::size_t m, std::size_t groups, std::uint64_t stages,
                    const std::function<std::uint64_t(std::size_t bytes)>& packets);

// The number of groups of least time, which is near the g with g (g + 1) = factor tau m / beta.
std::size_t best_send_groups(unsigned n, std::size_t m, const Exact& factor, const LinkCosts& costs,
                             const std::function<Exact(std::size_t groups)>& time);

// Why the message cannot be cut in as many groups as the problem asks for (--groups, --detour-groups); empty if it can.
std::string too_many_groups(const Topology& topology, const Problem& problem);

}  // namespace dcube::detail

#pragma once
// Total exchange in products, made of the exchanges of their factors (Dimakopoulos & Dimopoulos 1998: what A2 and A3
// have in common, and the algorithms that go beyond them).
//
// A class is the set of all packets whose targets have the same offset from their origins, digit by digit. In every
// round all copies of one group of factors run that group's exchange side by side, and each offset that a packet of the
// exchange may have is given to one class. A class that moves in several groups gets a round in each, and these must
// not overlap in time: then its packets change one digit after the other, in whatever order the rounds come, and every
// round is a legal exchange.

#include "algorithms/papers/dimakopoulos/factor_group.hpp"
#include "algorithms/programs/schedule.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace dcube::detail {

// The times of the exchanges, and the classes that move in them. Offsets are nodes of the groups, 0 where a class does
// not move.
struct ExchangeRounds {
    std::uint64_t steps;  // in all
    // Group i's round q lasts from this step of the clock on, counted from 0.
    std::function<std::uint64_t(std::size_t group, NodeId round)> start;
    // The round of a group in which a class moves there; offsets[group] is not 0.
    std::function<NodeId(std::size_t group, std::span<const NodeId> offsets)> round_of;
};

// The schedule. Translated if the network and all groups' exchanges are, else of all nodes. Takes time and memory as
// its hops, and a few words for every class and group.
Schedule exchange_in_rounds(const Topology& whole, std::span<const FactorGroup> groups, const ExchangeRounds& rounds);

}  // namespace dcube::detail

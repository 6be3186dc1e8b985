#pragma once
// Total exchange in products, made of exchanges of the parts (Dimakopoulos & Dimopoulos 1998, and beyond it).
//
// A class is the set of all packets whose targets have the same offset from their origins, digit by digit. In every
// round all copies of one part run that part's exchange side by side, and each offset that a packet of the exchange may
// have is given to one class. A class that moves in several parts gets a round in each, and these must not overlap in
// time: then its packets change one digit after the other, in whatever order the rounds come, and every round is a
// legal exchange.

#include "algorithms/programs/schedule.hpp"

#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace dcube::detail {

// Some factors of a network, by their index, and a total exchange among nodes that differ in their digits only.
struct Part {
    Part(const Topology& whole, std::vector<unsigned> factors, std::shared_ptr<const Schedule> exchange);

    std::vector<unsigned> factors;
    Topology topology;
    std::shared_ptr<const Schedule> exchange;
    std::vector<NodeId> place;  // what each of the part's nodes adds to an id of the whole
};

// When the exchanges take place, and whose they are. Offsets are nodes of the parts, 0 where a class does not move.
struct Rounds {
    std::uint64_t steps;  // of all
    // Part i's round q lasts from this step of the clock on, counted from 0.
    std::function<std::uint64_t(std::size_t part, NodeId round)> start;
    // The round of a part in which a class moves there; offsets[part] is not 0.
    std::function<NodeId(std::size_t part, std::span<const NodeId> offsets)> round_of;
};

// The schedule. Translated if the network and all parts' exchanges are, else of all nodes.
Schedule exchange_in_rounds(const Topology& whole, std::span<const Part> parts, const Rounds& rounds);

}  // namespace dcube::detail

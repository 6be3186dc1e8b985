#pragma once
// Entries that carry out the best algorithm for another collective, and whose nodes do the rest by themselves, which
// takes no time: steps, transmissions and times are that algorithm's.

#include <dcube/catalogue.hpp>
#include <dcube/link.hpp>
#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <optional>

namespace dcube::detail {

// The `prepare` of a composed entry, by which it is recognised.
struct Composed {
    PortModel ports;
    Problem (*part)(const Problem& problem);  // the problem that is carried out
    // The nodes' program, made of their program for the part.
    CollectiveProgram (*around)(CollectiveProgram of_part, const Problem& problem);

    CollectiveProgram operator()(const Topology& topology, const Problem& problem) const;
};

// Adds program, cost, planning work and an obstacle to a head, which has the storage of the rest.
Entry composed_entry(Entry head, Composed how);

// The algorithm that "auto" takes for the part. Kept for the next time.
const Entry& best_for_part(const Composed& how, const Topology& topology, const Problem& problem);

// A lower bound on the steps, found with little work.
std::uint64_t least_steps(const Composed& how, const Topology& topology, const Problem& problem);

// The cut of the part's messages.
std::optional<MessageCut> cut_of_part(const Composed& how, const Topology& topology, const Problem& problem);

}  // namespace dcube::detail

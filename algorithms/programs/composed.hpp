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

// Such an entry's `prepare`, by which it is recognised.
struct Composed {
    PortModel ports;
    Problem (*part)(const Problem& problem);  // what is carried out
    // What the nodes run, given what they run for the part.
    CollectiveProgram (*around)(CollectiveProgram of_part, const Problem& problem);

    CollectiveProgram operator()(const Topology& topology, const Problem& problem) const;
};

// Adds program, cost, planning work and an obstacle to a head, which has the storage of the rest.
Entry composed_entry(Entry head, Composed how);

// What "auto" takes for the part. Kept for the next time.
const Entry& best_for_part(const Composed& how, const Topology& topology, const Problem& problem);

// At least so many steps, found with little work.
std::uint64_t least_steps(const Composed& how, const Topology& topology, const Problem& problem);

// How the part's messages are cut.
std::optional<MessageCut> cut_of_part(const Composed& how, const Topology& topology, const Problem& problem);

}  // namespace dcube::detail

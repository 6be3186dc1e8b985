#pragma once
// Entries that carry out the best algorithm for another collective, once or several times, and whose nodes do the rest
// by themselves, which takes no time: steps, transmissions and times are that algorithm's.

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
    Problem (*part)(const Problem& problem, const Topology& topology);  // the problem that is carried out
    // The nodes' program, made of their program for the part, which takes so many steps.
    CollectiveProgram (*around)(CollectiveProgram of_part, std::uint64_t steps, const Problem& problem);
    std::uint64_t times = 1;  // that it is carried out, one after the other

    CollectiveProgram operator()(const Topology& topology, const Problem& problem) const;
};

// Adds program, cost, planning work and an obstacle to a head, which has the storage of the rest.
Entry composed_entry(Entry head, Composed how);

// The algorithm that "auto" takes for the part. Kept for the next time.
const Entry& best_for_part(const Composed& how, const Topology& topology, const Problem& problem);

// A lower bound on the steps, found with little work.
std::uint64_t least_steps(const Composed& how, const Topology& topology, const Problem& problem);

// The time of all parts, and the bytes that cross links in them; empty if known only after a run.
std::optional<PredictedTime> time_of_parts(const Composed& how, const Topology& topology, const Problem& problem);
std::optional<std::uint64_t> link_bytes_of_parts(const Composed& how, const Topology& topology, const Problem& problem);

// The cut of the part's messages.
std::optional<MessageCut> cut_of_part(const Composed& how, const Topology& topology, const Problem& problem);

}  // namespace dcube::detail

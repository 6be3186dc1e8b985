#pragma once
// Whether a node can make a sum of those that it holds: it must be the sum of some that are disjoint, so that no
// contribution is counted twice.

#include <dcube/contributors.hpp>
#include <dcube/link.hpp>
#include <dcube/partition.hpp>

#include <memory>
#include <span>

namespace dcube {

/// A sum at a node: its own contribution, or what arrived in a step.
struct HeldSum {
    std::shared_ptr<const Contributors> nodes;
    Step step = 0;   ///< in which it arrived; 0 for the node's own contribution
    Time since = 0;  ///< when, in ticks; 0 in the unit-time model
};

struct MadeSum {
    Partition::Answer answer;
    Time since = 0;  ///< if it was found: since when all its parts have been there

    [[nodiscard]] bool possible() const { return answer == Partition::Answer::found; }
};

/// Of the sums that are there at `now`; see partition().
MadeSum make_sum(const Contributors& wanted, std::span<const HeldSum> held, Time now);

}  // namespace dcube

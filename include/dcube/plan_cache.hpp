#pragma once
/// @file
/// Plans that take long to make, kept in files for the next time that a process needs them.

#include <cstdint>
#include <functional>
#include <string>

#pragma GCC visibility push(default)
namespace dcube {

/// @addtogroup collective
/// @{

/// The directory in which plans are kept. A plan is a file: its question (network, ports, collective, packets, ..), the
/// schedule, and a checksum. Files are untrusted input: a file must have the requested plan, with a valid checksum,
/// nodes, ports and steps; a verified run checks that it achieves its collective. Invalid files are reported and
/// rewritten.
struct PlanCache {
    std::string directory;  ///< made, with those above it, if it does not exist
    /// Plans of less work (Entry::planning_work) are not kept: about a hundredth of a second.
    std::uint64_t least_work = 10'000'000;
    /// Is given a line about a file that cannot be used or written, in whichever thread plans.
    std::function<void(const std::string&)> warn{};
};

/// Keeps plans from now on, in the whole process, in place of any cache set before. Plans that are made already are not
/// written. Several processes can share a directory. Throws InvalidArgument if it cannot be made or written.
void set_plan_cache(const PlanCache& cache);
/// No plan is read or written any more.
void forget_plan_cache();

/// Counts of plans since the process began, except those of too little work.
struct PlanCacheUse {
    std::uint64_t read = 0;     ///< taken from a file
    std::uint64_t made = 0;     ///< made, because there was no file of use
    std::uint64_t written = 0;  ///< to a file, of those made
    std::uint64_t refused = 0;  ///< files that were no use
};
/// The counts of plans so far.
PlanCacheUse plan_cache_use();

/// @}

}  // namespace dcube
#pragma GCC visibility pop

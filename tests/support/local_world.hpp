#pragma once
// Ranks as threads of one process: a world without MPI, which sanitizers can see through.

#include <dcube/error.hpp>
#include <dcube/world.hpp>

#include <functional>
#include <memory>

namespace test_support {

/// A rank waits for something that never comes: a rank has abandoned the world, has ended, or makes another call; or
/// all ranks wait for each other.
struct LostRank : dcube::Error {
    using Error::Error;
};

using RankProgram = std::function<void(const std::shared_ptr<dcube::World>&)>;

/// Calls `program` once per rank, each on a thread of its own with its world, and returns when all have ended. No rank
/// hangs: one that waits for a rank that has ended gets LostRank. The exception of the lowest rank that failed is
/// rethrown; LostRank only if there is no other. Hosts get neighbouring ranks, as many each as possible. Assertions
/// belong behind it: Catch2 is not thread-safe.
void run_ranks(unsigned ranks, const RankProgram& program, unsigned hosts = 1);

}  // namespace test_support

#pragma once
// Barriers hold nothing that could be checked after a run. Who has heard of whom follows from the packets that were
// sent.

#include "judge/heard.hpp"

#include <dcube/faults.hpp>
#include <dcube/machine.hpp>
#include <dcube/problem.hpp>
#include <dcube/trace.hpp>

#include <cstdint>
#include <memory>
#include <span>

namespace dcube {

/// Who has heard of whom in a machine's run. Rank 0 sees the packets of all ranks, with the steps and times at which
/// they were really sent.
class HeardInRun {
public:
    /// `sink`, if there is one, gets what trace() gets.
    HeardInRun(const Machine& machine, const Problem& barrier, TraceSink sink);

    /// The trace of a new run; lent.
    [[nodiscard]] TraceSink trace();

    /// Returns how many nodes have heard of all. Throws VerificationError if a member has not that has not failed
    /// within `steps`.
    [[nodiscard]] std::uint64_t check(std::span<const Failing> failing, Step steps) const;

private:
    void add(const Transmission& one);

    Topology topology_;
    std::shared_ptr<const Group> groups_;  // which need to hear of their own nodes only
    LinkKind links_;
    TraceSink sink_;
    Heard heard_;
};

}  // namespace dcube

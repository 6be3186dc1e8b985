#pragma once
// Schedules that are wrong in one place: none may pass the judge.

#include "tests/support/phased_run.hpp"
#include "tests/support/schedule_trace.hpp"

#include <string>
#include <vector>

namespace test_support {

/// The packets that a run sent, one by one.
std::vector<Move> moves_of(const PhasedRun& run, const dcube::Problem& problem);

struct BrokenMoves {
    std::string what;  // "dropped", "early", "doubled", "misdirected"
    std::vector<Move> moves;
};
/// The moves with move `i` left out, a step early (if its packet has only just arrived, or nothing can be sent before),
/// made twice, or over another port of its sender (if it has one).
std::vector<BrokenMoves> broken_at(const dcube::Topology& topology, const std::vector<Move>& moves, std::size_t i);

}  // namespace test_support

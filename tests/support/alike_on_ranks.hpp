#pragma once
// Runs that end alike on one rank and on several.

#include <dcube/machine.hpp>

#include <functional>
#include <string>

namespace test_support {

/// A run, made anew on every rank.
struct RankedRun {
    dcube::Machine::Program program;
    dcube::MachineOptions machine{};
    std::function<dcube::RunOptions(dcube::World&)> options = [](dcube::World&) { return dcube::RunOptions{}; };
    unsigned dimension = 3;
};

/// CHECKs that on 2, 3, 5 and 8 ranks, with each kind of channel, each rank gets the same error as one process, of the
/// same kind of dcube's errors, and that afterwards the machine runs a good program. Returns the error: empty if
/// nothing is thrown.
std::string told_alike(const RankedRun& run);

/// A link of a 3-cube, which crosses between any number of ranks; in either direction.
struct Crossing {
    dcube::NodeId from;
    dcube::NodeId to;
    static constexpr dcube::Port port = 2;
};
inline constexpr Crossing crossings[] = {{3, 7}, {7, 3}};

/// The one node runs `sender`, the other `receiver`, and the rest nothing.
dcube::Machine::Program on_link(Crossing link, dcube::Task (*sender)(dcube::Node&),
                                dcube::Task (*receiver)(dcube::Node&));

}  // namespace test_support

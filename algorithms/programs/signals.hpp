#pragma once
// Signals: the empty packets of a barrier. A packet says that its sender has begun, and so have all that the sender has
// heard of; so a plan is a list of who sends over which port in which step, and nothing has to be stored or copied.

#include <dcube/algorithm.hpp>
#include <dcube/link.hpp>
#include <dcube/topology.hpp>

#include <vector>

namespace dcube::detail {

struct Signal {
    Step step;  // 1, 2, ...; it is received in the next one
    NodeId from;
    Port port;
};

struct SignalPlan {
    Step steps = 0;
    std::vector<Signal> signals{};  // by step
};

// The program of every node: in each step it receives what has come, and then sends.
CollectiveProgram program_of(const SignalPlan& plan, const Topology& topology);

// The virtual time of a run in ns: a signal takes beta, and leaves when all that its sender has received is there.
Rational time_of(const SignalPlan& plan, const Topology& topology, const LinkModel& link);

}  // namespace dcube::detail

#pragma once
// A schedule written out as the trace that a machine would leave: the hops of all nodes, sorted. For tests that feed
// right and wrong schedules to the judge without running them. And a schedule run.

#include "algorithms/programs/schedule.hpp"

#include <dcube/counts.hpp>
#include <dcube/judge.hpp>
#include <dcube/link.hpp>
#include <dcube/problem.hpp>

#include <string>
#include <vector>

namespace test_support {

struct Move {
    dcube::Step step;
    dcube::NodeId from;
    dcube::Port port;
    dcube::PacketName packet;
};

/// All nodes' moves, sorted by (step, from, port). `root` relabels rooted schedules.
std::vector<Move> all_moves(const dcube::Topology& topology, const dcube::Schedule& schedule, dcube::NodeId root = 0);

/// JSON lines, with packets of problem.bytes bytes and the pieces of problem's collective.
std::string trace_of(const dcube::Topology& topology, const dcube::Problem& problem, const std::vector<Move>& moves);

/// The judge's verdict: empty if it accepts the trace, else its message.
std::string judged(const dcube::TraceQuestion& question, const std::string& trace);
std::string judged(const dcube::Topology& topology, dcube::PortModel ports, const dcube::Problem& problem,
                   const std::string& trace);

struct ScheduleRun {
    std::string fault;  // empty if every byte is where it belongs
    dcube::Counts counts{};
};
ScheduleRun run_schedule(const dcube::Topology& topology, dcube::PortModel ports, const dcube::Problem& problem,
                         const dcube::Schedule& schedule);

}  // namespace test_support

#pragma once
/// @file
/// All of dcube's public interface. A first program needs three headers of it:
///
/// - machine.hpp: a machine, and how it runs a program on every node
/// - node.hpp: what such a program can do: send, receive, and await the next step
/// - topology.hpp: networks, which machine.hpp and node.hpp include
///
/// Then, by what you want to do: call a collective (run.hpp, with problem.hpp and layout.hpp), add an algorithm
/// (schedule.hpp or algorithm.hpp), judge traces (judge.hpp), spread a machine over processes
/// (world.hpp). program.hpp (the program as a call) and mpi.hpp (ranks of MPI) are not included here.

#include <dcube/algorithm.hpp>
#include <dcube/bounds.hpp>
#include <dcube/catalogue.hpp>
#include <dcube/collective.hpp>
#include <dcube/connectivity.hpp>
#include <dcube/contributors.hpp>
#include <dcube/counts.hpp>
#include <dcube/elements.hpp>
#include <dcube/error.hpp>
#include <dcube/faults.hpp>
#include <dcube/graph.hpp>
#include <dcube/group.hpp>
#include <dcube/judge.hpp>
#include <dcube/layout.hpp>
#include <dcube/link.hpp>
#include <dcube/machine.hpp>
#include <dcube/matrix.hpp>
#include <dcube/message_counts.hpp>
#include <dcube/node.hpp>
#include <dcube/packet.hpp>
#include <dcube/permutation.hpp>
#include <dcube/plan_cache.hpp>
#include <dcube/problem.hpp>
#include <dcube/random.hpp>
#include <dcube/report.hpp>
#include <dcube/run.hpp>
#include <dcube/schedule.hpp>
#include <dcube/stop.hpp>
#include <dcube/task.hpp>
#include <dcube/topology.hpp>
#include <dcube/trace.hpp>
#include <dcube/version.hpp>
#include <dcube/world.hpp>

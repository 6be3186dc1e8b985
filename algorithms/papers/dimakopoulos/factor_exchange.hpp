#pragma once
// Total exchange in one graph, as schedules: what the exchanges of products are made of (Dimakopoulos & Dimopoulos
// 1998: rings, paths and Cayley graphs; the others go beyond the paper).
//
// | graph    | one port: steps       | all ports: steps              |
// | -------- | --------------------- | ----------------------------- |
// | complete | n - 1                 | 1                             |
// | ring     | floor(n^2 / 4)        | ceil(n^2 / 8), (n^2 - 1) / 8  |
// | path     | floor((n^2 - 1) / 2)  | floor(n^2 / 4)                |
// | Cayley   | the status            | what class_matching finds     |
// | any      | hop by hop, each hop of all packets with as many steps as the busiest node, or link, needs |

#include "algorithms/programs/schedule.hpp"

#include <dcube/graph.hpp>
#include <dcube/link.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace dcube::detail {

// The number of kinds of nodes that a translated exchange in the graph distinguishes: in even rings two, even and odd
// nodes.
NodeId kinds_of_nodes(const Graph& graph);

// The steps of the graph's exchange: in closed form where there is one, else they are counted, or the schedule is made.
std::uint64_t factor_exchange_steps(const Graph& graph, PortModel ports);

// The schedule, over shortest paths; translated (perhaps alternating) for Cayley graphs. Schedules that take long to
// find are kept, unless they are large.
std::shared_ptr<const Schedule> factor_exchange(const Graph& graph, PortModel ports);

// Why a factor's exchange cannot be planned, because counting its steps alone would take minutes; empty if it can.
std::string factor_exchange_obstacle(const Topology& topology);

}  // namespace dcube::detail

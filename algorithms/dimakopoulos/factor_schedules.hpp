#pragma once
// The exchanges that factor_exchange.hpp chooses from, each for one kind of graph.

#include "algorithms/programs/schedule.hpp"

#include <dcube/graph.hpp>
#include <dcube/ports.hpp>

#include <cstdint>

namespace dcube::detail {

// paths.cpp
Schedule path_one_port(const Graph& graph);
Schedule path_all_ports(const Graph& graph);

// rings.cpp
Schedule odd_ring_all_ports(const Graph& graph);
Schedule even_ring_all_ports(const Graph& graph);

// cayley_graphs.cpp; complete graphs are the first to have one step on all ports.
Schedule cayley_one_port(const Graph& graph);
Schedule complete_all_ports(const Graph& graph);

// any_graph.cpp
Schedule any_graph_exchange(const Graph& graph, PortModel ports);
std::uint64_t any_graph_steps(const Graph& graph, PortModel ports);

}  // namespace dcube::detail

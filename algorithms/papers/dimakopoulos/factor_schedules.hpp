#pragma once
// The exchanges that factor_exchange.hpp chooses from, each for one kind of graph.

#include "algorithms/programs/schedule.hpp"

#include <dcube/graph.hpp>
#include <dcube/link.hpp>

#include <cstdint>

namespace dcube::detail {

// Paths.
Schedule path_one_port(const Graph& graph);
Schedule path_all_ports(const Graph& graph);

// Rings, both directions at once.
Schedule odd_ring_all_ports(const Graph& graph);
Schedule even_ring_all_ports(const Graph& graph);

// Cayley graphs; complete ones are the first to have one step on all ports.
Schedule cayley_one_port(const Graph& graph);
Schedule complete_all_ports(const Graph& graph);

// Any graph (any_graph.cpp).
Schedule any_graph_exchange(const Graph& graph, PortModel ports);
std::uint64_t any_graph_steps(const Graph& graph, PortModel ports);

}  // namespace dcube::detail

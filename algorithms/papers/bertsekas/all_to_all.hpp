#pragma once
#include "algorithms/programs/schedule.hpp"

#include <dcube/algorithm.hpp>
#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <cstddef>
#include <vector>

namespace dcube::detail {

// The order tables T_k of Bertsekas et al. 1991, section 4 (Fig. 6): T_k lists the 2^k destinations whose highest bit
// is k, relative to a node, in the order in which the node sends to them over port k.
std::vector<std::vector<NodeId>> order_tables(unsigned d);

// One packet from every node to every other (translated).
Schedule all_to_all_schedule(const Topology& topology);

// The program of every node for the same hops, without a table of them all.
CollectiveProgram local_rules_program(const Topology& topology, const Problem& problem);

// The most blocks of others that wait in a node in the optimal total exchange, and the slots that these take.
std::size_t all_to_all_in_transit(unsigned d);
std::size_t all_to_all_slots(unsigned d);

}  // namespace dcube::detail

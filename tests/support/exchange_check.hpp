#pragma once
// The rules of total exchange, checked hop by hop: who trusts a schedule should not be who made it.

#include "algorithms/programs/schedule.hpp"

#include <dcube/ports.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <string>

namespace dcube::test {

enum class Routes : std::uint8_t { shortest, any };

/// What is wrong with a schedule of one total exchange (Dimakopoulos & Dimopoulos 1998: one packet for each ordered
/// pair of nodes): the first rule that is broken, with step, node, port and packet; empty if none is. Follows every
/// packet of every node, also in translated and alternating schedules. Expects N^2 packets to fit into memory.
std::string exchange_fault(const Topology& topology, PortModel ports, const Schedule& schedule,
                           Routes routes = Routes::shortest);

}  // namespace dcube::test

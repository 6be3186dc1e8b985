#pragma once
// Schedules of a total exchange, found right or wrong by running them.

#include "algorithms/programs/schedule.hpp"

#include <dcube/link.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <string>

namespace dcube::test {

enum class Routes : std::uint8_t { shortest, any };

/// The fault of a schedule of one total exchange (Dimakopoulos & Dimopoulos 1998: one packet for each ordered pair of
/// nodes); empty if there is none. It is run: the machine enforces the rules of links and ports, and every byte is
/// checked afterwards. Hops stand by step, the last step is not empty, and if all routes are to be shortest as many
/// packets are sent as all distances add up to.
std::string exchange_fault(const Topology& topology, PortModel ports, const Schedule& schedule,
                           Routes routes = Routes::shortest);

}  // namespace dcube::test

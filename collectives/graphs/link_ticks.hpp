#pragma once
// The times of a network's links in ticks (Time).

#include <dcube/link.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <vector>

namespace dcube::detail {

// How long a packet of s bytes holds a link: tau s + beta.
struct LinkTicks {
    Time tau = 0;
    Time beta = 0;
};

// Throws InvalidArgument if a time does not fit.
LinkTicks in_ticks(const Rational& tau, const Rational& beta, std::uint64_t ticks_per_ns);

// Of every directed link (Topology::link), each with its own times or the machine's. `link`: as it is on this network
// (Topology::links).
std::vector<LinkTicks> link_ticks(const Topology& topology, const LinkModel& link);

}  // namespace dcube::detail

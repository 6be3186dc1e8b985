#pragma once
#include <dcube/ports.hpp>
#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <cstddef>
#include <vector>

namespace dcube::detail {

// What a schedule depends on: the key under which it is kept.
struct ScheduleQuestion {
    Topology topology;
    PortModel ports;
    Collective collective;
    std::size_t packets;
    NodeId root;
    NodeId peer;
    std::vector<NodeId> permutation;

    friend bool operator==(const ScheduleQuestion&, const ScheduleQuestion&) = default;
};

}  // namespace dcube::detail

#pragma once
// The inputs on which a schedule or a lower bound of the unit model depends: the key under which these are kept.

#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dcube::detail {

struct UnitQuestion {
    Topology topology;
    PortModel ports;
    Collective collective;
    std::size_t packets;
    NodeId root;
    NodeId peer;
    std::vector<NodeId> permutation;
    std::vector<std::uint32_t> counts{};

    friend bool operator==(const UnitQuestion&, const UnitQuestion&) = default;
};

// About any problem but a matrix; what means nothing to its collective is left out.
UnitQuestion question_of(const Topology& topology, PortModel ports, const Problem& problem);
// A problem of which that is the question.
Problem problem_of(const UnitQuestion& question);

}  // namespace dcube::detail

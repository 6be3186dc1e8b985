#pragma once
// Schedules compared hop by hop.

#include "algorithms/programs/schedule.hpp"

#include <algorithm>
#include <tuple>

namespace dcube::test {

inline bool same(const Schedule& a, const Schedule& b)
{
    const auto as_tuple = [](const Hop& hop) {
        return std::tuple(hop.step, hop.from, hop.port, hop.packet.origin, hop.packet.target, hop.packet.copy,
                          hop.arrival);
    };
    return a.symmetry == b.symmetry && a.steps == b.steps && a.alternating == b.alternating &&
           std::ranges::equal(a.hops, b.hops, {}, as_tuple, as_tuple);
}

}  // namespace dcube::test

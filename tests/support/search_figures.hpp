#pragma once
// Known results of searches for a total exchange: the tests of all searches use them in the same manner.

#include "algorithms/programs/schedule.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/exchange_check.hpp"

#include <dcube/link.hpp>
#include <dcube/topology.hpp>

#include <string>
#include <vector>

namespace dcube::test {

struct Figure {
    std::string network;
    unsigned steps;
};

/// search(topology) finds a legal schedule of at most the listed steps on every network.
template <class Search>
void check_at_most(const std::vector<Figure>& figures, PortModel ports, const Search& search)
{
    for (const auto& [network, steps] : figures) {
        INFO(network);
        const Topology topology = Topology::parse(network);
        const Schedule schedule = search(topology);
        CHECK(schedule.steps <= steps);
        CHECK(exchange_fault(topology, ports, schedule) == "");
    }
}

}  // namespace dcube::test

#pragma once
// Case: a network, its ports and links, and a problem on it, for which the numbers of an explanation are.

#include <dcube/catalogue.hpp>
#include <dcube/machine.hpp>
#include <dcube/problem.hpp>

#include <optional>
#include <string>
#include <vector>

namespace dcube::explain {

struct Case {
    Topology topology;
    PortModel ports;
    Problem problem;  ///< with its link model
};

/// How large an example is to be.
enum class Size : std::uint8_t { usual, small };

/// An example that the algorithm can do, on links as it is made for; of those that can be thought of the first. Throws
/// InvalidArgument if there is none.
Case example_case(const Algorithm& algorithm, Size size);
/// The same on this network.
Case example_case(const Algorithm& algorithm, const Topology& topology, Size size);

/// "all-to-all on hypercube:4, 16 nodes, all ports, 1 packet of 64 bytes".
std::string description(const Case& one);
/// What run needs to be told to do it: "all-to-all --dim 4", with the algorithm if one is given.
std::string run_arguments(const Case& one, const Algorithm* algorithm);

}  // namespace dcube::explain

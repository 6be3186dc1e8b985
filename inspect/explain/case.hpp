#pragma once
// Case: a network, its ports and links, and a problem on it, to which the numbers of an explanation apply.

#include <dcube/catalogue.hpp>
#include <dcube/machine.hpp>
#include <dcube/problem.hpp>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace dcube::explain {

struct Case {
    Topology topology;
    PortModel ports;
    Problem problem;  ///< with its link model
};

/// The size of an example.
enum class Size : std::uint8_t { usual, small };

/// Links for examples that take time: tau 1, beta 10 ns, unless every link of the network has times of its own.
LinkModel example_links(const Topology& topology);

/// The first of the possible examples that the algorithm can do, on links of the kind that it is made for. Throws
/// InvalidArgument if there is none.
Case example_case(const Entry& algorithm, Size size);
/// The same on this network.
Case example_case(const Entry& algorithm, const Topology& topology, Size size);

/// "all-to-all on hypercube:4, 16 nodes, all ports, 1 packet of 64 bytes".
std::string description(const Case& one);
/// A line for each of dcube run and compare: "dcube run all-to-all --dim 4", with the algorithm if one is given. None
/// where its permutation has no name.
std::vector<std::string> command_lines(std::initializer_list<std::string_view> commands, const Case& one,
                                       const Entry* algorithm = nullptr);

}  // namespace dcube::explain

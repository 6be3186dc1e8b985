#pragma once
/// Faults: links and nodes that a network lacks.

#include <dcube/graph.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dcube {

class Topology;

/// What is missing: links, each between two neighbours and in both directions, and nodes with all their links.
struct Faults {
    std::vector<std::pair<NodeId, NodeId>> links{};
    std::vector<NodeId> nodes{};

    [[nodiscard]] bool empty() const { return links.empty() && nodes.empty(); }
    void add(const Faults& others);

    friend bool operator==(const Faults&, const Faults&) = default;
};

/// Reads links "a-b" and nodes "v", separated by commas, blanks or line ends; what follows a '#' in its line does not
/// count. Throws InvalidArgument, which names the line if there are several.
Faults parse_faults(std::string_view text);
/// One link "a-b", or one node "v". Throws InvalidArgument.
std::pair<NodeId, NodeId> parse_link_between(std::string_view text);
NodeId parse_node_id(std::string_view text);

/// "0-1,4-5,9", as parse_faults() reads it.
std::string to_string(const Faults& faults);

/// Of a network's links each one with probability `rate`, 0 to 1; a seed gives the same everywhere. Throws
/// InvalidArgument: another rate.
Faults random_faults(const Topology& topology, double rate, std::uint64_t seed);

}  // namespace dcube

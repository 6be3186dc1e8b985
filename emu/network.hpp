#pragma once
// Networks that are no hypercubes.

#include <dcube/faults.hpp>
#include <dcube/graph.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dcube {

// Whether a link of the network leads from `a` to `b`, which it has.
bool linked(NodeId a, NodeId b, const Topology& topology);

// The ends in "5-7"; nothing if the text is none of this kind.
std::optional<std::pair<NodeId, NodeId>> parsed_ends(std::string_view text);

// A network as tables.
struct Topology::Network {
    std::vector<Graph> factors;
    std::string name;
    std::string title;                       // for people, where it is not the name
    std::vector<NodeId> strides;             // by digit
    std::vector<std::uint32_t> first_links;  // by node, and the end
    struct Far {
        NodeId node;
        Port port;
    };
    std::vector<Far> links;
    Port max_ports = 0;
    unsigned diameter = 0;
    bool symmetric = true;

    // The faults of a network that lacks something, else empty.
    Faults faults{};
    std::optional<Topology> whole{};
    std::optional<Topology> of_members{};  // if nodes are missing, and none is a switch
    std::vector<NodeId> members{};         // if nodes are missing or switches, in ascending order
    std::vector<NodeId> numbers{};         // and what number each has
    static constexpr NodeId no_member = ~NodeId{0};
    void set_members(std::vector<NodeId> all);

    std::vector<NodeId> originals{};  // of a network of members: their numbers in the whole network

    // Looked for when it is first asked for.
    mutable std::once_flag looked{};
    mutable std::unique_ptr<Recognition> recognition{};
};

// A topology's network of a known family, if there is one that its factors do not show.
std::unique_ptr<Recognition> recognise(const Topology& topology);

}  // namespace dcube

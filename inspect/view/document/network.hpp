#pragma once
// A network in a document: its links, its layouts, and its groups where it is large.

#include "base/json.hpp"
#include "base/sizes.hpp"
#include "inspect/view/film/relative.hpp"

#include <dcube/topology.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace dcube::view {

using Json = nlohmann::ordered_json;

/// `root` is a node from which all goes out, or to which all comes.
Json network_json(const Topology& topology, const Relative& relative, std::optional<NodeId> root);

/// The numbers that a document gives to directed links: 2 i and 2 i + 1 are the two directions of link i.
class LinkNumbers {
public:
    explicit LinkNumbers(const Topology& topology);

    [[nodiscard]] std::uint32_t operator()(NodeId node, Port port) const
    {
        return numbers_[as_size(topology_.link(node, port))];
    }

private:
    Topology topology_;
    std::vector<std::uint32_t> numbers_;
};

}  // namespace dcube::view

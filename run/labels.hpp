#pragma once
// Labels: whose bytes a node's input is, for traces.

#include <dcube/layout.hpp>
#include <dcube/machine.hpp>
#include <dcube/trace.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace dcube {

/// Of node `node`; `input` is all nodes'.
std::vector<Label> input_labels(const Problem& problem, const Layout& layout, const Topology& topology,
                                std::span<const std::byte> input, NodeId node);

}  // namespace dcube

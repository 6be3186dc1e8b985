#pragma once
// All-reduce by cores: every block is summed up in a subcube of its own, and spread from there.

#include "algorithms/beyond/any_network/spread.hpp"

#include <dcube/graph.hpp>
#include <dcube/link.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace dcube::detail {

// A subcube: the nodes that differ from `base` in the dimensions first, first + 1, .., modulo d, only.
struct Core {
    NodeId base;
    unsigned first;
};

std::vector<NodeId> nodes_of(const Core& core, unsigned dimensions, unsigned d);

struct Cores {
    unsigned dimensions = 0;    // per core
    std::vector<Core> cores{};  // by block
    MovePlan spread{};          // of the blocks from their cores to all nodes

    [[nodiscard]] std::uint64_t steps() const { return std::uint64_t{2} * spread.steps + dimensions; }
};

// The cores that take the fewest steps of those tried; `bound`: no algorithm takes fewer. The last few are kept.
std::shared_ptr<const Cores> cores_for(unsigned d, PortModel ports, std::size_t blocks, std::uint64_t bound);

}  // namespace dcube::detail

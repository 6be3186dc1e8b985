#pragma once
// All-reduce along a few spanning trees again and again, all in the rhythm of their largest load.

#include "algorithms/any_network/block_plan.hpp"
#include "algorithms/any_network/centred_tree.hpp"
#include "algorithms/any_network/tree_traffic.hpp"

#include <dcube/ports.hpp>

#include <span>
#include <vector>

namespace dcube::detail {

// The moves of block b, which takes tree b mod k, are those of the tree, `period` floor(b/k) steps later.
struct TreeRhythm {
    struct Beat {
        Step step;  // 1, 2, ..; no two of an arc (one port: of a sender, or a receiver) are equal modulo the period
        TreeMove move;
    };

    Step period = 1;
    std::uint32_t trees = 1;
    std::vector<Beat> beats{};  // by step

    [[nodiscard]] Step steps(std::uint64_t blocks) const;
};

// Of so many trees, a good one for so many blocks.
TreeRhythm periodic_trees(const Arcs& arcs, PortModel ports, std::uint32_t trees, std::uint64_t blocks);

// As the rhythm says.
BlockPlan plan_of_rhythm(const TreeRhythm& rhythm, std::uint64_t blocks);

// The best of the plans of several rhythms, each tightened: at both ends of a rhythm many places are free.
BlockPlan periodic_plan(const Arcs& arcs, PortModel ports, std::uint64_t blocks, std::uint64_t bound);

Algorithm periodic_trees_entry(PortModel ports);

}  // namespace dcube::detail

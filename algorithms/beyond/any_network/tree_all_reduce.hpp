#pragma once
// All-reduce on any network: how its blocks are planned, a file of this folder for each way. tree_all_reduce.cpp lists
// the entries.

#include "algorithms/beyond/any_network/block_plan.hpp"
#include "algorithms/beyond/any_network/centred_tree.hpp"

#include <dcube/catalogue.hpp>
#include <dcube/link.hpp>

#include <vector>

namespace dcube::detail {

// ---- trees_up_and_down.cpp: along spanning trees, by list scheduling ----

// The best of several packings and urgencies, tightened; stops at the bound.
BlockPlan trees_up_and_down(const Arcs& arcs, PortModel ports, std::uint32_t blocks, std::uint64_t bound);

Entry trees_up_and_down_entry(PortModel ports);

// ---- periodic_trees.cpp: along a few spanning trees again and again, all in the rhythm of their largest load ----

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

// A good rhythm of `trees` trees for this many blocks.
TreeRhythm periodic_trees(const Arcs& arcs, PortModel ports, std::uint32_t trees, std::uint64_t blocks);

// The plan that follows the rhythm.
BlockPlan plan_of_rhythm(const TreeRhythm& rhythm, std::uint64_t blocks);

// The best of the plans of several rhythms, each tightened: at both ends of a rhythm many places are free.
BlockPlan periodic_plan(const Arcs& arcs, PortModel ports, std::uint64_t blocks, std::uint64_t bound);

Entry periodic_trees_entry(PortModel ports);

// ---- spread_twice.cpp: a spread backwards, then forwards ----

// Block b has its centres, one or two neighbours. Stops at the bound.
BlockPlan spread_twice(const Arcs& arcs, PortModel ports, std::uint32_t blocks, std::uint64_t bound);

// The approximate number of operations on a network of this many nodes and arcs.
std::uint64_t work_of_spreads(std::uint64_t nodes, std::uint64_t arcs, PortModel ports, std::uint64_t blocks);

Entry spread_twice_entry(PortModel ports);

// ---- gather_and_combine.cpp: an all-gather, and local sums ----

Entry gather_and_combine_entry(PortModel ports);
// The same for scans.
Entry gather_and_combine_entry_for(Collective collective, PortModel ports);

// ---- by_dimensions.cpp, window_sums.cpp: on products, factor by factor ----

// Adds program, cost, storage and phases to a head.
Entry dimensions_entry(Entry head);

Entry by_dimensions_entry();
Entry window_sums_entry();

// ---- merged_groups.cpp: a block at a time, factor by factor ----

Entry merged_groups_entry(PortModel ports);
Entry recursive_doubling_entry();

}  // namespace dcube::detail

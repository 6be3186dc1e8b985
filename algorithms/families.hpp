#pragma once
// The families of algorithms: the one list, from which the catalogue is made. (Objects that register themselves before
// main would be dropped from static libraries.)

#include <dcube/catalogue.hpp>

#include <vector>

namespace dcube::detail {

// The formula of an entry whose number of steps is known only after its schedule is made.
inline constexpr CostFormula as_planned{.words = "there is no closed form: as many as the planned schedule has"};

// On hypercubes, in unit steps.
std::vector<Entry> doubling_family();           // broadcast
std::vector<Entry> one_port_pipeline_family();  // broadcast and reduce
std::vector<Entry> pipelined_trees_family();    // broadcast and reduce
std::vector<Entry> one_port_family();           // scatter, gather, all-gather, reduce-scatter, all-to-all
std::vector<Entry> scatter_family();            // scatter and gather
std::vector<Entry> all_gather_family();         // all-gather and reduce-scatter
std::vector<Entry> all_reduce_family();
std::vector<Entry> two_kinds_family();  // all-reduce
std::vector<Entry> fold_family();       // all-reduce
std::vector<Entry> cores_family();      // all-reduce
std::vector<Entry> scan_family();       // scan and exscan
std::vector<Entry> barrier_family();
std::vector<Entry> staircase_family();  // all-to-all
std::vector<Entry> all_to_all_family();

// On other networks, in unit steps.
std::vector<Entry> total_exchange_family();  // all-to-all on products
std::vector<Entry> routed_family();          // every other collective
std::vector<Entry> routed_matrix_family();
std::vector<Entry> spread_family();            // broadcast, all-gather and their duals, on hypercubes too
std::vector<Entry> quickest_flow_family();     // send and exchange
std::vector<Entry> single_path_family();       // send
std::vector<Entry> two_paths_family();         // exchange
std::vector<Entry> unrolled_flow_family();     // scatter and gather
std::vector<Entry> farthest_first_family();    // scatter and gather
std::vector<Entry> priced_routes_family();     // all-to-all, permute, exchange
std::vector<Entry> tree_all_reduce_family();   // all-reduce
std::vector<Entry> scan_exchange_family();     // scan and exscan, on hypercubes too
std::vector<Entry> scan_on_networks_family();  // scan and exscan
std::vector<Entry> barrier_on_networks_family();

// On other networks whose links take time.
std::vector<Entry> joined_trees_family();   // scatter, gather, all-gather, reduce-scatter, all-reduce
std::vector<Entry> rings_in_turn_family();  // one port, and on hypercubes too: all but scans, sends and permutations
std::vector<Entry> fabric_family();         // all but barriers and matrices, where nodes or links differ

// Where links fail while a program runs.
std::vector<Entry> independent_trees_family();  // broadcast on hypercubes

// On hypercubes whose links take time.
std::vector<Entry> link_broadcast_family();
std::vector<Entry> edge_disjoint_trees_family();
std::vector<Entry> scatter_all_gather_family();
std::vector<Entry> link_reduce_family();
std::vector<Entry> opposite_corner_send_family();  // send and exchange
std::vector<Entry> arbitrary_send_family();        // send and exchange
std::vector<Entry> send_waves_family();
std::vector<Entry> link_scatter_family();  // scatter and gather
std::vector<Entry> link_all_gather_family();
std::vector<Entry> link_reduce_scatter_family();
std::vector<Entry> link_all_reduce_family();
std::vector<Entry> link_all_to_all_family();
std::vector<Entry> permute_family();
std::vector<Entry> row_layouts_family();  // matrices
std::vector<Entry> transpose_family();
std::vector<Entry> turns_family();

using Family = std::vector<Entry>();

// The algorithms for a collective are listed in this order of families.
inline constexpr Family* families[] = {
    doubling_family,
    one_port_pipeline_family,
    pipelined_trees_family,
    one_port_family,
    scatter_family,
    all_gather_family,
    all_reduce_family,
    two_kinds_family,
    fold_family,
    cores_family,
    scan_exchange_family,
    scan_family,
    barrier_family,
    staircase_family,
    all_to_all_family,
    total_exchange_family,
    routed_family,
    spread_family,
    routed_matrix_family,
    quickest_flow_family,
    single_path_family,
    two_paths_family,
    unrolled_flow_family,
    farthest_first_family,
    priced_routes_family,
    tree_all_reduce_family,
    scan_on_networks_family,
    barrier_on_networks_family,
    joined_trees_family,
    fabric_family,
    independent_trees_family,
    link_broadcast_family,
    edge_disjoint_trees_family,
    scatter_all_gather_family,
    link_reduce_family,
    opposite_corner_send_family,
    arbitrary_send_family,
    send_waves_family,
    link_scatter_family,
    link_all_gather_family,
    link_reduce_scatter_family,
    link_all_reduce_family,
    link_all_to_all_family,
    permute_family,
    row_layouts_family,
    transpose_family,
    turns_family,
    rings_in_turn_family,
};

}  // namespace dcube::detail

#pragma once
// O.C. SEND 1 to 4 (Stout & Wagar 1990, section 3): the parts of a string spread over the n-cube between two opposite
// corners. The arbitrary sends and DISTRIBUTE use 3 and 4 too.

#include "algorithms/papers/stout_wagar/send_case.hpp"
#include "algorithms/programs/link_costs.hpp"
#include "algorithms/programs/routing.hpp"

#include <dcube/catalogue.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dcube::detail {

// Part i of p balanced ones.
Fragments part_of(const Fragments& string, std::size_t p, std::size_t i);

// The node that is reached from 0 over those of `dims` that the bits of `chosen` name.
NodeId corner(NodeId chosen, const std::vector<Port>& dims);

// The nodes of an n-cube by their number of 1 bits; of a level the largest first, so that what arrives at a node
// arrives in ascending order of dimension.
std::vector<NodeId> level_by_level(unsigned n);

// O.C. SEND 1 and 2.
void oc_send_1(RoutingTable& table, const SendCase& send, const Problem& problem);
void oc_send_2(RoutingTable& table, const SendCase& send, const Problem& problem);

// O.C. SEND 3 over the dimensions `dims` from `source`, in dims.size() stages from `first` on.
void spreading(RoutingTable& table, NodeId source, const std::vector<Port>& dims, const Fragments& string, Step first);
// Exact if lcm(1..n) divides m: K_(n-1) tau m/n + n beta. Else at most this, with every cut rounded up.
Exact spreading_time(unsigned n, std::size_t m, const LinkCosts& costs);
std::uint64_t spreading_packets(unsigned n, std::size_t m);

// O.C. SEND 4: in groups, a stage apart.
void spreading_groups(RoutingTable& table, NodeId source, const std::vector<Port>& dims, const Fragments& string,
                      std::size_t groups);
Cost spreading_groups_cost(unsigned n, std::size_t m, std::size_t groups);
Exact spreading_groups_time(unsigned n, std::size_t m, std::size_t groups, const LinkCosts& costs);
std::size_t best_spreading_groups(unsigned n, std::size_t m, const LinkCosts& costs);
// The groups that the problem asks for, or the best number of them.
std::size_t chosen_spreading_groups(const SendCase& send, const Problem& problem);
// The same as an algorithm, for any distance.
SendMethod spreading_groups_method();

}  // namespace dcube::detail

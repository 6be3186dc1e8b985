#pragma once
/// @file
/// Permutations of the nodes, by name or from text: node n's message goes to permutation[n].

#include <dcube/topology.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)
namespace dcube {

/// @addtogroup collective
/// @{

/// A permutation of the nodes by its name; digits are those of Topology::digit(), and k is how many values one has:
///
/// | name         | node n's message goes to                                   |
/// | ------------ | ---------------------------------------------------------- |
/// | identity     | n                                                          |
/// | rotation     | n + 1 mod N                                                |
/// | inversion    | n with all bits flipped                                    |
/// | reflection   | n with the top bit flipped                                 |
/// | bit-reversal | n with its bits in opposite order                          |
/// | shuffle      | n with its bits rotated left by one                        |
/// | transpose    | n with the upper and lower half of its bits exchanged; d even |
/// | tornado      | each digit almost half round its factor: x + ceil(k/2) - 1 mod k |
/// | neighbour    | each digit one up: x + 1 mod k                             |
/// | random       | a node that follows from `seed`                            |
/// | xor:MASK     | n ^ MASK, decimal or 0x hexadecimal                        |
///
/// Other names: bitcomp (inversion), bitrev (bit-reversal), neighbor (neighbour), randperm (random). A message to a
/// missing node goes on to that node's own target; a missing node maps to itself.
/// Throws InvalidArgument: no such name (with those there are), transpose with an odd d, a mask that is no node.
std::vector<NodeId> permutation_by_name(std::string_view name, const Topology& topology, std::uint64_t seed = 1);
/// The names of permutation_by_name(), "xor:" last.
std::vector<std::string_view> permutation_names();

/// Reads N whole numbers separated by white space; # begins a comment. Throws InvalidArgument, naming the line: not a
/// number, not a node, a node that is named twice, too few, too many.
std::vector<NodeId> parse_permutation(std::string_view text, const Topology& topology);

/// @}

}  // namespace dcube
#pragma GCC visibility pop

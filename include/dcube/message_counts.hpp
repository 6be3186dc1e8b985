#pragma once
/// @file
/// Counts of uneven messages (Problem::counts): how many packets each has, by a law or from text.

#include <dcube/collective.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)
namespace dcube {

/// @addtogroup collective
/// @{

/// Counts that follow from a law and `seed`. N members; MEAN is 1 where it is left out.
///
/// | law            | packets                                                                          |
/// | -------------- | -------------------------------------------------------------------------------- |
/// | zipf:S[:MEAN]  | each node sends MEAN (N - 1), each to a target drawn by its popularity, rank^-S   |
/// | sparse:P[:MEAN] | a message has none, or with probability P a Poisson number of mean MEAN / P      |
/// | poisson:MEAN   | a Poisson number for every message                                               |
/// | block:K[:MEAN] | MEAN between nodes of the same group of K, 0, 1, .. K - 1 and so on; none else    |
/// | hot:NODE:MEAN  | a Poisson number of mean MEAN for that node, 1 in every other message            |
///
/// All-gather, gather, scatter and reduce-scatter have one message per node, to which the same laws apply (zipf: MEAN N
/// packets in all), but block. What a node has for itself is 0 in an all-to-all. Numbers are whole, or like 1/8 and
/// 0.5. Throws InvalidArgument: no such law (with those there are), a parameter that is out of range, too many packets,
/// or an all-to-all of more than 2^14 nodes.
std::vector<std::uint32_t> counts_by_law(std::string_view law, Collective collective, const Topology& topology,
                                         std::uint64_t seed = 1);
/// The laws as they are written: "zipf:S[:MEAN]".
std::span<const std::string_view> count_laws();

/// The number of counts that a problem needs: N x N in an all-to-all, else N.
std::size_t counts_needed(Collective collective, const Topology& topology);

/// Reads as many whole numbers, separated by commas or white space; # begins a comment. In an all-to-all row o, column
/// t is the message from o to t. Throws InvalidArgument, naming the line: not a number, too few, too many.
std::vector<std::uint32_t> parse_counts(std::string_view text, Collective collective, const Topology& topology);

/// @}

}  // namespace dcube
#pragma GCC visibility pop

#pragma once
// Joint operations of a machine's ranks around a run. All ranks call them, at the same place.

#include <dcube/catalogue.hpp>
#include <dcube/layout.hpp>
#include <dcube/machine.hpp>
#include <dcube/report.hpp>
#include <dcube/run.hpp>
#include <dcube/world.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace dcube {

/// Returns the result of work(). If it throws on any rank, all ranks throw what the lowest such rank threw.
template <class Work>
auto agreed(World& world, const Work& work)
{
    std::optional<std::invoke_result_t<Work>> result;
    together(world, [&] { result.emplace(work()); });
    return std::move(*result);
}

/// Returns the report of work(algorithm), of the algorithm that the options name; choosing it is part of its planning.
Report with_chosen(Machine& machine, const Problem& asked, const CallOptions& options,
                   const std::function<Report(const Entry&)>& work);

/// The sum, or the largest, of all ranks' numbers.
std::uint64_t sum_of_ranks(World& world, std::uint64_t own);
std::uint64_t largest_of_ranks(World& world, std::uint64_t own);

/// Throws InvalidArgument on all ranks if one of them is asked for another run than rank 0: "ranks 0 and 2 disagree
/// about the problem".
void require_same_run(Machine& machine, const Problem& problem, const Algorithm& algorithm, const RunOptions& options);

/// The part of all nodes' input, laid out as `whole`, that belongs to this rank's nodes, laid out as `own`. Throws
/// InvalidArgument for an input of another size, unless the rank has nothing of it.
std::span<const std::byte> own_input(const Layout& whole, const Layout& own, std::span<const std::byte> input);

/// Whether a node's, or a rank's, input and output share bytes.
bool overlap(NodeData data);

/// Zeroes what stands in a node's output where nothing is put: the places of missing nodes' messages, and all of it at
/// the first member of an exscan.
void clear_unused(const Problem& problem, const Topology& topology, NodeId node, std::span<std::byte> output);

/// Whether a node's output stays as it was: the first member's in an exscan.
bool is_left_alone(const Problem& problem, const Topology& topology, NodeId node);

/// 16 hex digits: Report::result_digest over the output of all ranks' nodes, the same on all ranks. `output` is what
/// this rank's nodes hold, `own` the layout of those nodes.
std::string result_digest(Machine& machine, const Problem& problem, const Layout& own,
                          std::span<const std::byte> output);

/// A node whose output has other bits than the first node's.
struct Difference {
    NodeId first;
    NodeId node;
};
/// The first such node of those that `counts` says yes to; the same on all ranks.
std::optional<Difference> first_difference(Machine& machine, const Layout& own, std::span<const std::byte> output,
                                           const std::function<bool(NodeId)>& counts);

/// A problem in words that differ for different problems.
std::string words_of(const Problem& problem);

}  // namespace dcube

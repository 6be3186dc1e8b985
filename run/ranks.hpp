#pragma once
// What the ranks of a machine do together around a run. All of them call these, at the same place.

#include <dcube/catalogue.hpp>
#include <dcube/layout.hpp>
#include <dcube/machine.hpp>
#include <dcube/world.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace dcube {

/// What work() gives. Throws on all ranks what it throws on the lowest one that fails.
template <class Work>
auto agreed(World& world, const Work& work)
{
    std::optional<std::invoke_result_t<Work>> result;
    together(world, [&] { result.emplace(work()); });
    return std::move(*result);
}

/// Of all ranks' numbers.
std::uint64_t sum_of_ranks(World& world, std::uint64_t own);
std::uint64_t largest_of_ranks(World& world, std::uint64_t own);

/// Throws InvalidArgument on all ranks if one of them is asked for another run than rank 0: "ranks 0 and 2 disagree
/// about the problem".
void require_same_run(Machine& machine, const Problem& problem, const Algorithm& algorithm, const RunOptions& options);

/// Of all nodes' input, which lies as `whole` says, what a rank's nodes have: it lies as `own` says. Throws
/// InvalidArgument for an input of another size, unless the rank has nothing of it.
std::span<const std::byte> own_input(const Layout& whole, const Layout& own, std::span<const std::byte> input);

/// 16 hex digits: Report::result_digest of what this rank's nodes hold, the same on all ranks. `own` is the layout of
/// its nodes.
std::string result_digest(Machine& machine, const Layout& own, std::span<const std::byte> output);

/// A problem in words that differ for different problems.
std::string words_of(const Problem& problem);

}  // namespace dcube

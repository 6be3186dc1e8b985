#include "collectives/seeded_data.hpp"

#include "collectives/example.hpp"

#include <dcube/error.hpp>
#include <dcube/layout.hpp>

#include <fmt/format.h>

namespace dcube {

std::uint64_t seed_of_group(std::uint64_t seed, NodeId number)
{
    return seed + number * std::uint64_t{0x9e3779b97f4a7c15};
}

void fill_input(const Problem& problem, const Topology& topology, std::uint64_t seed, NodeId node,
                std::span<std::byte> input)
{
    fill_input(problem, topology, Layout(problem, topology), seed, node, input);
}

void fill_input(const Problem& problem, const Topology& topology, const Layout& layout, std::uint64_t seed, NodeId node,
                std::span<std::byte> input)
{
    const std::size_t bytes = layout.input(node).bytes;
    if (input.size() != bytes)
        throw InvalidArgument(
            fmt::format("the input of node {} has {} bytes: {} are allowed", node, input.size(), bytes));
    if (bytes == 0)
        return;  // holds nothing, so its messages have no place
    const auto groups = groups_of(problem, topology);
    const Topology& network = groups ? groups->network() : topology;
    const std::uint64_t first =
        groups ? pattern::message_key(seed_of_group(seed, groups->number(node)), groups->rank(node), 0)
               : pattern::message_key(seed, node, 0);
    pattern::with_words(problem, network, [&](const auto& words) {
        const bool one = traits(problem.collective).before.share != Share::message_per_node;
        for (NodeId target = 0; target < (one ? 1 : network.nodes()); ++target) {
            const Layout::Part message = layout.from_input(node, target);
            pattern::write(words, first + target * pattern::per_target, input.data() + message.offset, message.bytes);
        }
    });
}

}  // namespace dcube

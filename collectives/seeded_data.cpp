#include "collectives/seeded_data.hpp"

#include "collectives/example.hpp"

#include <dcube/error.hpp>
#include <dcube/layout.hpp>

#include <fmt/format.h>

namespace dcube {

void fill_input(const Problem& problem, const Topology& topology, std::uint64_t seed, NodeId node,
                std::span<std::byte> input)
{
    const Layout layout(problem, topology);
    const std::size_t bytes = layout.input(node).bytes;
    if (input.size() != bytes)
        throw InvalidArgument(
            fmt::format("the input of node {} has {} bytes: {} are allowed", node, input.size(), bytes));
    const std::uint64_t first = pattern::message_key(seed, node, 0);
    pattern::with_words(problem, topology, [&](const auto& words) {
        for (std::size_t i = 0; i < bytes / layout.message; ++i)
            pattern::write(words, first + i * pattern::per_target, input.data() + i * layout.message, layout.message);
    });
}

}  // namespace dcube

#pragma once
// Bytes of numbers, and the input that a seed gives to all nodes.

#include "collectives/example.hpp"

#include <dcube/layout.hpp>
#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace test_support {

using Bytes = std::vector<std::byte>;

template <class T>
Bytes bytes_of(const std::vector<T>& values)
{
    Bytes bytes(values.size() * sizeof(T));
    if (!bytes.empty())
        std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

/// The data that fill_input gives to all nodes, as they lie in memory.
inline Bytes filled(const dcube::Problem& problem, const dcube::Topology& topology, std::uint64_t seed)
{
    const dcube::Layout layout(problem, topology);
    Bytes input(layout.input_bytes);
    for (dcube::NodeId node = 0; node < topology.nodes(); ++node) {
        const auto [offset, bytes] = layout.input(node);
        fill_input(problem, topology, seed, node, std::span(input).subspan(offset, bytes));
    }
    return input;
}

}  // namespace test_support

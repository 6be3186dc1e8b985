#pragma once
// The expected output of all nodes, straight from the table in layout.hpp: without the traits, so that a wrong row of
// theirs is found.

#include "tests/support/data.hpp"

#include <dcube/elements.hpp>
#include <dcube/layout.hpp>
#include <dcube/matrix.hpp>
#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <algorithm>
#include <cstddef>

namespace small_traces {

class Demanded {
public:
    using Bytes = test_support::Bytes;

    Demanded(const dcube::Problem& problem, const dcube::Topology& topology, const Bytes& input)
        : problem_(problem), topology_(topology), input_(input), nodes_(topology.nodes()),
          message_(dcube::Layout(problem, topology).message)
    {
    }

    /// All nodes' output, as it lies in memory.
    Bytes output()
    {
        output_.clear();
        for (dcube::NodeId node = 0; node < nodes_; ++node)
            append_output(node);
        return output_;
    }

private:
    void append_output(dcube::NodeId node)
    {
        using enum dcube::Collective;
        switch (problem_.collective) {
        case send:
            if (node == problem_.peer)
                append(0);
            return;
        case exchange:
            if (node == problem_.root || node == problem_.peer)
                append(node == std::min(problem_.root, problem_.peer) ? 1 : 0);
            return;
        case permute: return append(origin_of(node));
        case matrix_transpose:
        case matrix_quarter_turn:
        case matrix_half_turn:
        case matrix_relayout: return append_elements(node);
        case barrier: return;
        case broadcast: return append(0);
        case scatter: return append(node);
        case gather:
            if (node == problem_.root)
                append_all(0, 1);
            return;
        case all_gather: return append_all(0, 1);
        case all_to_all: return append_all(node, nodes_);
        case reduce:
            if (node == problem_.root)
                append_sum(0, 1);
            return;
        case reduce_scatter: return append_sum(node, nodes_);
        case all_reduce: return append_sum(0, 1);
        case scan: return append_sum_of(node + 1);
        case exscan:
            if (node == 0)
                output_.resize(output_.size() + message_);  // what stands there is not looked at
            else
                append_sum_of(node);
            return;
        }
    }

    /// Message `number` of the input.
    void append(std::size_t number) { append_bytes(number * message_, message_); }

    void append_bytes(std::size_t offset, std::size_t bytes)
    {
        const auto from = input_.begin() + static_cast<std::ptrdiff_t>(offset);
        output_.insert(output_.end(), from, from + static_cast<std::ptrdiff_t>(bytes));
    }

    /// One message of every node's: `first`, and so on.
    void append_all(std::size_t first, std::size_t stride)
    {
        for (std::size_t origin = 0; origin < nodes_; ++origin)
            append(first + origin * stride);
    }

    void append_sum(std::size_t first, std::size_t stride) { append_sum_of(nodes_, first, stride); }

    void append_sum_of(std::size_t nodes, std::size_t first = 0, std::size_t stride = 1)
    {
        append(first);
        std::byte* const into = output_.data() + output_.size() - message_;
        for (std::size_t i = 1; i < nodes; ++i)
            combiner(problem_.operation, problem_.type)(into, into, input_.data() + (first + i * stride) * message_,
                                                        message_);
    }

    /// The moves are MatrixMove's, which matrix_test.cpp checks.
    void append_elements(dcube::NodeId node)
    {
        const dcube::MatrixMove move(problem_, topology_);
        const std::size_t size = size_of(problem_.type);
        for (std::size_t i = 0; i < message_ / size; ++i) {
            const dcube::MatrixShape::Place source = move.source({node, i});
            append_bytes(source.node * message_ + source.index * size, size);
        }
    }

    [[nodiscard]] std::size_t origin_of(dcube::NodeId target) const
    {
        const auto& targets = problem_.permutation;
        return static_cast<std::size_t>(std::ranges::find(targets, target) - targets.begin());
    }

    dcube::Problem problem_;
    dcube::Topology topology_;
    const Bytes& input_;
    std::size_t nodes_;
    std::size_t message_;
    Bytes output_;
};

inline test_support::Bytes demanded(const dcube::Problem& problem, const dcube::Topology& topology,
                                    const test_support::Bytes& input)
{
    return Demanded(problem, topology, input).output();
}

}  // namespace small_traces

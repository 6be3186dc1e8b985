#pragma once
// A matrix as a whole, as callers have it, and its elements on the nodes, as Layout says.

#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace dcube {

enum class ElementOrder : std::uint8_t { by_rows, by_columns };

/// Fills all nodes' `inputs` (Layout::input_bytes; the places of missing nodes stay as they are) with the elements of
/// `matrix`, which has the problem's rows, columns and type. Throws InvalidArgument as MatrixMove does, and where sizes
/// differ.
void deal_out(std::span<const std::byte> matrix, ElementOrder order, const Problem& problem, const Topology& topology,
              std::span<std::byte> inputs);

/// Fills `matrix`, row by row, with what all nodes hold afterwards (Layout::output_bytes), which may be more than it:
/// missing nodes have places too. Throws as deal_out() does.
void collect(std::span<const std::byte> outputs, const Problem& problem, const Topology& topology,
             std::span<std::byte> matrix);

}  // namespace dcube

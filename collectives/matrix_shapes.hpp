#pragma once
// The shapes of a matrix before and after a matrix_ collective.

#include <dcube/matrix.hpp>

namespace dcube {

/// Both throw InvalidArgument, as MatrixShape and MatrixMove do.
MatrixShape shape_before(const Problem& problem, const Topology& topology);
MatrixShape shape_after(const Problem& problem, const Topology& topology);

/// Whether all elements of a node go to one node; that is so for all nodes of a move or for none.
bool has_partners(const MatrixMove& move);

}  // namespace dcube

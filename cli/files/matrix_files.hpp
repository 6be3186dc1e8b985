#pragma once
// Matrices in files, row by row: raw binary or NumPy's .npy. On the machine they lie as a layout says.

#include <dcube/layout.hpp>
#include <dcube/matrix.hpp>
#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace dcube::cli {

/// Makes all nodes' input of a matrix file's bytes, in the order of Layout. A .npy file settles the problem's rows,
/// columns and type; those that were given must agree (`type_given` says whether the type was). Throws InvalidArgument.
std::vector<std::byte> deal_out(std::span<const std::byte> file, const std::string& path, Problem& problem,
                                bool type_given, const Topology& topology);

/// Makes a file of what all nodes hold afterwards, in the order of Layout: .npy if the path ends so, else raw. It has
/// the matrix' elements only, without the places of missing nodes.
std::vector<std::byte> collect(std::span<const std::byte> outputs, const std::string& path, const Problem& problem,
                               const Topology& topology);

/// The bytes of the file before the elements.
std::string matrix_header(const std::string& path, const Problem& problem, const Topology& topology);

using WriteAt = std::function<void(std::size_t offset, std::span<const std::byte> bytes)>;

/// Writes the elements of some nodes into the same file, where they belong. `outputs` lie as `own` says.
void scatter_elements(std::span<const std::byte> outputs, const Layout& own, NodeRange nodes, const std::string& path,
                      const Problem& problem, const Topology& topology, const WriteAt& write_at);

}  // namespace dcube::cli

#include "run/whole_matrix.hpp"

#include <dcube/error.hpp>
#include <dcube/layout.hpp>
#include <dcube/matrix.hpp>

#include <fmt/format.h>

#include <cstring>

namespace dcube {

namespace {

void require_size(const char* what, std::size_t found, std::size_t expected)
{
    if (found != expected)
        throw InvalidArgument(fmt::format("{} has {} bytes: {} are needed", what, found, expected));
}

// Calls `each` with every element's row and column, and where it stands in the nodes' data.
template <class PartOf, class Each>
void for_each_element(const MatrixShape& shape, std::size_t size, const PartOf& part_of, const Each& each)
{
    for (std::size_t row = 0; row < shape.rows(); ++row)
        for (std::size_t column = 0; column < shape.columns(); ++column) {
            const auto [node, index] = shape.place({row, column});
            each(row, column, part_of(node).offset + index * size);
        }
}

}  // namespace

void deal_out(std::span<const std::byte> matrix, ElementOrder order, const Problem& problem, const Topology& topology,
              std::span<std::byte> inputs)
{
    const MatrixMove move(problem, topology);
    const Layout layout(problem, topology);
    const std::size_t size = size_of(problem.type);
    require_size("the matrix", matrix.size(), problem.rows * problem.columns * size);
    require_size("the nodes' data", inputs.size(), layout.input_bytes);
    const bool by_columns = order == ElementOrder::by_columns;
    for_each_element(
        move.before(), size, [&](NodeId node) { return layout.input(node); },
        [&](std::size_t row, std::size_t column, std::size_t at) {
            const std::size_t from = by_columns ? column * problem.rows + row : row * problem.columns + column;
            std::memcpy(&inputs[at], &matrix[from * size], size);
        });
}

void collect(std::span<const std::byte> outputs, const Problem& problem, const Topology& topology,
             std::span<std::byte> matrix)
{
    const MatrixMove move(problem, topology);
    const Layout layout(problem, topology);
    const MatrixShape& shape = move.after();
    const std::size_t size = size_of(problem.type);
    require_size("the matrix", matrix.size(), shape.rows() * shape.columns() * size);
    require_size("the nodes' data", outputs.size(), layout.output_bytes);
    for_each_element(
        shape, size, [&](NodeId node) { return layout.output(node); },
        [&](std::size_t row, std::size_t column, std::size_t at) {
            std::memcpy(&matrix[(row * shape.columns() + column) * size], &outputs[at], size);
        });
}

}  // namespace dcube

#include "cli/files/matrix_files.hpp"

#include "base/numbers.hpp"
#include "cli/files/npy.hpp"
#include "run/whole_matrix.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace dcube::cli {

namespace {

void settle(std::size_t& given, std::size_t told, std::string_view key, const std::string& path)
{
    if (given != 0 && given != told)
        throw InvalidArgument(key, std::to_string(given), fmt::format("is given, but {} says {}", path, told));
    given = told;
}

// Checks a .npy header against what was given; returns the elements, row by row or column by column.
NpyArray settle_by_header(std::span<const std::byte> file, const std::string& path, Problem& problem, bool type_given)
{
    NpyArray array = parse_npy(file, path);
    if (array.shape.size() != 2)
        throw InvalidArgument(
            fmt::format("{}: it has {}: a matrix of 2 is allowed", path, counted(array.shape.size(), "dimension")));
    if (array.shape[0] == 0 || array.shape[1] == 0)
        throw InvalidArgument(fmt::format("{}: a matrix of {} x {} has no elements: sides of 1 and more are allowed",
                                          path, array.shape[0], array.shape[1]));
    settle(problem.rows, array.shape[0], "rows", path);
    settle(problem.columns, array.shape[1], "columns", path);
    if (type_given && problem.type != array.type)
        throw InvalidArgument("type", name(problem.type),
                              fmt::format("is given, but {} says {}", path, name(array.type)));
    problem.type = array.type;
    return array;
}

void require_raw_size(std::size_t found, const std::string& path, const Problem& problem)
{
    if (problem.rows == 0 || problem.columns == 0)
        throw InvalidArgument(
            fmt::format("{} is not a .npy file: give {} and {}", path, mention("rows"), mention("columns")));
    const std::size_t element = size_of(problem.type);
    std::size_t expected = 0;
    if (__builtin_mul_overflow(problem.rows, problem.columns, &expected) ||
        __builtin_mul_overflow(expected, element, &expected) || expected != found)
        throw InvalidArgument(fmt::format("{} has {}: {} x {} elements of {} are needed", path, counted(found, "byte"),
                                          problem.rows, problem.columns, counted(element, "byte")));
}

}  // namespace

std::vector<std::byte> deal_out(std::span<const std::byte> file, const std::string& path, Problem& problem,
                                bool type_given, const Topology& topology)
{
    std::span<const std::byte> elements = file;
    ElementOrder order = ElementOrder::by_rows;
    if (is_npy(file)) {
        const NpyArray array = settle_by_header(file, path, problem, type_given);
        elements = file.subspan(array.data_offset);
        order = array.fortran_order ? ElementOrder::by_columns : ElementOrder::by_rows;
    }
    require_raw_size(elements.size(), path, problem);
    std::vector<std::byte> inputs(Layout(problem, topology).input_bytes);
    dcube::deal_out(elements, order, problem, topology, inputs);
    return inputs;
}

std::vector<std::byte> collect(std::span<const std::byte> outputs, const std::string& path, const Problem& problem,
                               const Topology& topology)
{
    const MatrixShape shape = MatrixMove(problem, topology).after();
    const std::string header = matrix_header(path, problem, topology);
    std::vector<std::byte> file(header.size() + shape.rows() * shape.columns() * size_of(problem.type));
    std::ranges::copy(std::as_bytes(std::span(header)), file.begin());
    dcube::collect(outputs, problem, topology, std::span(file).subspan(header.size()));
    return file;
}

std::string matrix_header(const std::string& path, const Problem& problem, const Topology& topology)
{
    if (!path.ends_with(".npy"))
        return "";
    const MatrixMove move(problem, topology);
    const std::size_t sides[] = {move.after().rows(), move.after().columns()};
    return npy_header(problem.type, sides);
}

// Elements that follow each other at the node as in the file are written together.
void scatter_elements(std::span<const std::byte> outputs, const Layout& own, NodeRange nodes, const std::string& path,
                      const Problem& problem, const Topology& topology, const WriteAt& write_at)
{
    const MatrixMove move(problem, topology);
    const MatrixShape& shape = move.after();
    const std::size_t size = size_of(problem.type);
    const std::size_t header = matrix_header(path, problem, topology).size();
    for (NodeId node = nodes.first; node < nodes.last; ++node) {
        const std::span<const std::byte> mine = outputs.subspan(own.output(node).offset, own.output(node).bytes);
        const auto place = [&](std::size_t index) {
            const auto [row, column] = shape.element({node, index});
            return header + (row * shape.columns() + column) * size;
        };
        const std::size_t elements = mine.size() / size;
        for (std::size_t first = 0, end = 0; first < elements; first = end) {
            for (end = first + 1; end < elements && place(end) == place(end - 1) + size;)
                ++end;
            write_at(place(first), mine.subspan(first * size, (end - first) * size));
        }
    }
}

}  // namespace dcube::cli

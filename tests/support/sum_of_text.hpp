#pragma once
// The contributors of a sum, as in a trace, written without the program's own writer.

#include <dcube/trace.hpp>

#include <fmt/format.h>

#include <string>

namespace test_support {

/// "" of a piece that does not tell it.
inline std::string sum_of_text(const dcube::Piece& piece)
{
    if (!piece.sum_of)
        return {};
    std::string nodes;
    for (const auto& [first, last] : piece.sum_of->ranges())
        nodes +=
            (nodes.empty() ? "" : ",") + (first == last ? std::to_string(first) : fmt::format("[{},{}]", first, last));
    return ",\"sum_of\":[" + nodes + "]";
}

}  // namespace test_support

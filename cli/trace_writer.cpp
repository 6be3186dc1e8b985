#include "cli/trace_writer.hpp"

#include <iterator>
#include <optional>
#include <string_view>

namespace dcube::cli {

namespace {

constexpr std::size_t full = std::size_t{1} << 16;

// std::optional of a number, or null.
void append_node(fmt::memory_buffer& lines, std::optional<NodeId> node)
{
    if (node)
        fmt::format_to(std::back_inserter(lines), "{}", *node);
    else
        lines.append(std::string_view("null"));
}

void append_piece(fmt::memory_buffer& lines, const Piece& piece)
{
    lines.append(std::string_view(R"({"origin":)"));
    append_node(lines, piece.origin);
    lines.append(std::string_view(R"(,"target":)"));
    append_node(lines, piece.target);
    fmt::format_to(std::back_inserter(lines), R"(,"offset":{},"length":{}}})", piece.offset, piece.length);
}

}  // namespace

// The unit-time model knows no nanoseconds: start_ns and end_ns are null.
void append_line(fmt::memory_buffer& lines, const Transmission& transmission)
{
    fmt::format_to(std::back_inserter(lines),
                   R"({{"step":{},"from":{},"to":{},"port":{},"bytes":{},"start_ns":null,"end_ns":null,"pieces":[)",
                   transmission.step, transmission.from, transmission.to, transmission.port, transmission.bytes);
    for (const Piece& piece : transmission.pieces) {
        if (&piece != transmission.pieces.data())
            lines.push_back(',');
        append_piece(lines, piece);
    }
    lines.append(std::string_view("]}\n"));
}

void TraceWriter::write(const Transmission& transmission)
{
    append_line(lines_, transmission);
    if (lines_.size() >= full)
        flush();
}

void TraceWriter::flush()
{
    file_.write(std::string_view(lines_.data(), lines_.size()));
    lines_.clear();
}

}  // namespace dcube::cli

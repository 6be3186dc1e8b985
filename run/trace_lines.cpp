#include "run/trace_lines.hpp"

#include "base/json.hpp"
#include "run/report_fields.hpp"

#include <dcube/error.hpp>
#include <dcube/run.hpp>

#include <iterator>
#include <numeric>
#include <optional>
#include <string_view>

namespace dcube {

namespace {

// std::optional of a number, or null.
void append_node(fmt::memory_buffer& lines, std::optional<NodeId> node)
{
    if (node)
        fmt::format_to(std::back_inserter(lines), "{}", *node);
    else
        lines.append(std::string_view("null"));
}

// Ids, and [first,last] for more of them in a row.
void append_contributors(fmt::memory_buffer& lines, const Contributors& nodes)
{
    lines.append(std::string_view(R"(,"sum_of":[)"));
    for (const auto& range : nodes.ranges()) {
        if (&range != nodes.ranges().data())
            lines.push_back(',');
        if (range.first == range.last)
            fmt::format_to(std::back_inserter(lines), "{}", range.first);
        else
            fmt::format_to(std::back_inserter(lines), "[{},{}]", range.first, range.last);
    }
    lines.push_back(']');
}

void append_piece(fmt::memory_buffer& lines, const Piece& piece)
{
    lines.append(std::string_view(R"({"origin":)"));
    append_node(lines, piece.origin);
    lines.append(std::string_view(R"(,"target":)"));
    append_node(lines, piece.target);
    fmt::format_to(std::back_inserter(lines), R"(,"offset":{},"length":{})", piece.offset, piece.length);
    if (piece.sum_of)
        append_contributors(lines, *piece.sum_of);
    lines.push_back('}');
}

// The unit model knows no nanoseconds.
void append_time(fmt::memory_buffer& lines, Time ticks, const LinkModel& link)
{
    const auto to = std::back_inserter(lines);
    if (!link.bound()) {
        fmt::format_to(to, "null");
        return;
    }
    const std::uint64_t scale = link.ticks_per_ns();
    const std::uint64_t divisor = std::gcd(ticks, scale);
    if (divisor == scale)
        fmt::format_to(to, "{}", ticks / scale);
    else
        fmt::format_to(to, R"("{}/{}")", ticks / divisor, scale / divisor);
}

}  // namespace

void append_pieces(fmt::memory_buffer& lines, std::span<const Piece> pieces)
{
    lines.push_back('[');
    for (const Piece& piece : pieces) {
        if (&piece != pieces.data())
            lines.push_back(',');
        append_piece(lines, piece);
    }
    lines.push_back(']');
}

void append_line(fmt::memory_buffer& lines, const Transmission& transmission, const LinkModel& link)
{
    fmt::format_to(std::back_inserter(lines), R"({{"step":{},"from":{},"to":{},"port":{},"bytes":{},"start_ns":)",
                   transmission.step, transmission.from, transmission.to, transmission.port, transmission.bytes);
    append_time(lines, transmission.start, link);
    lines.append(std::string_view(R"(,"end_ns":)"));
    append_time(lines, transmission.end, link);
    lines.append(std::string_view(R"(,"pieces":)"));
    append_pieces(lines, transmission.pieces);
    if (!transmission.phase.empty())
        fmt::format_to(std::back_inserter(lines), R"(,"phase":{})", nlohmann::json(transmission.phase).dump());
    if (transmission.lost)
        lines.append(std::string_view(R"(,"lost":true)"));
    lines.append(std::string_view("}\n"));
}

std::string trace_header(const Report& report)
{
    Json header = record_of(trace_fields(), report);
    for (const ReportEntry& entry : report_entries())
        if (stands_in(entry, RecordKind::trace))
            if (Json value = value_of(entry, report); !value.is_null() && value != "")
                header[std::string(entry.key)] = std::move(value);
    return header.dump() + "\n";
}

TraceSink write_trace(std::ostream& out, const TraceQuestion& of)
{
    const auto put = [&out](std::string_view text) {
        out.write(text.data(), static_cast<std::streamsize>(text.size()));
        if (!out)
            throw Error("the trace cannot be written");
    };
    put(trace_header(asked_report(of)));
    return [put, link = of.problem.link](const Transmission& one) {
        fmt::memory_buffer line;
        append_line(line, one, link);
        put({line.data(), line.size()});
    };
}

}  // namespace dcube

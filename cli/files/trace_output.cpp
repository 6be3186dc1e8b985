#include "cli/files/trace_output.hpp"

#include "run/trace_lines.hpp"

#include <iterator>
#include <numeric>
#include <string>
#include <utility>

namespace dcube::cli {

namespace {

constexpr std::size_t most_pieces = 4;

std::string time_text(Time ticks, std::uint64_t scale)
{
    const std::uint64_t divisor = std::gcd(ticks, scale);
    return divisor == scale ? std::to_string(ticks / scale) : fmt::format("{}/{}", ticks / divisor, scale / divisor);
}

// "3>5", "3>" for what every node gets, ">5" for a sum, "sum" for one that every node gets.
std::string ends_text(const Piece& piece)
{
    if (!piece.origin && !piece.target)
        return "sum";
    return fmt::format("{}>{}", piece.origin ? std::to_string(*piece.origin) : "sum",
                       piece.target ? std::to_string(*piece.target) : "");
}

constexpr std::size_t buffer_is_full = std::size_t{1} << 16;

}  // namespace

TraceOutput::TraceOutput(TraceFormat format, Write write, const Report& report)
    : format_(format), write_(std::move(write)), link_(report.link),
      packet_(link_.bound() || is_matrix(report.problem.collective) ? 0 : report.problem.bytes)
{
    if (format_ == TraceFormat::table)
        append_heading();
    else
        lines_.append(trace_header(report));
}

void TraceOutput::append_heading()
{
    fmt::format_to(std::back_inserter(lines_), "{:>6} {:>6} {:>6} {:>5} {:>9}", "step", "from", "to", "port", "bytes");
    if (link_.bound())
        fmt::format_to(std::back_inserter(lines_), " {:>11} {:>11}", "start ns", "end ns");
    lines_.append(std::string_view("  what\n"));
}

void TraceOutput::write(const Transmission& sent)
{
    if (format_ == TraceFormat::table)
        append_row(sent);
    else
        append_line(lines_, sent, link_);
    if (lines_.size() >= buffer_is_full)
        flush();
}

void TraceOutput::append_row(const Transmission& sent)
{
    fmt::format_to(std::back_inserter(lines_), "{:>6} {:>6} {:>6} {:>5} {:>9}", sent.step, sent.from, sent.to,
                   sent.port, sent.bytes);
    if (link_.bound())
        append_times(sent);
    append_pieces(sent);
    if (sent.lost)
        lines_.append(std::string_view("  lost"));
    if (!sent.phase.empty())
        fmt::format_to(std::back_inserter(lines_), "  ({})", sent.phase);
    lines_.push_back('\n');
}

void TraceOutput::append_times(const Transmission& sent)
{
    const std::uint64_t scale = link_.ticks_per_ns();
    fmt::format_to(std::back_inserter(lines_), " {:>11} {:>11}", time_text(sent.start, scale),
                   time_text(sent.end, scale));
}

// Whose bytes, and which packet of a message or which bytes they are.
void TraceOutput::append_pieces(const Transmission& sent)
{
    const auto to = std::back_inserter(lines_);
    lines_.append(std::string_view(" "));
    std::size_t shown = 0;
    for (const Piece& piece : sent.pieces) {
        if (shown++ == most_pieces) {
            fmt::format_to(to, " and {} more", sent.pieces.size() - most_pieces);
            break;
        }
        fmt::format_to(to, " {}", ends_text(piece));
        if (packet_ == 0)
            fmt::format_to(to, "[{}..{}]", piece.offset, piece.offset + piece.length - 1);
        else if (piece.offset != 0 || piece.length != packet_)
            fmt::format_to(to, "[packet {}]", piece.offset / packet_);
    }
}

void TraceOutput::flush()
{
    write_(std::string_view(lines_.data(), lines_.size()));
    lines_.clear();
}

}  // namespace dcube::cli

#include "cli/text/verdict_text.hpp"

#include "base/numbers.hpp"
#include "cli/text/describe.hpp"
#include "cli/text/report_text.hpp"
#include "run/report_fields.hpp"

#include <dcube/bounds.hpp>
#include <dcube/error.hpp>

#include <fmt/format.h>

#include <cstdint>

namespace dcube::cli {

namespace {

std::string counts_text(const Report& report, Rows rows, Colour colour)
{
    if (!report.link.bound())
        return count_rows(report, report.counts.steps, rows, colour);
    const std::string time = report.virtual_time_ns ? time_text(*report.virtual_time_ns) : "not in the trace";
    return (rows == Rows::all ? row("links", describe(report.link, report.topology)) : "") + row("virtual time", time) +
           row("lower bound", time_bound_text(report, rows, colour)) +
           row("packets", grouped(report.counts.transmissions));
}

}  // namespace

std::string best_row(const Report& report, std::string_view what)
{
    const BestKnown best = best_known(report);
    if (best.name.empty())
        return {};
    const std::string takes = best.steps  ? grouped(*best.steps, "step")
                              : best.time ? (best.time->exact ? "" : "at most ") + time_text(best.time->ns)
                                          : "time known only after a run";
    if (!best.ratio)
        return row("best known", fmt::format("{}: {}", best.name, takes));
    const std::string compared =
        *best.ratio == 1 ? "takes the same" : fmt::format("takes {:.4g} times that", *best.ratio);
    return row("best known", fmt::format("{}: {} ({} {})", best.name, takes, what, compared));
}

std::string verdict_text(const JudgedTrace& trace, Rows rows, Colour colour)
{
    const Report report = report_of(trace.question, trace.verdict);
    std::string text = wrapped(fmt::format("{} by the trace in {}", name(report.problem.collective),
                                           trace.file == "-" ? "standard input" : trace.file));
    text += wrapped(describe(report.topology, report.ports) + ": " + describe(report.problem, report.topology));
    text += recognised_line(report.topology) + "\n";
    text += counts_text(report, rows, colour);
    if (report.counts.lost > 0)
        text += row("lost", grouped(report.counts.lost, "packet"));
    text += best_row(report, "this trace");
    if (rows == Rows::all)
        text += row("link bytes", grouped(report.counts.bytes));
    const std::uint64_t lines = trace.verdict.transmissions;
    return text + fmt::format("{:<15}{}, {}\n", "verdict", green(colour, "accepted"), grouped(lines, "line"));
}

}  // namespace dcube::cli

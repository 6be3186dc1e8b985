#include "cli/text/report_text.hpp"

#include "base/cgroups.hpp"
#include "base/memory.hpp"
#include "base/numbers.hpp"
#include "cli/text/describe.hpp"
#include "cli/text/records.hpp"
#include "run/describe.hpp"

#include <fmt/format.h>

#include <optional>

namespace dcube::cli {

namespace {

// The collective, the algorithm and its source, then the machine and the problem.
std::string heading(const Report& report, Colour colour)
{
    const std::string title(name(report.problem.collective));
    const std::string source = report.paper.empty() ? "" : fmt::format(" ({})", report.paper);
    std::string lines = wrapped(fmt::format("{}, algorithm {}{}", title, report.algorithm, source));
    lines.replace(0, title.size(), bold(colour, title));
    return lines + wrapped(describe(report.topology, report.ports) + ": " + describe(report.problem, report.topology)) +
           recognised_line(report.topology);
}

std::string link_text(const LinkUse& link)
{
    return fmt::format("{} (node {}, port {})", grouped(link.packets, "packet"), link.from, link.port);
}

std::string link_use_text(const Report& report, Rows rows)
{
    const Counts& counts = report.counts;
    if (!counts.busiest || !counts.idlest)
        return "no links";
    const std::string share = fmt::format("{:.1f} %", 100 * report.link_utilisation());
    if (rows == Rows::main)
        return share;
    if (counts.busiest->packets == counts.idlest->packets)
        return fmt::format("{}, every directed link carried {}", share, grouped(counts.busiest->packets, "packet"));
    return fmt::format("{}, most loaded {}, least loaded {}", share, link_text(*counts.busiest),
                       link_text(*counts.idlest));
}

std::string storage_text(const Counts& counts)
{
    if (counts.storage_bytes == 0)
        return "none needed";
    return fmt::format("{} in total, at most {} per node", size_text(counts.storage_bytes),
                       size_text(counts.largest_storage_bytes));
}

// "at most 16 packets per node (at least 9 for this number of steps)".
std::string in_transit_text(std::uint64_t most, std::uint64_t bound)
{
    const std::string comparison = bound == 0 ? ""
                                   : most == bound
                                       ? " (optimal for this number of steps)"
                                       : fmt::format(" (at least {} for this number of steps)", grouped(bound));
    return fmt::format("at most {} per node{}", grouped(most, "packet"), comparison);
}

// "reduce-scatter, steps 1 to 18".
std::string phase_text(const Phase& phase)
{
    if (phase.last < phase.first)
        return phase.name + ", no step";
    if (phase.last == phase.first)
        return fmt::format("{}, step {}", phase.name, grouped(phase.first));
    return fmt::format("{}, steps {} to {}", phase.name, grouped(phase.first), grouped(phase.last));
}

std::string notes_rows(const Counts& counts)
{
    std::string rows;
    for (const Phase& phase : counts.phases)
        rows += row("phase", phase_text(phase));
    for (const Counter& counter : counts.counters)
        rows += row("counted", fmt::format("{} {}", grouped(counter.value), counter.name));
    return rows;
}

// "3 packets, the first in step 2 from node 5 to node 7: link 5-7 fails from step 2 on".
std::string lost_text(const Counts& counts)
{
    const std::string packets = grouped(counts.lost, "packet");
    const std::optional<LostPacket>& first = counts.first_lost;
    if (!first)
        return packets;
    return fmt::format("{}, the first in step {} from node {} to node {}: {}", packets, first->step, first->from,
                       first->to, describe(first->cause));
}

// "4 ranks on 2 hosts, ", "4 ranks, "
std::string ranks_text(const Report& report)
{
    if (report.ranks == 1)
        return "";
    return fmt::format("{} ranks{}, ", report.ranks,
                       report.hosts == 1 ? "" : fmt::format(" on {} hosts", report.hosts));
}

// The runs behind the time: "(warm, median of 5 runs)".
std::string runs_text(const Report& report)
{
    if (report.warm_runs > 0)
        return report.warm_runs == 1 ? " (warm, one run)"
                                     : fmt::format(" (warm, median of {} runs)", grouped(report.warm_runs));
    return report.is_cold() ? " (cold, one run)" : fmt::format(" (median of {} runs)", report.repeat);
}

std::string wall_text(const Report& report)
{
    const std::string asked = report.threads_asked.value_or(report.threads) == report.threads
                                  ? ""
                                  : fmt::format(" ({} asked for)", *report.threads_asked);
    const std::string channel = report.channel == "slots" ? "" : fmt::format(", {} channels", report.channel);
    const double quota = detail::processor_quota();
    return fmt::format("{}{}, {}{}{}{}{}{}", duration_text(report.counts.wall_seconds), runs_text(report),
                       ranks_text(report), counted(report.threads, "thread"), report.ranks == 1 ? "" : " each", asked,
                       quota < 1 ? ": " + detail::quota_text(quota) : "", channel);
}

// "262 144 packets, 16 MiB, 9 % of the time"
std::string between_ranks_text(const Counts& counts)
{
    const double share = counts.wall_seconds > 0 ? counts.communication_seconds / counts.wall_seconds : 0;
    return fmt::format("{}, {}, {:.0f} % of the time", grouped(counts.cross_rank_packets, "packet"),
                       size_text(counts.cross_rank_bytes), 100 * share);
}

// ", 62 % of what scattered 64-byte copies reach here with 2 threads".
std::string share_text(const Report& report)
{
    const std::optional<double> share = report.share_of_limit();
    if (!share && report.ranks > 1)
        return "";
    if (!share)
        return fmt::format(" (run dcube limits{} once to compare with this machine's best)",
                           report.pin == "none" ? "" : " --pin " + report.pin);
    const std::string doubt = report.limit_doubt.empty() ? "" : fmt::format(" (doubtful: {})", report.limit_doubt);
    const std::string threads = fmt::format("{}{}", counted(report.threads, "thread"), doubt);
    if (report.limit_binds == "steps")
        return fmt::format(", {:.0f} % of the time is what as many empty steps take here with {}", 100 * *share,
                           threads);
    return fmt::format(", {:.0f} % of what {} reach here with {}", 100 * *share, report.limit_binds, threads);
}

std::string speed_text(const Report& report, Rows rows)
{
    return fmt::format("{:.3g} x 10^6 hops/s, {:.3g} GB/s over the links{}", report.hops_per_second() / 1e6,
                       report.link_bytes_per_second() / 1e9, rows == Rows::all ? share_text(report) : "");
}

// "310 ns (28.2 beta)".
std::string time_and_betas(const Rational& ns, const LinkModel& link)
{
    const std::string betas = in_beta_text(ns, link);
    return betas.empty() ? time_text(ns) : fmt::format("{} ({})", time_text(ns), betas);
}

// "310 ns (28.2 beta), as predicted", "310 ns (28.2 beta), predicted at most 320 ns".
std::string measured_text(const Report& report)
{
    const std::string text = time_and_betas(*report.virtual_time_ns, report.link);
    if (!report.predicted_time_ns)
        return text;
    if (*report.predicted_time_ns == *report.virtual_time_ns)
        return text + ", as predicted";
    return text + fmt::format(", predicted {}{}", report.prediction_is_exact ? "" : "at most ",
                              time_text(*report.predicted_time_ns));
}

// "each as 3 packets of 411 bytes, the last of 409".
std::string cut_row(const Report& report)
{
    return report.cut_packet_bytes ? row("messages", (report.problem.counts.empty() ? "each as " : "the longest as ") +
                                                         packets_of(report.problem.bytes * most_packets(report.problem),
                                                                    *report.cut_packet_bytes))
                                   : "";
}

// "310 ns (28.2 beta)", "at most 320 ns (29.1 beta)".
std::string predicted_text(const Report& report)
{
    if (!report.predicted_time_ns)
        return "known only after a run";
    return (report.prediction_is_exact ? "" : "at most ") + time_and_betas(*report.predicted_time_ns, report.link);
}

// `time` is measured or predicted.
std::string virtual_time_rows(const Report& report, const std::string& time, const std::string& packets, Rows rows,
                              Colour colour)
{
    std::string text = rows == Rows::all ? row("links", describe(report.link, report.topology)) : "";
    text +=
        row("virtual time", time) + row("lower bound", time_bound_text(report, rows, colour)) + row("packets", packets);
    return text + cut_row(report);
}

std::string packets_text(const Report& report, std::uint64_t steps)
{
    return fmt::format("{} in {}", grouped(report.counts.transmissions), grouped(steps, "step"));
}

std::string planning_text(const Report& report)
{
    return fmt::format("{} before the run: the choice of the algorithm, its plan, and the bounds{}",
                       duration_text(report.planning_seconds),
                       report.planning_parts.empty() ? "" : fmt::format("; longest {}", report.planning_parts));
}

// Sums of integers wrap around.
bool wraps(const Problem& problem)
{
    return is_reduction(problem.collective) && !problem.own_operation && problem.operation == Operation::sum &&
           !is_float(problem.type);
}

std::string origin_text(const Report& report)
{
    return report.seed ? fmt::format("seed {}", *report.seed) : "data from a file";
}

}  // namespace

std::string count_rows(const Report& report, std::uint64_t steps, Rows rows, Colour colour)
{
    const auto why = [&](const std::string& reason) { return rows == Rows::all ? reason : ""; };
    return count_row("steps", steps, report.steps_lower_bound, why(report.steps_reason), colour) +
           count_row("transmissions", report.counts.transmissions, report.transmissions_lower_bound,
                     why(report.transmissions_reason), colour);
}

std::string time_bound_text(const Report& report, Rows rows, Colour colour)
{
    const Rational& bound = *report.time_lower_bound_ns;
    std::string comparison;
    if (bound == (report.virtual_time_ns ? report.virtual_time_ns : report.predicted_time_ns))
        comparison = ", " + green(colour, "optimal");
    else if (const auto ratio = report.ratio_to_bound())
        comparison = fmt::format(", {:.3f} times the bound", *ratio);
    const std::string why = rows == Rows::all ? fmt::format(": {}", report.time_reason) : "";
    return time_text(bound) + comparison + why;
}

std::string report_text(const Report& report, Rows rows, Colour colour)
{
    const bool all = rows == Rows::all;
    const Counts& counts = report.counts;
    std::string text = heading(report, colour) + "\n";
    if (report.link.bound())
        text += virtual_time_rows(
            report, measured_text(report),
            fmt::format("{}, {} over the links", packets_text(report, counts.steps), size_text(counts.bytes)), rows,
            colour);
    else
        text += count_rows(report, counts.steps, rows, colour);
    if (counts.lost > 0)
        text += row("lost", lost_text(counts));
    if (all || !report.link.bound())
        text += row("link use", link_use_text(report, rows));
    if (all)
        text += notes_rows(counts) + row("buffers", storage_text(counts));
    if (all && report.in_transit.value_or(0) > 0)
        text += row("in transit", in_transit_text(*report.in_transit, report.in_transit_lower_bound));
    text += row("verified", verified_text(report));
    if (wraps(report.problem))
        text +=
            row("sums", fmt::format("of {}, modulo 2^{}", name(report.problem.type), 8 * size_of(report.problem.type)));
    text += row("wall time", wall_text(report));
    if (report.planned_long())
        text += row("planning", planning_text(report));
    if (all && report.ranks > 1)
        text += row("between ranks", between_ranks_text(counts));
    if (counts.transmissions > 0)
        text += row("speed", speed_text(report, rows));
    if (all && report.peak_memory_bytes)
        text += row("peak memory", size_text(*report.peak_memory_bytes));
    if (all)
        text += row("digest", fmt::format("{}, {}", report.result_digest, origin_text(report)));
    return text;
}

std::string forecast_text(const Forecast& forecast, Rows rows, Colour colour)
{
    const Report& report = forecast.report;
    const std::uint64_t steps = forecast.cost.steps;
    std::string text = heading(report, colour);
    text += "\ndry run; estimated:\n";
    if (report.link.bound())
        text += virtual_time_rows(report, predicted_text(report), packets_text(report, steps), rows, colour);
    else
        text += count_rows(report, steps, rows, colour);
    if (rows == Rows::all && forecast.link_bytes)
        text +=
            row("link bytes", fmt::format("{} ({})", grouped(*forecast.link_bytes), size_text(*forecast.link_bytes)));
    text +=
        row("memory", fmt::format("{}{}, of {} available{}", size_text(forecast.memory_bytes),
                                  report.ranks == 1 ? "" : fmt::format(" in each of {} ranks", report.ranks),
                                  size_text(available_memory()), report.ranks == 1 ? "" : " on the first one's host"));
    if (forecast.seconds)
        text += row("wall time", fmt::format("about {}", duration_text(*forecast.seconds)));
    return text;
}

}  // namespace dcube::cli

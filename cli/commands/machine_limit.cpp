#include "cli/commands/machine_limit.hpp"

#include "measure/kept_limits.hpp"
#include "measure/limit_of_run.hpp"

#include <dcube/layout.hpp>

#include <optional>

namespace dcube::cli {

namespace {

measure::Demand demand_of(const Report& report)
{
    const Layout layout(report.problem, report.topology);
    const Counts& counts = report.counts;
    return {.threads = report.threads,
            .steps = counts.steps,
            .transmissions = counts.transmissions,
            .packet_bytes = counts.transmissions == 0 ? 0 : counts.bytes / counts.transmissions,
            .data_bytes = layout.input_bytes + layout.output_bytes};
}

}  // namespace

void add_limit(Report& report, Pinning pinning)
{
    static const std::optional<measure::Limits> limits = measure::kept_limits();
    if (report.ranks > 1)  // they are a process' limits
        return;
    if (!limits || limits->pin != name(pinning))
        return;
    if (const auto limit = limit_of_run(*limits, demand_of(report))) {
        report.limit_seconds = limit->seconds;
        report.limit_binds = limit->binds;
        report.limit_doubt = limit_doubt(*limits, *report.share_of_limit());
    }
}

}  // namespace dcube::cli

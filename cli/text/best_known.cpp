#include "cli/text/best_known.hpp"

#include "base/numbers.hpp"
#include "cli/text/describe.hpp"
#include "cli/text/numbers.hpp"

#include <dcube/catalogue.hpp>
#include <dcube/error.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <optional>

namespace dcube::cli {

namespace {

/// What dcube's own best algorithm takes for the same.
struct Best {
    std::string_view name;
    std::uint64_t steps;
    std::optional<PredictedTime> time;  ///< link-bound
};

std::optional<Best> best_known(const Report& report)
{
    try {
        const Algorithm& best = find_algorithm(report.topology, report.ports, report.problem);
        if (!report.link.bound())
            return Best{best.name, best.cost(report.topology, report.problem).steps, std::nullopt};
        return Best{best.name, 0, predicted_time(best, report.topology, report.problem)};
    } catch (const InvalidArgument&) {
        return std::nullopt;  // dcube has none
    }
}

// The stranger's steps or time over the best algorithm's.
std::optional<double> ratio_to(const Best& best, const Report& report)
{
    if (report.link.bound()) {
        if (!best.time || best.time->ns.numerator == 0 || !report.virtual_time_ns)
            return std::nullopt;
        return report.virtual_time_ns->to_double() / best.time->ns.to_double();
    }
    return best.steps == 0 ? std::nullopt
                           : std::optional(static_cast<double>(report.counts.steps) / static_cast<double>(best.steps));
}

}  // namespace

std::string best_row(const Report& report, std::string_view what)
{
    const auto best = best_known(report);
    if (!best)
        return {};
    const std::string takes = !report.link.bound() ? grouped(best->steps, "step")
                              : best->time         ? (best->time->exact ? "" : "at most ") + time_text(best->time->ns)
                                                   : "a time known only after a run";
    const auto ratio = ratio_to(*best, report);
    return row("best known",
               fmt::format("{} takes {}{}", best->name, takes,
                           ratio ? fmt::format("; {} takes {:.3f} times as long", what, *ratio) : std::string()));
}

Json best_record(const Report& report)
{
    const auto best = best_known(report);
    const bool timed = best && best->time;
    Json record;
    record["best_algorithm"] = best ? Json(best->name) : Json();
    record["best_steps"] = best && !report.link.bound() ? Json(best->steps) : Json();
    record["best_time_ns_decimal"] = timed ? Json(best->time->ns.to_double()) : Json();
    record["ratio_to_best"] = best ? or_null(ratio_to(*best, report)) : Json();
    return record;
}

}  // namespace dcube::cli

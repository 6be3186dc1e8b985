#include "run/report.hpp"

#include "base/threads.hpp"

#include <dcube/bounds.hpp>

#include <fmt/format.h>

namespace dcube {

Report blank_report(const Topology& topology, PortModel ports, const Problem& problem)
{
    Report report;
    report.problem = problem;
    report.topology = topology;
    report.ports = ports;
    report.link = problem.link;
    report.cores = detail::hardware_threads();
    const Bound steps = steps_bound(topology, ports, problem);
    report.steps_lower_bound = steps.value;
    report.steps_reason = steps.reason;
    const Bound transmissions = transmissions_bound(topology, problem);
    report.transmissions_lower_bound = transmissions.value;
    report.transmissions_reason = transmissions.reason;
    if (problem.link.bound()) {
        const TimeBound time = time_bound(topology, problem);
        report.time_lower_bound_ns = time.value;
        report.time_reason = time.reason;
    }
    return report;
}

std::string full_name(const Entry& entry, const LinkModel& link)
{
    const bool of_unit_model = link.bound() && entry.link == LinkKind::unit && entry.origin != Origin::own;
    return fmt::format("{}{}", of_unit_model ? "unit:" : "", entry.name);
}

void name_algorithm(Report& report, const Entry& entry)
{
    report.algorithm = full_name(entry, report.problem.link);
    report.paper = entry.paper;
    report.origin = name(entry.origin);
    if (entry.in_transit && entry.cost && !report.link.bound()) {
        report.in_transit = entry.in_transit(report.topology, report.problem);
        report.in_transit_lower_bound =
            in_transit_bound(report.topology, report.problem, entry.cost(report.topology, report.problem).steps).value;
    }
    if (const auto predicted = predicted_time(entry, report.topology, report.problem)) {
        report.predicted_time_ns = predicted->ns;
        report.prediction_is_exact = predicted->exact;
    }
    if (const auto cut = chosen_cut(entry, report.topology, report.problem)) {
        report.cut_packets = cut->packets;
        report.cut_packet_bytes = cut->bytes;
    }
}

Entry own_entry(const Algorithm& algorithm)
{
    Entry entry{algorithm, {.origin = Origin::own}};
    if (algorithm.cost)
        entry.cost = [algorithm](const Topology& topology, const Problem& problem) {
            return cost_of(algorithm, topology, problem);
        };
    return entry;
}

double link_utilisation(const Topology& topology, Step steps, std::uint64_t transmissions)
{
    const double places = static_cast<double>(steps) * static_cast<double>(topology.directed_links());
    return places == 0 ? 1 : static_cast<double>(transmissions) / places;
}

double Report::link_utilisation() const
{
    return dcube::link_utilisation(topology, counts.steps, counts.transmissions);
}

double Report::hops_per_second() const
{
    return counts.wall_seconds == 0 ? 0 : static_cast<double>(counts.transmissions) / counts.wall_seconds;
}

double Report::link_bytes_per_second() const
{
    return counts.wall_seconds == 0 ? 0 : static_cast<double>(counts.bytes) / counts.wall_seconds;
}

bool Report::planned_long() const
{
    constexpr double seconds = 0.5;
    constexpr double runs = 100;
    return planning_seconds > seconds && planning_seconds > runs * counts.wall_seconds;
}

std::optional<double> Report::share_of_limit() const
{
    return limit_seconds && counts.wall_seconds > 0 ? std::optional(*limit_seconds / counts.wall_seconds)
                                                    : std::nullopt;
}

std::optional<double> Report::ratio_to_bound() const
{
    const auto over = [](double reached, double bound) {
        return bound == 0 ? std::nullopt : std::optional(reached / bound);
    };
    if (!link.bound())
        return over(static_cast<double>(counts.steps), static_cast<double>(steps_lower_bound));
    const std::optional<Rational>& time = virtual_time_ns ? virtual_time_ns : predicted_time_ns;
    return time && time_lower_bound_ns ? over(time->to_double(), time_lower_bound_ns->to_double()) : std::nullopt;
}

}  // namespace dcube

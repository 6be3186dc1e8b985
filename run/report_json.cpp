#include <dcube/matrix.hpp>
#include <dcube/report.hpp>

#include <nlohmann/json.hpp>

namespace dcube {

double Report::link_utilisation() const
{
    const double places = static_cast<double>(counts.steps) * static_cast<double>(topology.directed_links());
    return places == 0 ? 1 : static_cast<double>(counts.transmissions) / places;
}

double Report::hops_per_second() const
{
    return counts.wall_seconds == 0 ? 0 : static_cast<double>(counts.transmissions) / counts.wall_seconds;
}

double Report::link_bytes_per_second() const
{
    return counts.wall_seconds == 0 ? 0 : static_cast<double>(counts.bytes) / counts.wall_seconds;
}

namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json or_null(const std::optional<T>& value)
{
    return value ? Json(*value) : Json();
}

Json link_use(const std::optional<LinkUse>& use)
{
    if (!use)
        return {};
    return {{"from", use->from}, {"port", use->port}, {"packets", use->packets}};
}

template <class T>
Json if_applies(bool applies, const T& value)
{
    return applies ? Json(value) : Json();
}

// Exact: a number if it is whole, else a string such as "5/2".
Json exact(const Rational& value)
{
    return value.denominator == 1 ? Json(value.numerator) : Json(to_string(value));
}

Json exact_or_null(const std::optional<Rational>& value)
{
    return value ? exact(*value) : Json();
}

}  // namespace

std::string to_json(const Report& report)
{
    const Problem& problem = report.problem;
    const Counts& counts = report.counts;
    const bool reduces = is_reduction(problem.collective);
    const bool bound = report.link.bound();
    const bool matrix = is_matrix(problem.collective);
    const bool has_peer = problem.collective == Collective::send || problem.collective == Collective::exchange;
    const Json json{
        {"schema", 1},
        {"collective", name(problem.collective)},
        {"algorithm", report.algorithm},
        {"paper", report.paper},
        {"topology", report.topology.name()},
        {"dimensions", report.topology.dimension()},
        {"nodes", report.topology.nodes()},
        {"ports", name(report.ports)},
        {"link_model", name(report.link.kind)},
        {"tau_ns_per_byte", if_applies(bound, exact(report.link.tau))},
        {"beta_ns", if_applies(bound, exact(report.link.beta))},
        {"threads", report.threads},
        {"channel", report.channel},
        {"bytes", if_applies(!matrix, problem.bytes)},
        {"packets", if_applies(!matrix, problem.packets)},
        {"root", if_applies(has_root(problem.collective), problem.root)},
        {"steps", counts.steps},
        {"steps_lower_bound", if_applies(!bound, report.steps_lower_bound)},
        {"transmissions", counts.transmissions},
        {"transmissions_lower_bound", if_applies(!bound, report.transmissions_lower_bound)},
        {"link_utilisation", report.link_utilisation()},
        {"virtual_time_ns", exact_or_null(report.virtual_time_ns)},
        {"predicted_time_ns", exact_or_null(report.predicted_time_ns)},
        {"time_lower_bound_ns", exact_or_null(report.time_lower_bound_ns)},
        {"verified", report.verified},
        {"blocks_verified", report.blocks_verified},
        {"wall_seconds", counts.wall_seconds},
        {"hops_per_second", report.hops_per_second()},
        {"link_bytes_per_second", report.link_bytes_per_second()},
        {"memcpy_bytes_per_second", or_null(report.memcpy_bytes_per_second)},
        {"peak_memory_bytes", or_null(report.peak_memory_bytes)},
        {"seed", or_null(report.seed)},
        {"result_digest", report.result_digest},
        {"operation", if_applies(reduces, name(problem.operation))},
        {"type", if_applies(reduces || matrix, name(problem.type))},
        {"channel_capacity", report.channel_capacity},
        {"busiest_link", link_use(counts.busiest)},
        {"idlest_link", link_use(counts.idlest)},
        {"in_transit_bytes", counts.storage_bytes},
        {"largest_in_transit_bytes", counts.largest_storage_bytes},
        {"clock", if_applies(bound, name(report.link.clock))},
        {"peer", if_applies(has_peer, problem.peer)},
        {"rows", if_applies(matrix, problem.rows)},
        {"columns", if_applies(matrix, problem.columns)},
        {"layout", if_applies(matrix, name(problem.layout))},
    };
    return json.dump(2);
}

}  // namespace dcube

#include "run/report_fields.hpp"

#include <dcube/matrix.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace dcube {

namespace {

template <class T>
Json or_null(const std::optional<T>& value)
{
    return value ? Json(*value) : Json();
}

template <class T>
Json if_applies(bool applies, const T& value)
{
    return applies ? Json(value) : Json();
}

// A number if it is whole, else a string such as "5/2".
Json exact(const Rational& value)
{
    return value.denominator == 1 ? Json(value.numerator) : Json(to_string(value));
}

Json exact(const std::optional<Rational>& value)
{
    return value ? exact(*value) : Json();
}

Json decimal(const std::optional<Rational>& value)
{
    return value ? Json(value->to_double()) : Json();
}

std::optional<Rational> of_links(const Report& report, const Rational& value)
{
    return report.link.bound() ? std::optional(value) : std::nullopt;
}

Json in_betas(const Report& report, const std::optional<Rational>& time)
{
    const bool told = time && report.link.beta.numerator > 0;
    return told ? Json(time->to_double() / report.link.beta.to_double()) : Json();
}

Json link_use(const std::optional<LinkUse>& use)
{
    return use ? Json{{"from", use->from}, {"port", use->port}, {"packets", use->packets}} : Json();
}

Json phases(const Counts& counts)
{
    Json list;
    for (const Phase& phase : counts.phases)
        list.push_back({{"name", phase.name}, {"first_step", phase.first}, {"last_step", phase.last}});
    return list;
}

Json counters(const Counts& counts)
{
    Json values;
    for (const Counter& counter : counts.counters)
        values[counter.name] = counter.value;
    return values;
}

Json failing(const std::vector<Failing>& all)
{
    Json list;
    for (const Failing& one : all)
        list.push_back(to_string(one));
    return list;
}

// Of a type that has a name: those of the caller's own operation have a size only.
bool has_elements(const Problem& problem)
{
    return (is_reduction(problem.collective) && !problem.own_operation) || is_matrix(problem.collective);
}

bool spread(const Report& report)
{
    return report.ranks > 1;
}

constexpr std::uint8_t bit_of(RecordKind kind)
{
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(kind));
}

constexpr std::uint8_t run = bit_of(RecordKind::report);
constexpr std::uint8_t before = run | bit_of(RecordKind::forecast);  // can be told without running anything
constexpr std::uint8_t asked = before | bit_of(RecordKind::verdict) | bit_of(RecordKind::trace);
constexpr std::uint8_t counted = before | bit_of(RecordKind::verdict);
constexpr std::uint8_t judged = run | bit_of(RecordKind::verdict);
constexpr std::uint8_t told = bit_of(RecordKind::verdict) | bit_of(RecordKind::trace);
constexpr std::uint8_t chosen = before | bit_of(RecordKind::trace);

using R = const Report&;

const FieldEntry entries[] = {
    {{"schema", "", "version of these keys: 1", asked}, [](R) -> Json { return 1; }},
    {{"collective", "", "what was to be achieved", asked}, [](R r) -> Json { return name(r.problem.collective); }},
    {{"algorithm", "", "as --algorithm names it: unit:NAME where it was made for other links", chosen},
     [](R r) -> Json { return r.algorithm; }},
    {{"paper", "", "paper and section of the algorithm", before}, [](R r) -> Json { return r.paper; }},
    {{"topology", "", "the network, as --topology takes it", asked}, [](R r) -> Json { return r.topology.name(); }},
    {{"dimensions", "", "factors of the network", counted}, [](R r) -> Json { return r.topology.dimension(); }},
    {{"nodes", "", "nodes of the network", counted}, [](R r) -> Json { return r.topology.members(); }},
    {{"ports", "", "port model: all or one", asked}, [](R r) -> Json { return name(r.ports); }},
    {{"link_model", "", "unit or link-bound", asked}, [](R r) -> Json { return name(r.link.kind); }},
    {{"tau_ns_per_byte", "ns", "what a byte takes on a link; link-bound only, exact", asked},
     [](R r) { return exact(of_links(r, r.link.tau)); }},
    {{"beta_ns", "ns", "what a packet takes beside its bytes; link-bound only, exact", asked},
     [](R r) { return exact(of_links(r, r.link.beta)); }},
    {{"threads", "", "threads that worked: those asked for, if there are processors and nodes (16 each) enough", run},
     [](R r) -> Json { return r.threads; }},
    {{"channel", "", "kind of the channels: slots or spsc", run}, [](R r) -> Json { return r.channel; }},
    {{"bytes", "bytes", "of a packet; null for matrices", asked},
     [](R r) { return if_applies(!is_matrix(r.problem.collective), r.problem.bytes); }},
    {{"packets", "", "of a message, or blocks of the vector of all-reduce; null for matrices", asked},
     [](R r) { return if_applies(!is_matrix(r.problem.collective), r.problem.packets); }},
    {{"root", "", "the root, or the end that sends; null where there is none", asked},
     [](R r) { return if_applies(has_root(r.problem.collective) || has_peer(r.problem.collective), r.problem.root); }},
    {{"steps", "", "steps of the clock; of a trace up to its last packet", counted},
     [](R r) -> Json { return r.counts.steps; }},
    {{"steps_lower_bound", "", "steps that every algorithm needs; unit model only", counted},
     [](R r) { return if_applies(!r.link.bound(), r.steps_lower_bound); }},
    {{"transmissions", "", "packets that crossed a link", counted}, [](R r) -> Json { return r.counts.transmissions; }},
    {{"transmissions_lower_bound", "", "transmissions that every algorithm needs; unit model only", counted},
     [](R r) { return if_applies(!r.link.bound(), r.transmissions_lower_bound); }},
    {{"link_utilisation", "", "transmissions over steps times directed links", run},
     [](R r) -> Json { return r.link_utilisation(); }},
    {{"virtual_time_ns", "ns", "when the last packet has arrived; link-bound only, exact", judged},
     [](R r) { return exact(r.virtual_time_ns); }},
    {{"predicted_time_ns", "ns", "that, as it is known before a run, or at most that (prediction_is_exact)", before},
     [](R r) { return exact(r.predicted_time_ns); }},
    {{"time_lower_bound_ns", "ns", "time that every algorithm needs; link-bound only, exact", counted},
     [](R r) { return exact(r.time_lower_bound_ns); }},
    {{"verified", "", "whether every byte that the nodes hold at the end was checked", run},
     [](R r) -> Json { return r.verified; }},
    {{"blocks_verified", "", "messages that were checked", run}, [](R r) -> Json { return r.blocks_verified; }},
    {{"wall_seconds", "s", "of the run itself: the median of the warm runs, if there are any, else of `repeat` runs",
      run},
     [](R r) -> Json { return r.counts.wall_seconds; }},
    {{"hops_per_second", "1/s", "transmissions over wall_seconds", run},
     [](R r) -> Json { return r.hops_per_second(); }},
    {{"link_bytes_per_second", "bytes/s", "link_bytes over wall_seconds", run},
     [](R r) -> Json { return r.link_bytes_per_second(); }},
    {{"memcpy_bytes_per_second", "bytes/s", "null: no longer measured; share_of_limit says more", run},
     [](R) { return Json(); }},
    {{"peak_memory_bytes", "bytes", "most memory that the process (of ranks: the largest) has held so far", run},
     [](R r) { return or_null(r.peak_memory_bytes); }},
    {{"seed", "", "what the data were made from; null where they were given", run | chosen},
     [](R r) { return or_null(r.seed); }},
    {{"result_digest", "", "XXH3-64 of what all nodes hold at the end, 16 hex digits", run},
     [](R r) -> Json { return r.result_digest; }},
    {{"operation", "", "of a reduction: sum, min, max or bit-xor", asked},
     [](R r) { return if_applies(is_reduction(r.problem.collective), operation_name(r.problem)); }},
    {{"type", "", "of the elements of a reduction or matrix", asked},
     [](R r) { return if_applies(has_elements(r.problem), name(r.problem.type)); }},
    {{"channel_capacity", "", "packets that may wait in a channel", run},
     [](R r) -> Json { return r.channel_capacity; }},
    {{"busiest_link", "", "from, port and packets of the directed link that carried most", run},
     [](R r) { return link_use(r.counts.busiest); }},
    {{"idlest_link", "", "from, port and packets of the directed link that carried least", run},
     [](R r) { return link_use(r.counts.idlest); }},
    {{"in_transit_bytes", "bytes", "storage of all nodes beside input and output", run},
     [](R r) -> Json { return r.counts.storage_bytes; }},
    {{"largest_in_transit_bytes", "bytes", "the same of the node that needed most", run},
     [](R r) -> Json { return r.counts.largest_storage_bytes; }},
    {{"clock", "", "data-driven or lockstep; link-bound only", asked},
     [](R r) { return if_applies(r.link.bound(), name(r.link.clock)); }},
    {{"peer", "", "the other end of send and exchange", asked},
     [](R r) { return if_applies(has_peer(r.problem.collective), r.problem.peer); }},
    {{"rows", "", "of the matrix", asked},
     [](R r) { return if_applies(is_matrix(r.problem.collective), r.problem.rows); }},
    {{"columns", "", "of the matrix", asked},
     [](R r) { return if_applies(is_matrix(r.problem.collective), r.problem.columns); }},
    {{"layout", "", "how the matrix lies on the nodes before", asked},
     [](R r) { return if_applies(is_matrix(r.problem.collective), name(r.problem.layout)); }},
    {{"to_layout", "", "how matrix-relayout leaves the matrix", asked},
     [](R r) { return if_applies(r.problem.collective == Collective::matrix_relayout, name(r.problem.to)); }},
    {{"permutation", "", "of permute: the node to which each node's message goes", asked},
     [](R r) { return if_applies(has_permutation(r.problem.collective), r.problem.permutation); }},
    {{"groups", "", "as --groups fixed them; null: the best", before},
     [](R r) { return if_applies(r.problem.tuning.groups != 0, r.problem.tuning.groups); }},
    {{"detour_groups", "", "as --detour-groups fixed them; null: the best", before},
     [](R r) { return if_applies(r.problem.tuning.extended_groups != 0, r.problem.tuning.extended_groups); }},
    {{"waves", "", "as --waves fixed them; null: the best", before},
     [](R r) { return if_applies(!r.problem.tuning.waves.empty(), r.problem.tuning.waves); }},
    {{"halvings", "", "as --halvings fixed them; null: the best", before},
     [](R r) { return or_null(r.problem.tuning.halvings); }},
    {{"origin", "", "whose the algorithm is: paper, refinement, dcube or own", before},
     [](R r) -> Json { return r.origin; }},
    {{"link_bytes", "bytes", "bytes that crossed a link", counted}, [](R r) -> Json { return r.counts.bytes; }},
    {{"ratio_to_bound", "", "virtual time, or in the unit model steps, over the lower bound", counted},
     [](R r) { return or_null(r.ratio_to_bound()); }},
    {{"tau_ns_per_byte_decimal", "ns", "tau_ns_per_byte as a decimal number", counted},
     [](R r) { return decimal(of_links(r, r.link.tau)); }},
    {{"beta_ns_decimal", "ns", "beta_ns as a decimal number", counted},
     [](R r) { return decimal(of_links(r, r.link.beta)); }},
    {{"virtual_time_ns_decimal", "ns", "virtual_time_ns as a decimal number", judged},
     [](R r) { return decimal(r.virtual_time_ns); }},
    {{"predicted_time_ns_decimal", "ns", "predicted_time_ns as a decimal number", before},
     [](R r) { return decimal(r.predicted_time_ns); }},
    {{"time_lower_bound_ns_decimal", "ns", "time_lower_bound_ns as a decimal number", counted},
     [](R r) { return decimal(r.time_lower_bound_ns); }},
    {{"virtual_time_beta", "beta", "virtual time over beta; null where beta is 0", judged},
     [](R r) { return in_betas(r, r.virtual_time_ns); }},
    {{"predicted_time_beta", "beta", "predicted time over beta; null where beta is 0", before},
     [](R r) { return in_betas(r, r.predicted_time_ns); }},
    {{"phases", "", "name, first_step and last_step of what the nodes called phases; null if they did not", run},
     [](R r) { return phases(r.counts); }},
    {{"counters", "", "what the nodes counted themselves, by name; null if they did not", run},
     [](R r) { return counters(r.counts); }},
    {{"repeat", "", "runs that were made", run}, [](R r) -> Json { return r.repeat; }},
    {{"version", "", "of dcube", asked}, [](R) -> Json { return version(); }},
    {{"date", "", "when the run ended, UTC", run}, [](R r) -> Json { return r.date; }},
    {{"cores", "", "of the host", run}, [](R r) -> Json { return r.cores; }},
    {{"limit_seconds", "s", "the least that this machine could take, by dcube limits; null without those", run},
     [](R r) { return or_null(r.limit_seconds); }},
    {{"limit_binds", "", "what takes that: scattered copies of the packets' size, copies, or steps", run},
     [](R r) { return if_applies(r.limit_seconds.has_value(), r.limit_binds); }},
    {{"share_of_limit", "", "limit_seconds over wall_seconds", run}, [](R r) { return or_null(r.share_of_limit()); }},
    {{"pin", "", "to what threads were pinned: none, compact or scatter", run}, [](R r) -> Json { return r.pin; }},
    {{"prediction_is_exact", "", "true: a run takes predicted_time_ns; false: at most that", before},
     [](R r) { return if_applies(r.predicted_time_ns.has_value(), r.prediction_is_exact); }},
    {{"packets_lost", "", "of the transmissions, those that were sent over links that had failed", judged},
     [](R r) -> Json { return r.counts.lost; }},
    {{"failing", "", "links (5-7@2) and nodes (5@2) that failed, and from which step on; null if none", run | told},
     [](R r) { return failing(r.failing); }},
    {{"redundant", "", "true: bytes are brought to nodes more than once, so that some may be lost; else null", told},
     [](R r) { return if_applies(r.redundant, true); }},
    {{"threads_asked", "", "threads that were asked for; null if none", run},
     [](R r) { return or_null(r.threads_asked); }},
    {{"warm_runs", "", "runs after the first, of which wall_seconds is the median; 0: there were none", run},
     [](R r) -> Json { return r.warm_runs; }},
    {{"limit_doubt", "", "reason to doubt limit_seconds; null if none", run},
     [](R r) { return if_applies(!r.limit_doubt.empty(), r.limit_doubt); }},
    {{"ranks", "", "processes that the machine was spread over, of `threads` each; null if one", run},
     [](R r) { return if_applies(spread(r), r.ranks); }},
    {{"hosts", "", "on which the ranks ran; null if one rank", run},
     [](R r) { return if_applies(spread(r), r.hosts); }},
    {{"cross_rank_packets", "", "of the transmissions, those between ranks; null if one rank", run},
     [](R r) { return if_applies(spread(r), r.counts.cross_rank_packets); }},
    {{"cross_rank_bytes", "bytes", "of link_bytes, those between ranks; null if one rank", run},
     [](R r) { return if_applies(spread(r), r.counts.cross_rank_bytes); }},
    {{"cross_rank_messages", "", "between ranks, empty ones included; null if one rank", run},
     [](R r) { return if_applies(spread(r), r.counts.cross_rank_messages); }},
    {{"communication_seconds", "s", "packing, waiting and entering, of the rank that took most; null if one", run},
     [](R r) { return if_applies(spread(r), r.counts.communication_seconds); }},
    {{"slowest_rank", "", "that waited least for the others; null if one rank", run},
     [](R r) { return if_applies(spread(r), r.counts.slowest_rank); }},
    {{"cut_packets", "", "into which every message was cut where links take time; null if as `packets` says", before},
     [](R r) { return or_null(r.cut_packets); }},
    {{"cut_packet_bytes", "bytes", "of each of those but the last, which has what is left", before},
     [](R r) { return or_null(r.cut_packet_bytes); }},
    {{"planning_seconds", "s", "before the first run: the choice of the algorithm, its plan, and the bounds", run},
     [](R r) -> Json { return r.planning_seconds; }},
};

}  // namespace

std::span<const FieldEntry> field_entries()
{
    return entries;
}

}  // namespace dcube

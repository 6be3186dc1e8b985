#include "run/report_fields.hpp"

#include <dcube/matrix.hpp>
#include <dcube/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace dcube {

namespace {

Json exact(const std::optional<Rational>& value)
{
    return value ? exact(*value) : Json();
}

std::optional<Rational> of_links(const Report& report, const Rational& value)
{
    return report.link.bound() && !report.topology.times_all_links() ? std::optional(value) : std::nullopt;
}

Json link_use(const std::optional<LinkUse>& use)
{
    return use ? Json{{"from", use->from}, {"port", use->port}, {"packets", use->packets}} : Json();
}

Json recognised_name(const Topology& topology)
{
    const Recognition* const known = topology.recognised();
    return known ? Json(known->network.name()) : Json();
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

bool spread(const Report& report)
{
    return report.ranks > 1;
}

constexpr std::uint8_t bit_of(RecordKind kind)
{
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(kind));
}

// Beside the kinds of records that have the key: see is_detail() and needs_collective().
constexpr std::uint8_t in_detail = 0x80;
constexpr std::uint8_t of_collective = 0x40;

constexpr std::uint8_t measured = bit_of(RecordKind::report);                   // known only after a run
constexpr std::uint8_t known_before = measured | bit_of(RecordKind::forecast);  // known without a run
constexpr std::uint8_t everywhere = known_before | bit_of(RecordKind::verdict) | bit_of(RecordKind::trace);
constexpr std::uint8_t counted = known_before | bit_of(RecordKind::verdict);
constexpr std::uint8_t judged = measured | bit_of(RecordKind::verdict);
constexpr std::uint8_t told = bit_of(RecordKind::verdict) | bit_of(RecordKind::trace);
constexpr std::uint8_t all_but_verdicts = known_before | bit_of(RecordKind::trace);

using R = const Report&;

ReportEntry of_problem(std::string_view key, std::uint8_t also = 0)
{
    const ProblemField& field = problem_field(key);
    const std::uint8_t records = field.group == FieldGroup::problem ? everywhere : known_before;
    return {field.key, field.unit, field.about, static_cast<std::uint8_t>(records | also), nullptr};
}

// Keys keep their places. A field of the problem that has none here stands at the end.
const ReportEntry entries[] = {
    {"schema", "", "version of these keys", everywhere | in_detail, [](R) -> Json { return report_schema; }},
    {"collective", "", "the collective", everywhere | of_collective,
     [](R r) -> Json { return name(r.problem.collective); }},
    {"algorithm", "", "its name: unit:NAME where it was made for other links", all_but_verdicts,
     [](R r) -> Json { return r.algorithm; }},
    {"paper", "", "paper and section of the algorithm", known_before, [](R r) -> Json { return r.paper; }},
    {"topology", "", "the network's name", everywhere, [](R r) -> Json { return r.topology.name(); }},
    {"dimensions", "", "factors of the network", counted, [](R r) -> Json { return r.topology.dimension(); }},
    {"nodes", "", "nodes of the network", counted, [](R r) -> Json { return r.topology.members(); }},
    {"ports", "", "port model: all or one", everywhere, [](R r) -> Json { return name(r.ports); }},
    {"link_model", "", "unit or link-bound", everywhere, [](R r) -> Json { return name(r.link.kind); }},
    {"tau_ns_per_byte", "ns",
     "time per byte on a link; link-bound only, exact; null if all links have times of their own", everywhere,
     [](R r) { return exact(of_links(r, r.link.tau)); }},
    {"beta_ns", "ns", "time per packet in addition; link-bound only, exact", everywhere,
     [](R r) { return exact(of_links(r, r.link.beta)); }},
    {"threads", "", "threads used: the requested number, limited by processors and nodes (16 each)",
     measured | in_detail, [](R r) -> Json { return r.threads; }},
    {"channel", "", "kind of the channels: slots or spsc", measured | in_detail, [](R r) -> Json { return r.channel; }},
    of_problem("bytes"),
    of_problem("packets"),
    of_problem("root"),
    {"steps", "", "steps of the clock until the run ended; of a trace, until its last packet", counted,
     [](R r) -> Json { return r.counts.steps; }},
    {"steps_lower_bound", "", "steps that every algorithm needs; unit model only", counted | of_collective,
     [](R r) { return if_applies(!r.link.bound(), r.steps_lower_bound); }},
    {"transmissions", "", "packets that crossed a link", counted, [](R r) -> Json { return r.counts.transmissions; }},
    {"transmissions_lower_bound", "", "transmissions that every algorithm needs; unit model only",
     counted | of_collective, [](R r) { return if_applies(!r.link.bound(), r.transmissions_lower_bound); }},
    {"link_utilisation", "", "transmissions over steps times directed links; 1 in a run of 0 steps", measured,
     [](R r) -> Json { return r.link_utilisation(); }},
    {"virtual_time_ns", "ns", "when the last packet has arrived; link-bound only, exact", judged,
     [](R r) { return exact(r.virtual_time_ns); }},
    {"predicted_time_ns", "ns",
     "the virtual time predicted before a run: exact, or an upper limit (prediction_is_exact)", known_before,
     [](R r) { return exact(r.predicted_time_ns); }},
    {"time_lower_bound_ns", "ns", "time that every algorithm needs; link-bound only, exact", counted | of_collective,
     [](R r) { return exact(r.time_lower_bound_ns); }},
    {"verified", "", "whether all of the nodes' final data was checked", measured,
     [](R r) -> Json { return r.verified; }},
    {"blocks_verified", "", "messages that were checked", measured, [](R r) -> Json { return r.blocks_verified; }},
    {"wall_seconds", "s",
     "time of the run itself: the median of the warm runs, if there are any, else of `repeat` runs", measured,
     [](R r) -> Json { return r.counts.wall_seconds; }},
    {"hops_per_second", "1/s", "transmissions over wall_seconds", measured | in_detail,
     [](R r) -> Json { return r.hops_per_second(); }},
    {"link_bytes_per_second", "bytes/s", "link_bytes over wall_seconds", measured | in_detail,
     [](R r) -> Json { return r.link_bytes_per_second(); }},
    {"peak_memory_bytes", "bytes", "the most memory that the process (with ranks: the largest) has held so far",
     measured | in_detail, [](R r) { return or_null(r.peak_memory_bytes); }},
    {"seed", "", "seed of the data; null if they came from a file", measured | all_but_verdicts,
     [](R r) { return or_null(r.seed); }},
    {"result_digest", "", "XXH3-64 of all nodes' final data, 16 hex digits", measured,
     [](R r) -> Json { return r.result_digest; }},
    of_problem("operation", of_collective),
    of_problem("type"),
    {"channel_capacity", "", "packets that may wait in a channel", measured | in_detail,
     [](R r) -> Json { return r.channel_capacity; }},
    {"busiest_link", "", "from, port and packets of the directed link that carried most", measured,
     [](R r) { return link_use(r.counts.busiest); }},
    {"idlest_link", "", "from, port and packets of the directed link that carried least", measured,
     [](R r) { return link_use(r.counts.idlest); }},
    {"in_transit_bytes", "bytes", "storage of all nodes for packets, beside input and output", measured,
     [](R r) -> Json { return r.counts.storage_bytes; }},
    {"largest_in_transit_bytes", "bytes", "storage for packets of the node that needed most, beside input and output",
     measured | in_detail, [](R r) -> Json { return r.counts.largest_storage_bytes; }},
    {"clock", "", "data-driven or lockstep; link-bound only", everywhere,
     [](R r) { return if_applies(r.link.bound(), name(r.link.clock)); }},
    {"duplex", "", "full or half; link-bound with one port only", everywhere,
     [](R r) { return if_applies(r.link.one_port(), name(r.link.duplex)); }},
    of_problem("peer"),
    of_problem("rows"),
    of_problem("columns"),
    of_problem("layout"),
    of_problem("to_layout"),
    of_problem("permutation"),
    of_problem("groups"),
    of_problem("detour_groups"),
    of_problem("waves"),
    of_problem("halvings"),
    {"origin", "", "source of the algorithm: paper, refinement, dcube or own", known_before,
     [](R r) -> Json { return r.origin; }},
    {"link_bytes", "bytes", "bytes that crossed a link", counted, [](R r) -> Json { return r.counts.bytes; }},
    {"ratio_to_bound", "", "virtual time, or in the unit model steps, over the lower bound; null where that is 0",
     counted | of_collective, [](R r) { return or_null(r.ratio_to_bound()); }},
    {"phases", "", "name, first_step and last_step of the phases named by the nodes; null if none", measured,
     [](R r) { return phases(r.counts); }},
    {"counters", "", "counters kept by the nodes, by name; null if none", measured | in_detail,
     [](R r) { return counters(r.counts); }},
    {"repeat", "", "runs that were made", measured | in_detail, [](R r) -> Json { return r.repeat; }},
    {"version", "", "dcube's version", everywhere | in_detail, [](R) -> Json { return version(); }},
    {"date", "", "when the run ended, UTC", measured | in_detail, [](R r) -> Json { return r.date; }},
    {"cores", "", "processor cores of the host", measured | in_detail, [](R r) -> Json { return r.cores; }},
    {"limit_seconds", "s", "the least time on this machine, by dcube limits; null without its result",
     measured | in_detail, [](R r) { return or_null(r.limit_seconds); }},
    {"limit_binds", "",
     "basis of limit_seconds: scattered copies of the packets' size, copies, steps, or lines from other cores",
     measured | in_detail, [](R r) { return if_applies(r.limit_seconds.has_value(), r.limit_binds); }},
    {"share_of_limit", "", "limit_seconds over wall_seconds", measured | in_detail,
     [](R r) { return or_null(r.share_of_limit()); }},
    {"pin", "", "how threads were pinned, as --pin says it", measured | in_detail, [](R r) -> Json { return r.pin; }},
    {"prediction_is_exact", "", "true: a run takes predicted_time_ns; false: at most that", known_before | in_detail,
     [](R r) { return if_applies(r.predicted_time_ns.has_value(), r.prediction_is_exact); }},
    {"packets_lost", "", "transmissions over links that had failed", judged, [](R r) -> Json { return r.counts.lost; }},
    {"failing", "", "links (5-7@2) and nodes (5@2) that failed, with their first step; null if none", measured | told,
     [](R r) { return failing(r.failing); }},
    {"redundant", "", "true: bytes are delivered more than once, so that some may be lost; else null", told,
     [](R r) { return if_applies(r.redundant, true); }},
    {"threads_asked", "", "threads requested; null if not given", measured | in_detail,
     [](R r) { return or_null(r.threads_asked); }},
    {"warm_runs", "", "runs after the first, with wall_seconds as their median; 0: none", measured | in_detail,
     [](R r) -> Json { return r.warm_runs; }},
    {"limit_doubt", "", "reason to doubt limit_seconds; null if none", measured | in_detail,
     [](R r) { return if_applies(!r.limit_doubt.empty(), r.limit_doubt); }},
    {"ranks", "", "processes, with `threads` threads each; null if one", measured | in_detail,
     [](R r) { return if_applies(spread(r), r.ranks); }},
    {"hosts", "", "hosts of the ranks; null if one rank", measured | in_detail,
     [](R r) { return if_applies(spread(r), r.hosts); }},
    {"cross_rank_packets", "", "transmissions between ranks; null if one rank", measured | in_detail,
     [](R r) { return if_applies(spread(r), r.counts.cross_rank_packets); }},
    {"cross_rank_bytes", "bytes", "link_bytes between ranks; null if one rank", measured | in_detail,
     [](R r) { return if_applies(spread(r), r.counts.cross_rank_bytes); }},
    {"cross_rank_messages", "", "messages between ranks, including empty ones; null if one rank", measured | in_detail,
     [](R r) { return if_applies(spread(r), r.counts.cross_rank_messages); }},
    {"communication_seconds", "s", "packing, waiting and unpacking, of the rank that took most; null if one",
     measured | in_detail, [](R r) { return if_applies(spread(r), r.counts.communication_seconds); }},
    {"slowest_rank", "", "the rank that waited least for the others; null if one rank", measured | in_detail,
     [](R r) { return if_applies(spread(r), r.counts.slowest_rank); }},
    {"cut_packets", "", "packets into which every message was cut where links take time; null if `packets`",
     known_before | in_detail, [](R r) { return or_null(r.cut_packets); }},
    {"cut_packet_bytes", "bytes", "size of each of those but the last, which has the rest", known_before | in_detail,
     [](R r) { return or_null(r.cut_packet_bytes); }},
    {"planning_seconds", "s", "choosing the algorithm, its plan, and the bounds, before the first run", measured,
     [](R r) -> Json { return r.planning_seconds; }},
    {"in_place", "", "true: a node's input and output are one array; else null", known_before,
     [](R r) { return if_applies(r.problem.in_place, true); }},
    {"in_transit", "",
     "the most packets that a node has received and not yet sent on, between two steps; unit model only, null if "
     "unknown",
     known_before, [](R r) { return or_null(r.in_transit); }},
    {"in_transit_lower_bound", "", "the least in_transit of any algorithm of as many steps",
     known_before | of_collective, [](R r) { return if_applies(r.in_transit.has_value(), r.in_transit_lower_bound); }},
    {"recognised", "",
     "the network of known families that one from edges is, and whose algorithms and bounds it gets; null if none",
     counted, [](R r) { return recognised_name(r.topology); }},
    {"comparison", "",
     "how the final data was compared with the expected data: every byte, within rounding (sums of floats from a "
     "file), or as the operation says (one of the caller's own)",
     measured, [](R r) { return if_applies(r.verified, name(r.comparison)); }},
    {"same_bits", "", "whether all nodes ended with the same bits; all-reduce only", measured,
     [](R r) { return or_null(r.same_bits); }},
};

using F = const Forecast&;

constexpr Field<Forecast> of_forecasts[] = {
    {"steps", "", "", [](F f) -> Json { return f.cost.steps; }},  // a run could not count as many as there may be
    {"link_bytes", "bytes", "", [](F f) { return or_null(f.link_bytes); }},
    {"memory_bytes", "bytes", "most memory that the process would hold", [](F f) -> Json { return f.memory_bytes; }},
    {"predicted_seconds", "s", "from a short calibration on this machine; null where link_bytes is",
     [](F f) { return or_null(f.seconds); }},
};

}  // namespace

bool stands_in(const ReportEntry& entry, RecordKind kind)
{
    return (entry.note & bit_of(kind)) != 0;
}

bool is_detail(const ReportEntry& entry)
{
    return (entry.note & in_detail) != 0;
}

bool needs_collective(const ReportEntry& entry)
{
    return (entry.note & of_collective) != 0;
}

Json value_of(const ReportEntry& entry, const Report& report)
{
    return entry.value ? entry.value(report) : to_json(value_of(problem_field(entry.key), report.problem));
}

Json to_json(const FieldValue& value)
{
    struct ToJson {
        Json operator()(std::monostate) const { return nullptr; }
        Json operator()(std::uint64_t number) const { return number; }
        Json operator()(const std::string& name) const { return name; }
        Json operator()(const std::vector<NodeId>& nodes) const { return nodes; }
    };
    return std::visit(ToJson{}, value);
}

std::span<const ReportEntry> report_entries()
{
    static const std::vector<ReportEntry> all = [] {
        std::vector<ReportEntry> list(std::begin(entries), std::end(entries));
        for (const ProblemField& field : problem_fields())
            if (std::ranges::find(list, field.key, &ReportEntry::key) == list.end())
                list.push_back(of_problem(field.key));
        return list;
    }();
    return all;
}

const ReportEntry& report_entry(std::string_view key)
{
    return *std::ranges::find(report_entries(), key, &ReportEntry::key);
}

std::span<const Field<Report>> trace_fields()
{
    static constexpr Field<Report> fields[] = {
        {"dcube_trace", "", "version of the trace format", [](R) -> Json { return trace_schema; }}};
    return fields;
}

Report asked_report(const TraceQuestion& question)
{
    Report report;
    report.problem = question.problem;
    report.topology = question.topology;
    report.ports = question.ports;
    report.link = question.problem.link;
    report.failing = question.failing;
    report.redundant = question.redundant;
    return report;
}

namespace {

// Text with a comma, a quote or a line's end stands in quotes, which are doubled within.
std::string cell(const Json& value)
{
    if (value.is_null())
        return "";
    std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    if (text.find_first_of(",\"\n") == std::string::npos)
        return text;
    for (std::size_t place = 0; (place = text.find('"', place)) != std::string::npos; place += 2)
        text.insert(place, 1, '"');
    return '"' + text + '"';
}

}  // namespace

std::span<const ReportField> report_fields()
{
    static const std::vector<ReportField> fields = [] {
        std::vector<ReportField> all;
        for (const ReportEntry& entry : report_entries())
            all.push_back({entry.key, entry.unit, entry.about,
                           static_cast<std::uint8_t>(entry.note & ~(in_detail | of_collective))});
        return all;
    }();
    return fields;
}

Json record_of(const Report& report, RecordKind kind)
{
    Json record;
    for (const ReportEntry& entry : report_entries())
        if (stands_in(entry, kind))
            record[std::string(entry.key)] = value_of(entry, report);
    return record;
}

std::span<const Field<Forecast>> forecast_fields()
{
    return of_forecasts;
}

Json record_of(const Forecast& forecast)
{
    Json record = record_of(forecast.report, RecordKind::forecast);
    record.update(record_of(of_forecasts, forecast));
    return record;
}

std::string to_json(const Report& report, RecordKind kind)
{
    return record_of(report, kind).dump(2);
}

std::string to_json(std::span<const Report> reports)
{
    Json all = Json::array();
    for (const Report& report : reports)
        all.push_back(record_of(report));
    return all.dump(2);
}

std::string to_csv(std::string_view records)
{
    return csv_of(Json::parse(records));
}

std::string csv_of(const Json& records)
{
    const Json rows = records.is_array() ? records : Json::array({records});
    std::string keys;
    std::string values;
    for (const Json& row : rows) {
        keys.clear();
        std::string_view comma;
        for (const auto& [key, value] : row.items()) {
            keys.append(comma).append(key);
            values.append(comma).append(cell(value));
            comma = ",";
        }
        values += '\n';
    }
    return keys + "\n" + values;
}

std::string difference(const TraceQuestion& header, const TraceQuestion& said)
{
    const Report expected = asked_report(header);
    const Report found = asked_report(said);
    for (const ReportEntry& entry : report_entries()) {
        if (!stands_in(entry, RecordKind::trace) || (entry.key == "topology" && header.topology == said.topology))
            continue;
        if (const Json value = value_of(entry, expected); value != value_of(entry, found))
            return fmt::format("\"{}\": {}", entry.key, value.dump());
    }
    return {};
}

}  // namespace dcube

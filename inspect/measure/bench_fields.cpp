#include "inspect/measure/bench_fields.hpp"

#include "collectives/problem_fields.hpp"
#include "inspect/measure/bench_entries.hpp"
#include "inspect/measure/host_document.hpp"
#include "run/report_fields.hpp"

#include <dcube/version.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace dcube::measure {

namespace {

using Is = BenchValue;
constexpr BenchKey chosen = BenchKey::variable;
constexpr BenchKey later = BenchKey::later;

Json ends_of(const std::optional<Interval>& interval)
{
    return interval ? Json::array({interval->low, interval->high}) : Json();
}

using B = const Benchmark&;

constexpr BenchEntry<Benchmark> of_settings[] = {
    {"min_seconds", "s", "minimum time of a cell's slices in a process", Is::number,
     [](B b) -> Json { return b.effort.min_seconds; }},
    {"max_seconds", "s", "maximum time of a cell's slices in a process; cells with long runs have fewer rounds",
     Is::number, [](B b) -> Json { return b.effort.max_seconds; }},
    {"min_samples", "", "minimum number of samples of a cell in a process, unless it takes more than max_seconds",
     Is::whole, [](B b) -> Json { return b.effort.min_samples; }},
    {"max_samples", "",
     "maximum number of samples of a cell in a process; of more runs every second, third, ... is one", Is::whole,
     [](B b) -> Json { return b.effort.max_samples_a_round * b.effort.rounds; }},
    {"rounds", "", "rounds of each process; each measured every cell, in a new random order", Is::whole,
     [](B b) -> Json { return b.effort.rounds; }},
    {"processes", "", "processes, one after the other; each measured every cell in all rounds", Is::whole | later,
     [](B b) -> Json { return b.processes; }},
    {"warm_up_runs", "", "runs before the samples; the result of the first was checked", Is::whole,
     [](B b) -> Json { return b.effort.warm_up_runs; }},
    {"order_seed", "", "seed of the orders and of the data", Is::whole,
     [](B b) -> Json { return b.effort.order_seed; }},
    {"pin", "", "how threads were pinned, as --pin says it", Is::text,
     [](B b) -> Json { return b.cells.empty() ? "none" : name(b.cells.front().setup.machine.pinning); }},
    {"weak", "", "whether the work grew with the threads", Is::flag, [](B b) -> Json { return b.weak; }},
    {"check", "", "whether results were checked", Is::flag, [](B b) -> Json { return b.effort.check; }},
};

using L = const Limits&;

constexpr BenchEntry<Limits> of_limits[] = {
    {"date", "", "when the limits were measured", Is::text, [](L l) -> Json { return l.date; }},
    {"fingerprint", "", "fingerprint of the host on which the limits were measured", Is::text,
     [](L l) -> Json { return l.fingerprint; }},
    {"warnings", "", "why the limits may be too low", Is::texts | later, [](L l) -> Json { return l.warnings; }},
};

using M = const Moment&;

template <class Number>
Json value_or_null(const std::optional<Number>& value)
{
    return value ? Json(*value) : Json();
}

constexpr BenchEntry<Moment> of_moments[] = {
    {"order", "", "number of slices (of all cells) measured before this moment", Is::whole,
     [](M m) -> Json { return m.order; }},
    {"process", "", "the process, from 0", Is::whole, [](M m) -> Json { return m.process; }},
    {"handover_seconds", "s",
     "a line handed over between the first and the last usable processor, the quickest in a millisecond",
     Is::number_or_null, [](M m) { return value_or_null(m.handover_seconds); }},
    {"frequency_hz", "Hz", "the first processor's frequency; null if unknown", Is::number_or_null,
     [](M m) { return value_or_null(m.frequency_hz); }},
};

using G = const Mode&;

constexpr BenchEntry<Mode> of_modes[] = {
    {"seconds", "s", "the median of the group's rounds", Is::positive, [](G g) -> Json { return g.seconds; }},
    {"rounds", "", "rounds in the group", Is::whole, [](G g) -> Json { return g.rounds; }},
};

using R = const Round&;

Json ends_of_all(const std::vector<Interval>& intervals)
{
    Json all = Json::array();
    for (const Interval& one : intervals)
        all.push_back({one.low, one.high});
    return all;
}

constexpr BenchEntry<Round> of_rounds[] = {
    {"order", "", "number of slices (of all cells) measured before this one", Is::whole,
     [](R r) -> Json { return r.order; }},
    {"process", "", "the process that measured it, from 0", Is::whole | later, [](R r) -> Json { return r.process; }},
    {"samples_seconds", "s", "the time of each run that was not disturbed; all runs where that is unknown",
     Is::positives, [](R r) -> Json { return r.samples_seconds; }},
    {"disturbed_seconds", "s", "the time of each run that was disturbed, and left out", Is::positives | later,
     [](R r) -> Json { return r.disturbed_seconds; }},
    {"disturbed_bounds", "s", "between which each of them would have been undisturbed; empty if unknown",
     Is::intervals | later, [](R r) { return ends_of_all(r.disturbed_bounds); }},
    {"run_delay_seconds", "s", "time that threads of the process waited for a processor; null if unknown",
     Is::number_or_null | later, [](R r) { return value_or_null(r.run_delay_seconds); }},
    {"switches", "", "times that a thread was taken off its processor; null if unknown", Is::whole_or_null | later,
     [](R r) { return value_or_null(r.switches); }},
};

using S = const StepParts&;

constexpr BenchEntry<StepParts> of_step_parts[] = {
    {"work_seconds", "s", "one thread's time for the step, divided by the threads if all ran it", Is::number,
     [](S s) -> Json { return s.work_seconds; }},
    {"crossing_seconds", "s", "waiting for cache lines that another thread's core has written", Is::number,
     [](S s) -> Json { return s.crossing_seconds; }},
    {"barrier_seconds", "s", "the barrier, if all ran the step", Is::number,
     [](S s) -> Json { return s.barrier_seconds; }},
    {"rest_seconds", "s", "what the three others leave of the measured step; below 0 where they are more", Is::number,
     [](S s) -> Json { return s.rest_seconds; }},
    {"crossing_packets", "", "packets of a run between nodes of different threads' shares", Is::whole,
     [](S s) -> Json { return s.counts.crossing_packets; }},
    {"steps_alone", "", "steps of a run that one thread ran", Is::whole,
     [](S s) -> Json { return s.counts.steps_alone; }},
    {"steps_together", "", "steps of a run that were opened to all threads", Is::whole,
     [](S s) -> Json { return s.counts.steps_together; }},
    {"helped_chunks", "", "parts of steps of a run that another thread than their own did", Is::whole,
     [](S s) -> Json { return s.counts.helped_chunks; }},
    {"sleeps", "", "waits of a run so long that the thread went to sleep", Is::whole,
     [](S s) -> Json { return s.counts.sleeps; }},
    {"sentence", "", "the same in words, with advice where it follows from these numbers", Is::text,
     [](S s) -> Json { return s.sentence; }},
};

using P = const CounterSums&;

constexpr BenchEntry<CounterSums> of_counters[] = {
    {"cycles", "", "cycles of all threads, waiting included, per hop", Is::number,
     [](P p) -> Json { return p.cycles; }},
    {"instructions", "", "instructions of all threads, waiting included, per hop", Is::number,
     [](P p) -> Json { return p.instructions; }},
    {"cache_misses", "", "misses of the last level of cache per hop", Is::number,
     [](P p) -> Json { return p.cache_misses; }},
};

using C = const BenchCell&;

Json of_links(C cell, const Rational& value)
{
    return cell.setup.machine.link.bound() ? exact(value) : Json();
}

Json of_problem(C cell, std::string_view key)
{
    return to_json(value_of(problem_field(key), cell.setup.problem));
}

unsigned threads_of(const Setup& setup)
{
    return setup.machine.threads != 0 ? setup.machine.threads : available_threads();
}

double hops(C cell)
{
    return static_cast<double>(cell.facts.transmissions);
}

double algbw(C cell)
{
    return static_cast<double>(cell.traffic->size_bytes) / cell.estimate.seconds;
}

std::string rare_choices(const Setup& setup);

constexpr BenchEntry<BenchCell> of_cells[] = {
    {"collective", "", "the collective", Is::text | chosen,
     [](C c) -> Json { return name(c.setup.problem.collective); }},
    {"algorithm", "", "the algorithm's name in the catalogue", Is::text, [](C c) -> Json { return c.facts.algorithm; }},
    {"asked", "", "the requested algorithm: a name, or auto", Is::text | chosen,
     [](C c) -> Json { return valid_text(c.setup.algorithm); }},
    {"topology", "", "the network", Is::text | chosen, [](C c) -> Json { return valid_text(c.setup.topology.name()); }},
    {"nodes", "", "nodes of the network", Is::whole, [](C c) -> Json { return c.setup.topology.members(); }},
    {"ports", "", "port model: all or one", Is::text | chosen, [](C c) -> Json { return name(c.setup.machine.ports); }},
    {"link_model", "", "unit or link-bound", Is::text | chosen,
     [](C c) -> Json { return name(c.setup.machine.link.kind); }},
    {"tau_ns_per_byte", "ns", "time per byte on a link; link-bound only, exact", Is::exact_or_null | chosen,
     [](C c) { return of_links(c, c.setup.machine.link.tau); }},
    {"beta_ns", "ns", "time per packet in addition; link-bound only, exact", Is::exact_or_null | chosen,
     [](C c) { return of_links(c, c.setup.machine.link.beta); }},
    {"root", "", "the root, or the end that sends", Is::whole_or_null | chosen,
     [](C c) { return of_problem(c, "root"); }},
    {"type", "", "type of the elements of a reduction or matrix", Is::text_or_null | chosen,
     [](C c) { return of_problem(c, "type"); }},
    {"operation", "", "operation of a reduction", Is::text_or_null | chosen,
     [](C c) { return of_problem(c, "operation"); }},
    {"bytes", "bytes", "size of a packet; null for matrices", Is::whole_or_null | chosen,
     [](C c) { return of_problem(c, "bytes"); }},
    {"packets", "", "packets of a message, or blocks of the vector of all-reduce; null for matrices",
     Is::whole_or_null | chosen, [](C c) { return of_problem(c, "packets"); }},
    {"rows", "", "rows of the matrix", Is::whole_or_null | chosen, [](C c) { return of_problem(c, "rows"); }},
    {"columns", "", "columns of the matrix", Is::whole_or_null | chosen, [](C c) { return of_problem(c, "columns"); }},
    {"options", "", "other options that distinguish the cell, in words; usually empty", Is::text | chosen,
     [](C c) -> Json { return rare_choices(c.setup); }},
    {"threads", "", "threads requested", Is::whole | chosen, [](C c) -> Json { return threads_of(c.setup); }},
    {"threads_used", "", "threads used: limited by processors and nodes (16 each)", Is::whole | later,
     [](C c) -> Json { return c.facts.threads; }},
    {"channel", "", "kind of the channels: slots or spsc", Is::text | chosen,
     [](C c) -> Json { return name(c.setup.machine.channel); }},
    {"pin", "", "how threads were pinned, as --pin says it", Is::text | chosen,
     [](C c) -> Json { return name(c.setup.machine.pinning); }},
    {"steps", "", "steps of the clock", Is::whole, [](C c) -> Json { return c.facts.steps; }},
    {"transmissions", "", "packets that crossed a link", Is::whole, [](C c) -> Json { return c.facts.transmissions; }},
    {"link_bytes", "bytes", "bytes that crossed a link", Is::whole, [](C c) -> Json { return c.facts.link_bytes; }},
    {"size_bytes", "bytes", "size as counted by nccl-tests; null for matrices", Is::whole_or_null,
     [](C c) { return c.traffic ? Json(c.traffic->size_bytes) : Json(); }},
    {"count", "", "samples: timed runs that count", Is::whole, [](C c) -> Json { return c.times.count; }},
    {"disturbed", "", "timed runs that were left out, because other programs disturbed them", Is::whole | later,
     [](C c) -> Json { return c.disturbed; }},
    {"median_seconds", "s", "time of a run: the median of the rounds' medians", Is::positive,
     [](C c) -> Json { return c.estimate.seconds; }},
    {"modes", "", "the two groups into which the rounds' medians fall, the faster one first; null if they do not",
     Is::parts_or_null | later,
     [](C c) { return c.estimate.modes ? records_of(of_modes, *c.estimate.modes) : Json(); }},
    {"minimum_seconds", "s", "the least of all samples", Is::positive, [](C c) -> Json { return c.times.minimum; }},
    {"p99_seconds", "s", "the least sample that at least 99 % do not exceed", Is::positive,
     [](C c) -> Json { return c.times.p99; }},
    {"mad_seconds", "s", "median absolute deviation of the samples from their median", Is::number,
     [](C c) -> Json { return c.times.mad; }},
    {"interval_seconds", "s", "95 % interval of median_seconds; null below 6 rounds", Is::interval_or_null,
     [](C c) { return ends_of(c.estimate.interval); }},
    {"algbw_bytes_per_second", "bytes/s", "size_bytes over median_seconds, as in nccl-tests", Is::number_or_null,
     [](C c) { return c.traffic ? Json(algbw(c)) : Json(); }},
    {"busbw_bytes_per_second", "bytes/s", "algbw_bytes_per_second times nccl-tests' factor", Is::number_or_null,
     [](C c) { return c.traffic ? Json(algbw(c) * c.traffic->bus_factor) : Json(); }},
    {"ns_per_hop", "ns", "median_seconds over transmissions; null if there are none", Is::number_or_null,
     [](C c) { return if_applies(c.facts.transmissions != 0, c.estimate.seconds * 1e9 / hops(c)); }},
    {"hops_per_second", "1/s", "transmissions over median_seconds", Is::number_or_null,
     [](C c) { return if_applies(c.facts.transmissions != 0, hops(c) / c.estimate.seconds); }},
    {"link_bytes_per_second", "bytes/s", "link_bytes over median_seconds, all links together", Is::number,
     [](C c) -> Json { return static_cast<double>(c.facts.link_bytes) / c.estimate.seconds; }},
    {"speed_up", "", "work per second over that of the cell with the fewest threads; null if there is none",
     Is::number_or_null, [](C c) { return c.scaled ? Json(c.scaled->speed_up) : Json(); }},
    {"speed_up_interval", "", "95 % interval of speed_up, round by round; null where one has none",
     Is::interval_or_null, [](C c) { return c.scaled ? ends_of(c.scaled->speed_up_interval) : Json(); }},
    {"efficiency", "",
     "work per second and used thread over that of the cell with the fewest threads; null if there is none",
     Is::number_or_null, [](C c) { return c.scaled ? Json(c.scaled->efficiency) : Json(); }},
    {"efficiency_interval", "", "95 % interval of efficiency, round by round; null where one has none",
     Is::interval_or_null, [](C c) { return c.scaled ? ends_of(c.scaled->efficiency_interval) : Json(); }},
    {"limit_seconds", "s", "the least time by this host's limits; null if unknown", Is::number_or_null,
     [](C c) { return c.limit ? Json(c.limit->seconds) : Json(); }},
    {"limit_binds", "", "basis of limit_seconds", Is::text_or_null,
     [](C c) { return c.limit ? Json(c.limit->binds) : Json(); }},
    {"share_of_limit", "", "limit_seconds over median_seconds", Is::number_or_null,
     [](C c) { return c.limit ? Json(c.limit->seconds / c.estimate.seconds) : Json(); }},
    {"step", "",
     "what a step goes to, on average; null for one thread, and without dcube limits or the same cell by one thread",
     Is::part_or_null | later, [](C c) { return c.step ? record_of(of_step_parts, *c.step) : Json(); }},
    {"counters", "", "the processors' own counts; null where the system does not show them", Is::part_or_null | later,
     [](C c) { return c.counters ? record_of(of_counters, *c.counters) : Json(); }},
    {"doubts", "", "reasons to doubt the figures; empty if none", Is::texts, [](C c) -> Json { return c.doubts; }},
    {"rounds", "", "the measurements, round by round", Is::parts, [](C c) { return records_of(of_rounds, c.rounds); }},
};

// The rarer options of a run, in words: "to 5, layout submatrices, capacity 4"; usually nothing.
std::string rare_choices(const Setup& setup)
{
    const Problem& problem = setup.problem;
    std::vector<std::string> said;
    const auto say = [&](bool unusual, std::string_view what, const auto& value) {
        if (unusual)
            said.push_back(fmt::format("{} {}", what, value));
    };
    const auto say_fields = [&](FieldGroup group) {
        for (const ProblemField& field : problem_fields())
            if (field.group == group &&
                std::ranges::find(of_cells, field.key, &BenchEntry<BenchCell>::key) == std::end(of_cells)) {
                const std::string value = to_string(value_of(field, problem));
                say(!value.empty(), words(field), value);
            }
    };
    say_fields(FieldGroup::problem);
    say(problem.link.bound() && problem.link.clock != LinkClock::data_driven, "clock", name(problem.link.clock));
    say(problem.link.duplex == Duplex::half, "duplex", name(problem.link.duplex));
    say_fields(FieldGroup::tuning);
    say(setup.machine.channel_capacity != 1, "capacity", setup.machine.channel_capacity);
    const unsigned ranks = setup.machine.world ? setup.machine.world->ranks() : 1;
    say(ranks != 1, "ranks", ranks);
    return fmt::format("{}", fmt::join(said, ", "));
}

using O = const LeftOutCell&;

constexpr BenchEntry<LeftOutCell> of_left_out[] = {
    {"cell", "", "the cell that was left out", Is::text, [](O o) -> Json { return o.cell; }},
    {"reason", "", "why the cell was left out", Is::text, [](O o) -> Json { return valid_text(o.reason.what()); }},
};

// Those of the beginning, and of what happened meanwhile.
std::vector<std::string> warnings_of(B benchmark)
{
    std::vector<std::string> all = benchmark.warnings;
    const Json others = benchmark.host.value("other_processors", Json());
    if (std::string one = others.is_number() ? warning_of_others(others.get<double>()) : ""; !one.empty())
        all.push_back(std::move(one));
    return all;
}

using D = const BenchParts&;

constexpr BenchEntry<BenchParts> of_documents[] = {
    {"schema", "", "version of these keys", Is::whole, [](D) -> Json { return report_schema; }},
    {"kind", "", "benchmark", Is::text, [](D) -> Json { return "benchmark"; }},
    {"program", "", "the dcube that measured: version, commit, compiler, flags, build_type, sanitizers", Is::part,
     [](D d) -> Json { return d.benchmark.program; }},
    {"command", "", "the command line", Is::text, [](D d) -> Json { return d.benchmark.command; }},
    {"date", "", "when measuring began, UTC", Is::text, [](D d) -> Json { return d.benchmark.date; }},
    {"host", "", "the machine, and how busy it was at the start", Is::part,
     [](D d) -> Json { return d.benchmark.host; }},
    {"interrupted", "", "whether it ended before all rounds were measured", Is::flag | later,
     [](D d) -> Json { return d.benchmark.interrupted; }},
    {"warnings", "", "reasons to doubt the figures: the host, the program, or the time of measuring", Is::texts,
     [](D d) -> Json { return warnings_of(d.benchmark); }},
    {"settings", "", "how much was measured", Is::part, [](D d) { return record_of(of_settings, d.benchmark); }},
    {"limits", "", "the limits used for shares; null if none are known here", Is::part_or_null,
     [](D d) { return d.benchmark.limits ? record_of(of_limits, *d.benchmark.limits) : Json(); }},
    {"moments", "", "the machine before each round and after the last", Is::parts | later,
     [](D d) { return records_of(of_moments, d.benchmark.moments); }},
    {"cells", "", "a row for each tuple of independent variables", Is::parts, [](D d) -> Json { return d.cells; }},
    {"left_out", "", "cells that could not be measured", Is::parts, [](D d) -> Json { return d.left_out; }},
};

template <class Part>
void add_entries(std::vector<BenchField>& all, const std::string& part, std::span<const BenchEntry<Part>> entries)
{
    for (const BenchEntry<Part>& entry : entries)
        all.push_back({part + std::string(entry.key), entry.unit, entry.about, entry.note.value, entry.note.stands});
}

}  // namespace

std::span<const BenchEntry<BenchParts>> document_entries()
{
    return of_documents;
}

std::span<const BenchEntry<BenchCell>> cell_entries()
{
    return of_cells;
}

std::span<const BenchEntry<LeftOutCell>> left_out_entries()
{
    return of_left_out;
}

std::span<const BenchField> bench_fields()
{
    static const std::vector<BenchField> all = [] {
        std::vector<BenchField> list;
        for (const BenchEntry<BenchParts>& entry : of_documents) {
            add_entries<BenchParts>(list, "", {&entry, 1});
            if (entry.key == "settings")
                add_entries<Benchmark>(list, "settings.", of_settings);
            if (entry.key == "limits")
                add_entries<Limits>(list, "limits.", of_limits);
            if (entry.key == "moments")
                add_entries<Moment>(list, "moments.", of_moments);
            if (entry.key == "left_out")
                add_entries<LeftOutCell>(list, "left_out.", of_left_out);
            if (entry.key != "cells")
                continue;
            for (const BenchEntry<BenchCell>& of_cell : of_cells) {
                add_entries<BenchCell>(list, "cells.", {&of_cell, 1});
                if (of_cell.key == "modes")
                    add_entries<Mode>(list, "cells.modes.", of_modes);
                if (of_cell.key == "step")
                    add_entries<StepParts>(list, "cells.step.", of_step_parts);
                if (of_cell.key == "counters")
                    add_entries<CounterSums>(list, "cells.counters.", of_counters);
                if (of_cell.key == "rounds")
                    add_entries<Round>(list, "cells.rounds.", of_rounds);
            }
        }
        return list;
    }();
    return all;
}

}  // namespace dcube::measure

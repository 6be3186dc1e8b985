// dcube list: the catalogue, the machines whose links are known, and the keys of questions and records, as tables.

#include "base/names.hpp"
#include "cli/arguments.hpp"
#include "cli/commands/network_facts.hpp"
#include "cli/output.hpp"
#include "cli/text/describe.hpp"
#include "cli/text/histogram_text.hpp"
#include "cli/text/records.hpp"
#include "cli/text/table.hpp"
#include "cli/text/verdict_text.hpp"
#include "collectives/other_names.hpp"
#include "inspect/measure/bench_fields.hpp"
#include "run/field.hpp"
#include "run/question.hpp"
#include "run/report_fields.hpp"

#include <dcube/catalogue.hpp>
#include <dcube/link.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dcube::cli {

namespace {

/// A row about a key of records; a key with a dot belongs to each part of the key before it.
struct KeyRow {
    std::string key;
    std::string_view unit;
    std::string more;  ///< the records that have it, or what may stand there
    std::string_view about;
};

struct KeyList {
    std::string_view heading;  ///< of `more` in a table
    std::string_view name;     ///< of `more` in a record
    std::vector<KeyRow> rows;
};

// Adds the fields of `record`; keys of its parts are written "part.key". A field without a meaning of its own repeats
// an earlier key.
template <class Facts>
void add(KeyList& keys, std::string_view record, std::span<const Field<Facts>> fields, std::string_view part = "")
{
    for (const Field<Facts>& field : fields) {
        if (!field.about.empty()) {
            keys.rows.push_back({fmt::format("{}{}", part, field.key), field.unit, std::string(record), field.about});
            continue;
        }
        std::string& records = std::ranges::find(keys.rows, field.key, &KeyRow::key)->more;
        const std::vector<std::string> known = split(records, ", ");
        if (std::ranges::find(known, record) == known.end())
            records += fmt::format(", {}", record);
    }
}

struct KindName {
    RecordKind kind;
    std::string_view name;
};

constexpr KindName kinds[] = {{RecordKind::report, "run"},
                              {RecordKind::forecast, "dry run"},
                              {RecordKind::verdict, "verify"},
                              {RecordKind::trace, "trace"}};

std::string_view value_words(measure::BenchValue value)
{
    using measure::BenchValue;
    switch (value) {
    case BenchValue::text: return "text";
    case BenchValue::text_or_null: return "text, null";
    case BenchValue::exact_or_null: return "number, fraction as text, null";
    case BenchValue::number:
    case BenchValue::positive: return "number";
    case BenchValue::number_or_null: return "number, null";
    case BenchValue::whole: return "whole number";
    case BenchValue::whole_or_null: return "whole number, null";
    case BenchValue::flag: return "true, false";
    case BenchValue::interval: return "[low, high]";
    case BenchValue::interval_or_null: return "[low, high], null";
    case BenchValue::texts: return "texts";
    case BenchValue::positives: return "numbers";
    case BenchValue::intervals: return "[low, high] of each";
    case BenchValue::part: return "object";
    case BenchValue::part_or_null: return "object, null";
    case BenchValue::parts: return "objects";
    case BenchValue::parts_or_null: return "objects, null";
    }
    return "";
}

/// A key whose value is made elsewhere.
struct KeyText {
    std::string_view key;
    std::string_view unit;
    std::string_view value;
    std::string_view about;
};

// Read by people and by verify, replay and view (judge/trace_line.cpp).
constexpr KeyText of_traces[] = {
    {"step", "", "whole number", "1, 2, ...: the step in which the packet crosses the link; it can leave in the next"},
    {"from", "", "whole number", "the node that sends the packet"},
    {"to", "", "whole number", "the node that gets it"},
    {"port", "", "whole number", "the sender's port"},
    {"bytes", "bytes", "whole number", "the packet's size"},
    {"start_ns", "ns", "number, fraction as text, null", "when the packet takes the link; link-bound only, exact"},
    {"end_ns", "ns", "number, fraction as text, null", "when it has arrived; link-bound only, exact"},
    {"pieces", "", "objects", "the parts of messages in the packet, in their order"},
    {"pieces.origin", "", "whole number, null", "the node that the piece's message comes from; null for a partial sum"},
    {"pieces.target", "", "whole number, null", "the node that the message is for; null where every node gets it"},
    {"pieces.offset", "bytes", "whole number", "the piece's place in that message, which is packets times bytes long"},
    {"pieces.length", "bytes", "whole number", "the piece's length"},
    {"pieces.sum_of", "", "nodes, [first, last]", "contributors of a partial sum; left out if unknown"},
    {"phase", "", "text", "the sender's phase; left out if its program names none"},
    {"lost", "", "true", "the packet was sent over a failed link and never arrives; left out otherwise"},
};

// inspect/measure/limits_document.cpp
constexpr KeyText of_limits[] = {
    {"schema", "", "whole number", "version of these keys: 1"},
    {"kind", "", "text", "limits"},
    {"program", "", "object", "the dcube that measured: the keys of program in a benchmark"},
    {"command", "", "text", "the command line; U+FFFD replaces what is not UTF-8"},
    {"date", "", "text", "when measuring began, UTC"},
    {"host", "", "object", "the machine: the keys of host in a benchmark"},
    {"warnings", "", "texts",
     "why the figures may be worse than the machine: other work, stolen time, throttling by heat or by a quota, a "
     "power-saving governor, fewer processors than threads, a slow build"},
    {"pin", "", "text", "how threads were pinned, as --pin says it"},
    {"quick", "", "true, false", "whether --quick was given"},
    {"limits", "", "object", "the measured limits"},
    {"limits.threads", "", "objects", "results for each number of threads"},
    {"limits.threads.threads", "", "whole number", "the number of threads"},
    {"limits.threads.copies", "", "objects", "copies by all threads together, of working sets of several sizes"},
    {"limits.threads.copies.working_set_bytes", "bytes", "whole number", "memory read and written again and again"},
    {"limits.threads.copies.bytes_per_second", "bytes/s", "number", "copied by all threads together, the median"},
    {"limits.threads.copies.best_bytes_per_second", "bytes/s", "number", "copied by all threads together, the best"},
    {"limits.threads.blocks", "", "objects", "copies of scattered blocks of several sizes"},
    {"limits.threads.blocks.block_bytes", "bytes", "whole number", "size of a block"},
    {"limits.threads.blocks.seconds_per_block", "s", "number", "the time of one block for one thread"},
    {"limits.threads.barrier_seconds", "s", "number",
     "the barrier: a step for which all threads come, and which one node of each runs; the median"},
    {"limits.threads.best_barrier_seconds", "s", "number, null",
     "the same, the best; null or missing in older documents, whose barrier one thread may have run alone"},
    {"limits.threads.empty_step_seconds", "", "objects", "steps in which all nodes do nothing"},
    {"limits.threads.empty_step_seconds.nodes", "", "whole number", "nodes of the machine"},
    {"limits.threads.empty_step_seconds.seconds", "s", "number",
     "the time of a step in which all nodes do nothing, run as the clock chooses; the median"},
    {"limits.threads.empty_step_seconds.all_threads_seconds", "s", "number, null",
     "the same, run by all threads; null with one thread"},
    {"limits.threads.learned_step_seconds", "", "objects",
     "the clock's findings in these steps, by their work; it runs each in the way that was faster"},
    {"limits.threads.learned_step_seconds.alone", "s", "number, null", "the time of a step that one thread runs"},
    {"limits.threads.learned_step_seconds.together", "s", "number, null", "the time of a step that all threads run"},
    {"limits.channel", "", "object", "a packet through a channel: a push and its pop"},
    {"limits.channel.one_thread_seconds", "s", "number", "push and pop by one thread"},
    {"limits.channel.two_threads_seconds", "s", "number, null",
     "a packet from one thread to another; null with one thread"},
    {"limits.handover", "", "object", "a cache line that two processors write in turn"},
    {"limits.handover.processors", "", "whole numbers", "the processors, by the system's numbers"},
    {"limits.handover.seconds", "s", "numbers, null",
     "seconds[a][b]: from one of the two to the other, half of the round trip; null on the diagonal"},
    {"limits.lines", "", "object", "cache lines that one processor has just written, read by another"},
    {"limits.lines.processors", "", "whole numbers", "the processors, by the system's numbers"},
    {"limits.lines.line_seconds", "s", "numbers, null",
     "[a][b]: a line between these two, whose address is in the line before; the median; null on the diagonal"},
    {"limits.lines.lines_per_second", "lines/s", "numbers, null", "the same for lines side by side; the median"},
    {"limits.lines.prefetched_lines_per_second", "lines/s", "numbers, null", "the same, prefetched; the median"},
    {"limits.lines.best_lines_per_second", "lines/s", "numbers, null",
     "the best of lines side by side, prefetched or not"},
    {"limits.lines.levels", "", "objects", "the pairs of processors by what they share, the nearest first"},
    {"limits.lines.levels.level", "", "text", "same core, same last cache, same socket, other socket, or unknown"},
    {"limits.lines.levels.pairs", "", "whole number", "pairs of processors that share this and nothing nearer"},
    {"limits.lines.levels.line_seconds", "s", "number", "the median of these pairs"},
    {"limits.lines.levels.lines_per_second", "lines/s", "number", "the median of these pairs"},
    {"limits.lines.levels.prefetched_lines_per_second", "lines/s", "number", "the median of these pairs"},
    {"limits.lines.levels.best_lines_per_second", "lines/s", "number", "the best of these pairs"},
    {"limits.pages", "", "object", "the pages in which the system gives memory"},
    {"limits.pages.page_bytes", "bytes", "whole number", "size of a page"},
    {"limits.pages.huge_pages", "", "text, null", "the system's setting for huge pages"},
    {"limits.pages.used", "", "text", "the pages that dcube gets, in words"},
    {"program.version", "", "text", "dcube's version"},
    {"program.commit", "", "text", "the commit that it was built from"},
    {"program.compiler", "", "text", "the compiler, and its version"},
    {"program.flags", "", "text", "flags of the compiler"},
    {"program.build_type", "", "text", "Release, or what else was built"},
    {"program.sanitizers", "", "text", "run-time checks in the program, which slow it down"},
    {"host.cpu", "", "text", "the processor's name"},
    {"host.architecture", "", "text", "x86_64, aarch64, ..."},
    {"host.processors", "", "whole number", "processors online"},
    {"host.usable_threads", "", "whole number", "how many of them this process may use (affinity, cgroup quota)"},
    {"host.affinity", "", "text",
     "the processors that it may run on, 0-3 say; null if unknown, missing in older documents"},
    {"host.processor_quota", "", "number",
     "processors' worth of time that the cgroup grants, 1.5 say; null without a quota, missing in older documents"},
    {"host.cores", "", "whole number", "cores of the computer"},
    {"host.sockets", "", "whole number", "sockets of the computer"},
    {"host.threads_per_core", "", "whole number", "processors of a core"},
    {"host.numa_nodes", "", "whole number", "memories, each nearer to some processors than to others"},
    {"host.caches", "", "objects", "caches of the first processor"},
    {"host.caches.level", "", "whole number", "1 is nearest to the processor"},
    {"host.caches.kind", "", "text", "data, instruction or unified"},
    {"host.caches.bytes", "bytes", "whole number", "size of the cache"},
    {"host.caches.shared_by", "", "whole number", "how many processors share it"},
    {"host.memory_bytes", "bytes", "whole number", "all memory"},
    {"host.page_bytes", "bytes", "whole number", "an ordinary page"},
    {"host.huge_pages", "", "text", "transparent ones: always, madvise or never"},
    {"host.governor", "", "text", "how the system sets the first processor's frequency"},
    {"host.frequency_hz", "Hz", "object", "the first processor's frequency"},
    {"host.frequency_hz.now", "Hz", "number", "the first processor's frequency when measuring began"},
    {"host.frequency_hz.most", "Hz", "number", "the first processor's highest frequency"},
    {"host.kernel", "", "text", "name and version of the kernel"},
    {"host.system", "", "text", "name and version of the system"},
    {"host.load_average", "", "numbers", "programs that wanted to run in the last 1, 5 and 15 minutes, on average"},
    {"host.idle_processors", "", "number", "processors with nothing to do, in a tenth of a second at the start"},
    {"host.steal_share", "", "number",
     "share of processor time that the hypervisor took, in the same tenth of a second"},
    {"host.other_processors", "", "number",
     "processors that other programs used on average meanwhile; benchmarks only"},
    {"host.huge_pages_used", "", "text",
     "how much of the process's memory was in transparent huge pages: none, some, most; null if unknown; benchmarks "
     "only"},
    {"host.counters_missing", "", "text",
     "why the processors' own counters were not read; null if they were; benchmarks only"},
    {"host.throttled", "", "whole number", "how often a core was slowed down by heat since the system started"},
    {"host.fingerprint", "", "text",
     "16 hex digits, XXH3-64, of what stays the same from boot to boot: processor, their numbers, caches, NUMA nodes, "
     "GiB of memory"},
    {"figure", "", "text (CSV)",
     "kind of the line: copies, scattered blocks, barrier, empty step, empty step by all threads, channel, handover, "
     "line, lines side by side, lines side by side prefetched, lines side by side at best"},
    {"processor", "", "whole number (CSV)", "handover and lines: one of the two processors"},
    {"other_processor", "", "whole number (CSV)", "handover and lines: the other one"},
    {"value", "", "number (CSV)", "the figure itself"},
    {"unit", "", "text (CSV)", "its unit: bytes/s, lines/s or s"},
};

KeyList keys_from(std::span<const KeyText> all)
{
    KeyList keys{"value", "value", {}};
    for (const KeyText& one : all)
        keys.rows.push_back({std::string(one.key), one.unit, std::string(one.value), one.about});
    return keys;
}

// The keys of reports and of all records that share them: verdicts, comparisons, networks, histograms.
KeyList report_keys()
{
    KeyList keys{"in", "records", {}};
    for (const ReportField& field : report_fields()) {
        std::string records;
        for (const KindName& one : kinds)
            if (field.stands_in(one.kind))
                records += fmt::format("{}{}", records.empty() ? "" : ", ", one.name);
        keys.rows.push_back({std::string(field.key), field.unit, std::move(records), field.about});
    }
    add(keys, "dry run", forecast_fields());
    add(keys, "verify", verdict_fields());
    add(keys, "verify, replay", best_known_fields());
    add(keys, "verify", outcome_fields());
    add(keys, "trace", trace_fields());
    add(keys, "compare", comparison_fields());
    add(keys, "info", network_fields());
    add(keys, "info", exchange_bound_fields(), "bounds.");
    add(keys, "info", exchange_algorithm_fields(), "algorithms.");
    add(keys, "info", fault_cost_fields(), "fault_costs.");
    add(keys, "info", over_ranks_fields(), "over_ranks.");
    add(keys, "histogram", histogram_fields());
    add(keys, "histogram CSV", bin_fields());
    return keys;
}

KeyList bench_keys()
{
    KeyList keys{"value", "value", {}};
    for (const measure::BenchField& field : measure::bench_fields())
        keys.rows.push_back({std::string(field.key), field.unit, std::string(value_words(field.value)), field.about});
    return keys;
}

// The lines of a trace after the first, which has keys of a report.
KeyList trace_keys()
{
    return keys_from(of_traces);
}

KeyList limits_keys()
{
    return keys_from(of_limits);
}

// The other names of an algorithm: "total exchange, complete exchange".
std::string aliases_text(const Entry& algorithm)
{
    return fmt::format("{}", fmt::join(algorithm.aliases, ", "));
}

Table columns(std::initializer_list<std::string_view> headings)
{
    Table table;
    for (const std::string_view heading : headings)
        table.columns.push_back({std::string(heading), Column::Side::left});
    return table;
}

std::string text_of(const KeyList& keys)
{
    std::string text;
    for (const KeyRow& row : keys.rows)
        text += fmt::format("{}{} ({})\n    {}", row.key, row.unit.empty() ? "" : fmt::format(", {}", row.unit),
                            row.more, wrapped(row.about, 4, 4));
    return text;
}

Table table_of(const KeyList& keys)
{
    Table table = columns({"key", "unit", keys.heading, "meaning"});
    for (const KeyRow& row : keys.rows)
        table.add({fmt::format("`{}`", row.key), std::string(row.unit), row.more, std::string(row.about)});
    return table;
}

Json json_of(const KeyList& keys)
{
    Json records = Json::array();
    for (const KeyRow& row : keys.rows)
        records.push_back({{"key", row.key}, {"unit", row.unit}, {keys.name, row.more}, {"about", row.about}});
    return records;
}

// Nothing where the algorithm is the paper's own.
std::string_view origin_text(const Entry& algorithm)
{
    switch (algorithm.origin) {
    case Origin::paper: return "";
    case Origin::refinement: return algorithm.paper.empty() ? "a refinement" : ", refined";
    case Origin::dcube: return algorithm.paper.empty() ? "dcube's own" : ", the basis of dcube's own";
    case Origin::own: return "the caller's own";
    }
    return "";
}

// "broadcast, also single-node-broadcast, bcast, MPI_Bcast, ncclBroadcast"
std::string heading_of(Collective collective)
{
    const std::vector<std::string> others = other_names(collective);
    return wrapped(fmt::format("{}{}{}", name(collective), others.empty() ? "" : ", also ", fmt::join(others, ", ")),
                   4);
}

std::string algorithms_text()
{
    std::string text;
    const Entry* before = nullptr;
    for (const Entry& algorithm : catalogue()) {
        if (before == nullptr || before->collective != algorithm.collective)
            text += (before == nullptr ? "" : "\n") + heading_of(algorithm.collective);
        before = &algorithm;
        const std::string aliases = aliases_text(algorithm);
        text += fmt::format("  {} ({}, {}, {} port{}){}{}\n", algorithm.name, name(algorithm.networks),
                            name(algorithm.link), name(algorithm.ports), algorithm.ports == PortModel::all ? "s" : "",
                            aliases.empty() ? "" : ": ", aliases);
        text +=
            "    " + wrapped(fmt::format("{}{}: {}", algorithm.paper, origin_text(algorithm), algorithm.summary), 4, 4);
    }
    return text;
}

Table algorithms_table()
{
    Table table = columns({"collective", "algorithm", "networks", "links", "ports", "origin", "paper", "what it does"});
    for (const Entry& algorithm : catalogue()) {
        const std::string aliases = aliases_text(algorithm);
        table.add({std::string(name(algorithm.collective)),
                   fmt::format("`{}`{}", algorithm.name, aliases.empty() ? "" : fmt::format(" ({})", aliases)),
                   std::string(name(algorithm.networks)), std::string(name(algorithm.link)),
                   std::string(name(algorithm.ports)), std::string(name(algorithm.origin)),
                   std::string(algorithm.paper), std::string(algorithm.summary)});
    }
    return table;
}

using Listed = const Entry&;

constexpr Field<Entry> of_catalogue[] = {
    {"collective", "", "", [](Listed a) -> Json { return name(a.collective); }},
    {"name", "", "", [](Listed a) -> Json { return a.name; }},
    {"aliases", "", "", [](Listed a) -> Json { return aliases_text(a); }},
    {"ports", "", "", [](Listed a) -> Json { return name(a.ports); }},
    {"link_model", "", "", [](Listed a) -> Json { return name(a.link); }},
    {"networks", "", "", [](Listed a) -> Json { return name(a.networks); }},
    {"paper", "", "", [](Listed a) -> Json { return a.paper; }},
    {"origin", "", "", [](Listed a) -> Json { return name(a.origin); }},
    {"summary", "", "", [](Listed a) -> Json { return a.summary; }},
};

// "20 ns", "0.0421 ns (4/95)"
std::string tau_text(const Rational& tau)
{
    const std::string whole = to_string(tau);
    return tau.denominator == 1 ? fmt::format("{} ns", whole) : fmt::format("{:.3g} ns ({})", tau.to_double(), whole);
}

std::string machines_text()
{
    std::string text;
    for (const MachinePreset& preset : machine_presets())
        text += fmt::format("{}: tau {}, beta {} ns\n    {}", preset.name, tau_text(preset.tau), to_string(preset.beta),
                            wrapped(preset.source, 4, 4));
    return text;
}

Table machines_table()
{
    Table table = columns({"machine", "tau, ns per byte", "beta, ns per packet", "source"});
    for (const MachinePreset& preset : machine_presets())
        table.add({fmt::format("`{}`", preset.name), to_string(preset.tau), to_string(preset.beta),
                   std::string(preset.source)});
    return table;
}

using Preset = const MachinePreset&;

constexpr Field<MachinePreset> of_machines[] = {
    {"name", "", "", [](Preset m) -> Json { return m.name; }},
    {"tau_ns_per_byte", "ns", "", [](Preset m) { return exact(m.tau); }},
    {"beta_ns", "ns", "", [](Preset m) { return exact(m.beta); }},
    {"source", "", "", [](Preset m) -> Json { return m.source; }},
};

// The option that takes a key, or those that take one part of it each.
std::string option_text(const Key& key)
{
    if (key.key == "faults")
        return "--without-link A-B, --without-node V";
    if (key.key == "failing")
        return "--fail-link A-B@STEP, --fail-node V@STEP";
    if (key.key == "collective" || key.placeholder.empty())
        return option_of(key.key);
    return fmt::format("{} {}", option_of(key.key), key.placeholder);
}

// As they are written, or all that there are.
std::string values_text(const Key& key)
{
    if (!key.form.empty() || key.values == nullptr)
        return std::string(key.form);
    return fmt::format("{}", fmt::join(key.values(), ", "));
}

std::string question_text()
{
    std::string text;
    for (const Key& key : question_keys())
        text += fmt::format("{} ({}{}{})\n    {}", key.key, option_text(key), key.name == key.key ? "" : "; in Python ",
                            key.name == key.key ? "" : key.name, wrapped(key.help(), 4, 4));
    return text;
}

Table question_table()
{
    Table table = columns({"key", "option", "in Python", "meaning", "values", "default"});
    for (const Key& key : question_keys())
        table.add({fmt::format("`{}`", key.key), fmt::format("`{}`", option_text(key)), fmt::format("`{}`", key.name),
                   std::string(key.about), values_text(key), std::string(key.usual)});
    return table;
}

Json unless_empty(std::string_view text)
{
    return text.empty() ? Json() : Json(text);
}

using Asked = const Key&;

constexpr Field<Key> of_question[] = {
    {"key", "", "", [](Asked key) -> Json { return key.key; }},
    {"option", "", "", [](Asked key) -> Json { return option_text(key); }},
    {"argument", "", "", [](Asked key) -> Json { return key.name; }},
    {"group", "", "", [](Asked key) -> Json { return name(key.group); }},
    {"about", "", "", [](Asked key) -> Json { return key.about; }},
    {"values", "", "", [](Asked key) { return unless_empty(values_text(key)); }},
    {"default", "", "", [](Asked key) { return unless_empty(key.usual); }},
};

/// How what can be listed is written in each format.
struct List {
    std::string (*text)();
    Table (*table)();
    Json (*records)();
};

constexpr List algorithms{algorithms_text, algorithms_table, [] { return records_of(of_catalogue, catalogue()); }};
constexpr List machines{machines_text, machines_table, [] { return records_of(of_machines, machine_presets()); }};
constexpr List question_keys_list{question_text, question_table,
                                  [] { return records_of(of_question, question_keys()); }};
constexpr List report_keys_list{[] { return text_of(report_keys()); }, [] { return table_of(report_keys()); },
                                [] { return json_of(report_keys()); }};
constexpr List bench_keys_list{[] { return text_of(bench_keys()); }, [] { return table_of(bench_keys()); },
                               [] { return json_of(bench_keys()); }};
constexpr List trace_keys_list{[] { return text_of(trace_keys()); }, [] { return table_of(trace_keys()); },
                               [] { return json_of(trace_keys()); }};
constexpr List limits_keys_list{[] { return text_of(limits_keys()); }, [] { return table_of(limits_keys()); },
                                [] { return json_of(limits_keys()); }};

constexpr Spelling<const List*> lists[]{
    {&algorithms, "algorithms"},          {&machines, "machines"},
    {&question_keys_list, "keys"},        {&report_keys_list, "fields"},
    {&bench_keys_list, "bench-fields"},   {&trace_keys_list, "trace-fields"},
    {&limits_keys_list, "limits-fields"},
};

std::string written(const List& list, Format format)
{
    switch (format) {
    case Format::text: return list.text();
    case Format::markdown: return in_markdown(list.table());
    case Format::json:
    case Format::csv: break;
    }
    return in_format(list.records(), format);
}

struct ListOptions {
    const List* list = &algorithms;
    Format format = Format::text;
};

Execution define_list(CLI::App& app)
{
    const auto options = std::make_shared<ListOptions>();
    add_choice(app, {"WHAT", "", ""}, lists, "a list", options->list);
    add_format(app, {Format::text, Format::json, Format::csv, Format::markdown}, options->format);
    return [options](Interrupt&) {
        print(written(*options->list, options->format));
        return 0;
    };
}

}  // namespace

extern const Command list_command{.name = "list",
                                  .usage = "list [WHAT] [OPTIONS]",
                                  .summary = "all algorithms; machines; keys of questions, reports",
                                  .footer = R"(Examples:
  dcube list
  dcube list --format markdown
  dcube list machines
  dcube list keys
  dcube list fields --format markdown)",
                                  .define = define_list};

}  // namespace dcube::cli

// dcube list: the catalogue, the machines whose links are known, and the keys of records, as tables.

#include "base/names.hpp"
#include "cli/arguments.hpp"
#include "cli/commands/record_keys.hpp"
#include "cli/output.hpp"
#include "cli/text/describe.hpp"
#include "cli/text/table.hpp"
#include "collectives/other_names.hpp"
#include "run/field.hpp"

#include <dcube/catalogue.hpp>
#include <dcube/link.hpp>

#include <fmt/format.h>

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace dcube::cli {

namespace {

// The other names of an algorithm: "total exchange, complete exchange".
std::string aliases_text(const Algorithm& algorithm)
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
std::string_view origin_text(const Algorithm& algorithm)
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
    const Algorithm* before = nullptr;
    for (const Algorithm& algorithm : catalogue()) {
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
    for (const Algorithm& algorithm : catalogue()) {
        const std::string aliases = aliases_text(algorithm);
        table.add({std::string(name(algorithm.collective)),
                   fmt::format("`{}`{}", algorithm.name, aliases.empty() ? "" : fmt::format(" ({})", aliases)),
                   std::string(name(algorithm.networks)), std::string(name(algorithm.link)),
                   std::string(name(algorithm.ports)), std::string(name(algorithm.origin)),
                   std::string(algorithm.paper), std::string(algorithm.summary)});
    }
    return table;
}

using Listed = const Algorithm&;

constexpr Field<Algorithm> of_catalogue[] = {
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
    Table table = columns({"machine", "tau, ns a byte", "beta, ns a packet", "source"});
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

/// How what can be listed is written in each format.
struct List {
    std::string (*text)();
    Table (*table)();
    Json (*records)();
};

constexpr List algorithms{algorithms_text, algorithms_table, [] { return records_of(of_catalogue, catalogue()); }};
constexpr List machines{machines_text, machines_table, [] { return records_of(of_machines, machine_presets()); }};
constexpr List report_keys_list{[] { return text_of(report_keys()); }, [] { return table_of(report_keys()); },
                                [] { return json_of(report_keys()); }};
constexpr List bench_keys_list{[] { return text_of(bench_keys()); }, [] { return table_of(bench_keys()); },
                               [] { return json_of(bench_keys()); }};
constexpr List trace_keys_list{[] { return text_of(trace_keys()); }, [] { return table_of(trace_keys()); },
                               [] { return json_of(trace_keys()); }};
constexpr List limits_keys_list{[] { return text_of(limits_keys()); }, [] { return table_of(limits_keys()); },
                                [] { return json_of(limits_keys()); }};

constexpr Spelling<const List*> lists[]{
    {&algorithms, "algorithms"},        {&machines, "machines"},
    {&report_keys_list, "fields"},      {&bench_keys_list, "bench-fields"},
    {&trace_keys_list, "trace-fields"}, {&limits_keys_list, "limits-fields"},
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
                                  .summary = "all algorithms; machines; the keys of all records",
                                  .footer = R"(Examples:
  dcube list
  dcube list --format markdown
  dcube list machines
  dcube list fields --format markdown)",
                                  .define = define_list};

}  // namespace dcube::cli

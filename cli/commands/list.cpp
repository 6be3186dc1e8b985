// dcube list: the catalogue, or the machines whose links are known, as a table.

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "cli/text/bench_fields_table.hpp"
#include "cli/text/describe.hpp"
#include "cli/text/fields_table.hpp"
#include "cli/text/records.hpp"

#include <dcube/catalogue.hpp>
#include <dcube/link.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace dcube::cli {

namespace {

std::string markdown()
{
    std::string table = "| collective | algorithm | networks | links | ports | whose | paper | what it does |\n"
                        "| --- | --- | --- | --- | --- | --- | --- | --- |\n";
    for (const Algorithm& algorithm : catalogue()) {
        const std::string aliases = aliases_text(algorithm);
        table += fmt::format("| {} | `{}`{} | {} | {} | {} | {} | {} | {} |\n", name(algorithm.collective),
                             algorithm.name, aliases.empty() ? "" : fmt::format(" ({})", aliases),
                             name(algorithm.networks), name(algorithm.link), name(algorithm.ports),
                             name(algorithm.origin), algorithm.paper, algorithm.summary);
    }
    return table;
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

std::string for_reading()
{
    std::string text;
    const Algorithm* before = nullptr;
    for (const Algorithm& algorithm : catalogue()) {
        if (before == nullptr || before->collective != algorithm.collective)
            text += fmt::format("{}{}\n", before == nullptr ? "" : "\n", name(algorithm.collective));
        before = &algorithm;
        const std::string aliases = aliases_text(algorithm);
        text += fmt::format("  {} ({}, {}, {} port{}){}{}\n", algorithm.name, name(algorithm.networks),
                            name(algorithm.link), name(algorithm.ports), algorithm.ports == PortModel::all ? "s" : "",
                            aliases.empty() ? "" : ": ", aliases);
        text +=
            "    " + wrapped(fmt::format("{}{}. {}", algorithm.paper, origin_text(algorithm), algorithm.summary), 4, 4);
    }
    return text;
}

void list_algorithms(Format format)
{
    switch (format) {
    case Format::json:
    case Format::csv: print(catalogue_record(format)); break;
    case Format::markdown: print(markdown()); break;
    case Format::text: print(for_reading()); break;
    }
}

std::string machines_for_reading()
{
    std::string text;
    for (const MachinePreset& preset : machine_presets())
        text += fmt::format("{}: tau {} ns, beta {} ns\n    {}", preset.name, to_string(preset.tau),
                            to_string(preset.beta), wrapped(preset.source, 4, 4));
    return text;
}

std::string machines_markdown()
{
    std::string table = "| machine | tau, ns a byte | beta, ns a packet | source |\n| --- | --- | --- | --- |\n";
    for (const MachinePreset& preset : machine_presets())
        table += fmt::format("| `{}` | {} | {} | {} |\n", preset.name, to_string(preset.tau), to_string(preset.beta),
                             preset.source);
    return table;
}

void list_machines(Format format)
{
    switch (format) {
    case Format::json:
    case Format::csv: print(machines_record(format)); break;
    case Format::markdown: print(machines_markdown()); break;
    case Format::text: print(machines_for_reading()); break;
    }
}

void list_fields(Format format)
{
    print(fields_table(format));
}

void list_bench_fields(Format format)
{
    print(bench_fields_table(format));
}

/// What can be listed.
struct Table {
    std::string_view name;
    void (*print)(Format format);
};

constexpr Table tables[] = {
    {"algorithms", list_algorithms},
    {"machines", list_machines},
    {"fields", list_fields},
    {"bench-fields", list_bench_fields},
};

const Table& table_named(const std::string& text)
{
    std::vector<std::string_view> names;
    for (const Table& table : tables) {
        if (same_name(text, table.name))
            return table;
        names.push_back(table.name);
    }
    throw InvalidArgument(unknown_name(text, "a list", names, fmt::format("{}", fmt::join(names, ", "))));
}

struct ListOptions {
    const Table* table = &tables[0];
    Format format = Format::text;
};

std::function<int()> define_list(CLI::App& app)
{
    const auto options = std::make_shared<ListOptions>();
    add_option(app, {"WHAT", "", "algorithms, machines, fields, bench-fields [algorithms]"},
               [options](const std::string& text) { options->table = &table_named(text); });
    add_format(app, {Format::text, Format::json, Format::csv, Format::markdown}, options->format);
    return [options] {
        options->table->print(options->format);
        return 0;
    };
}

}  // namespace

extern const Command list_command{
    .name = "list",
    .usage = "list [algorithms|machines|fields|bench-fields] [OPTIONS]",
    .summary = "the catalogue of all algorithms; machines that --machine knows; keys of reports and benchmarks",
    .footer = R"(Examples:
  dcube list
  dcube list --format markdown
  dcube list machines
  dcube list fields --format markdown)",
    .define = define_list};

}  // namespace dcube::cli

// dcube list: the catalogue as a table.

#include "cli/commands/commands.hpp"
#include "cli/text/describe.hpp"
#include "cli/text/records.hpp"

#include <dcube/catalogue.hpp>

#include <fmt/format.h>

namespace dcube::cli {

namespace {

std::string markdown()
{
    std::string table = "| collective | algorithm | networks | links | ports | paper | what it does |\n"
                        "| --- | --- | --- | --- | --- | --- | --- |\n";
    for (const Algorithm& algorithm : catalogue()) {
        const std::string aliases = aliases_text(algorithm);
        table += fmt::format("| {} | `{}`{} | {} | {} | {} | {} | {} |\n", name(algorithm.collective), algorithm.name,
                             aliases.empty() ? "" : fmt::format(" ({})", aliases), name(algorithm.networks),
                             name(algorithm.link), name(algorithm.ports), algorithm.paper, algorithm.summary);
    }
    return table;
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
        text += "    " + wrapped(fmt::format("{}. {}", algorithm.paper, algorithm.summary), 4, 4);
    }
    return text;
}

}  // namespace

int execute(const ListCommand& command)
{
    switch (command.format) {
    case Format::json:
    case Format::csv: print(catalogue_record(command.format)); break;
    case Format::markdown: print(markdown()); break;
    case Format::text: print(for_reading()); break;
    }
    return 0;
}

}  // namespace dcube::cli

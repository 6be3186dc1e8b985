#include "cli/commands/vocabulary.hpp"

#include "base/names.hpp"
#include "cli/commands/record_keys.hpp"
#include "inspect/explain/lookup.hpp"

#include <dcube/link.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace dcube::cli {

namespace {

// "--detour-groups G"
std::string title_of(const CLI::Option& option, const std::string& name)
{
    return option.get_type_size() == 0 ? name : fmt::format("{} {}", name, option.get_type_name());
}

// An option that several commands have with the same meaning is one term.
void add_option_term(std::vector<Term>& all, const CLI::Option& option, const CLI::App& command)
{
    for (const std::string& long_name : option.get_lnames()) {
        Term term{
            "--" + long_name,   title_of(option, "--" + long_name), "an option",
            command.get_name(), option.get_description(),           fmt::format("dcube help {}", command.get_name())};
        const auto same = std::ranges::find_if(
            all, [&](const Term& one) { return one.title == term.title && one.meaning == term.meaning; });
        if (same == all.end())
            all.push_back(std::move(term));
        else
            same->where += ", " + command.get_name();
    }
}

std::vector<Term> option_terms(const CLI::App& program)
{
    std::vector<Term> all;
    for (const CLI::App* const command : program.get_subcommands({}))
        for (const CLI::Option* const option : command->get_options())
            if (option->nonpositional() && !option->get_group().empty())
                add_option_term(all, *option, *command);
    all.push_back({"--version", "--version", "an option", "", program.get_option("--version")->get_description(), ""});
    return all;
}

void add_commands(std::vector<Term>& all, const CLI::App& program)
{
    for (const CLI::App* const command : program.get_subcommands({}))
        all.push_back({command->get_name(), "dcube " + command->get_name(), "a command", "", command->get_description(),
                       fmt::format("dcube help {}", command->get_name())});
}

void add_keys(std::vector<Term>& all)
{
    for (KeyList& keys : all_keys())
        for (KeyRow& row : keys.rows) {
            std::string where = row.unit.empty() ? row.more : fmt::format("{}, in {}", row.more, row.unit);
            all.push_back(
                {row.key, row.key, fmt::format("a key of {}", keys.of), std::move(where), std::string(row.about), ""});
        }
}

void add_machines(std::vector<Term>& all)
{
    for (const MachinePreset& preset : machine_presets())
        all.push_back({std::string(preset.name), fmt::format("--machine {}", preset.name), "a machine", "",
                       fmt::format("tau {} ns a byte, beta {} ns a packet. Source: {}", to_string(preset.tau),
                                   to_string(preset.beta), preset.source),
                       fmt::format("dcube run broadcast --dim 4 --machine {}", preset.name)});
}

std::string_view without_hyphens(std::string_view name)
{
    return name.starts_with("--") ? name.substr(2) : name;
}

// "virtual-time"; empty where a shell would not take it as it stands: "|x|".
std::string as_word(std::string_view name)
{
    std::string word(name);
    std::ranges::replace(word, ' ', '-');
    return shell_word(word) == word ? word : "";
}

}  // namespace

std::vector<Term> terms(const CLI::App& app)
{
    const CLI::App& program = app.get_parent() != nullptr ? *app.get_parent() : app;
    std::vector<Term> all = option_terms(program);
    add_commands(all, program);
    add_keys(all);
    add_machines(all);
    return all;
}

bool is_called(const Term& term, std::string_view wanted)
{
    const std::string_view name = without_hyphens(term.name);
    const std::string_view asked = without_hyphens(wanted);
    return same_name(name, asked) || same_name(name.substr(name.rfind('.') + 1), asked);
}

std::vector<KnownName> known_names(const CLI::App& app)
{
    std::vector<KnownName> all;
    std::set<std::string> known;
    const auto add = [&](std::string_view name, std::string about) {
        std::string word = as_word(name);
        if (!word.empty() && known.insert(word).second)
            all.push_back({std::move(word), std::move(about)});
    };
    for (const explain::NamedText& one : explain::all_names())
        add(one.name, std::string(one.about));
    for (const Term& term : terms(app))
        add(without_hyphens(term.name.substr(term.name.rfind('.') + 1)), term.meaning);
    return all;
}

}  // namespace dcube::cli

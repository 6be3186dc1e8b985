#include "cli/prefixes.hpp"

#include "base/names.hpp"

#include <dcube/error.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace dcube::cli {

namespace {

// The long names of an option that has several are one name to a prefix.
std::string option_written_out(const CLI::App& app, const std::string& word)
{
    const std::string typed = word.substr(0, word.find('='));
    if (typed == "--" || app.get_option_no_throw(typed) != nullptr)
        return word;
    std::vector<std::string> names;
    for (const CLI::Option* const option : app.get_options()) {
        const std::vector<std::string>& own = option->get_lnames();
        const auto begun =
            std::ranges::find_if(own, [&](const std::string& name) { return ("--" + name).starts_with(typed); });
        if (begun != own.end())
            names.push_back("--" + *begun);
    }
    return name_meant(typed, std::vector<std::string_view>(names.begin(), names.end())) + word.substr(typed.size());
}

const CLI::App* command_named(const CLI::App& program, const std::string& name)
{
    for (const CLI::App* const command : program.get_subcommands({}))
        if (command->get_name() == name)
            return command;
    return nullptr;
}

std::vector<std::string_view> names_of_commands(const CLI::App& program)
{
    std::vector<std::string_view> names;
    for (const CLI::App* const command : program.get_subcommands({}))
        names.push_back(command->get_name());
    return names;
}

}  // namespace

std::string name_meant(std::string_view typed, std::span<const std::string_view> names)
{
    std::vector<std::string_view> begun;
    for (const std::string_view name : names) {
        if (name == typed)
            return std::string(typed);
        if (!typed.empty() && name.starts_with(typed))
            begun.push_back(name);
    }
    if (begun.size() > 1)
        throw InvalidArgument(fmt::format("{} is ambiguous: it begins {} and {}", quoted(typed),
                                          fmt::join(begun.begin(), begun.end() - 1, ", "), begun.back()));
    return std::string(begun.empty() ? typed : begun.front());
}

std::vector<std::string> written_out(const CLI::App& program, std::span<const std::string> words)
{
    std::vector<std::string> all(words.begin(), words.end());
    const CLI::App* app = &program;
    for (std::string& word : all) {
        if (word == "--")
            return all;
        if (word.starts_with("--")) {
            word = option_written_out(*app, word);
        } else if (app == &program && !word.starts_with('-')) {
            word = name_meant(word, names_of_commands(program));
            app = command_named(program, word);
            if (app == nullptr || app->get_allow_extras())  // the words of the launcher's commands are its own
                return all;
        }
    }
    return all;
}

}  // namespace dcube::cli

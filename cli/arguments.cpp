#include "cli/arguments.hpp"

#include "cli/launch.hpp"
#include "cli/output.hpp"
#include "cli/rank_options.hpp"
#include "cli/ranks.hpp"
#include "cli/shell/completion.hpp"
#include "cli/sweep.hpp"
#include "cli/text/help.hpp"
#include "cli/text/numbers.hpp"

#include <dcube/error.hpp>
#include <dcube/report.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <utility>

namespace dcube::cli {

namespace {

constexpr const char* examples = R"(Examples:
  dcube run all-to-all --dim 8 --bytes 4KiB
  dcube run broadcast --dim 10 --packets 100 --ports one --trace t.jsonl
  dcube verify t.jsonl
  dcube compare broadcast --dim 6 --bytes 1MiB --tau 1 --beta 1000
  dcube histogram --dim 4 --bins 16 --input LICENSE
  dcube info --topology torus:6x6
  dcube list
  dcube help run

Exit: 0 done and verified, 1 wrong result or broken rule, 2 wrong usage, 130 interrupted.)";

constexpr std::array formats{
    std::pair{Format::text, "text"},
    std::pair{Format::json, "json"},
    std::pair{Format::csv, "csv"},
    std::pair{Format::markdown, "markdown"},
};

std::vector<std::string_view> names_of(std::span<const Command* const> commands)
{
    std::vector<std::string_view> names;
    for (const Command* const one : commands)
        names.emplace_back(one->name);
    return names;
}

// Those that this program has, and not the launcher.
std::string own_names(std::span<const Command* const> commands)
{
    std::string names;
    for (const Command* const one : commands)
        if (std::string_view(one->heading) == commands.front()->heading)
            names += fmt::format("{}{}", names.empty() ? "" : ", ", one->name);
    return names;
}

// What CLI11 passes over: more behind --version or --help, and an option that ends with its "=".
void refuse_what_is_passed_over(int argc, const char* const* argv)
{
    const std::vector<std::string_view> words(argv + 1, argv + argc);
    const auto asks = [](std::string_view word) { return word == "--version" || word == "--help" || word == "-h"; };
    if (words.size() > 1 && asks(words.front()))
        throw InvalidArgument(fmt::format("{} cannot follow {}, which stands alone{}", dcube::quoted(words[1]),
                                          words.front(), words.front() == "--version" ? "" : ", or after a command"));
    for (const std::string_view word : words)
        if (word.starts_with("--") && word.ends_with('=') && word.find('=') == word.size() - 1)
            throw InvalidArgument(fmt::format("{} needs a value", word.substr(0, word.size() - 1)));
}

[[noreturn]] void refuse_stray(const std::string& stray, std::span<const Command* const> commands)
{
    if (stray.starts_with('-'))
        throw InvalidArgument(
            fmt::format("{} is not an option of dcube itself: expected --help or --version; other options follow "
                        "the command, e.g. dcube run all-to-all --dim 8",
                        dcube::quoted(stray)));
    throw InvalidArgument(unknown_name(stray, "a command", names_of(commands), own_names(commands)));
}

[[noreturn]] void refuse_extra(const std::string& extra, const CLI::App& command)
{
    const std::string& name = command.get_name();
    if (!extra.starts_with('-'))
        throw InvalidArgument(
            fmt::format("unexpected argument {} for {}: see dcube {} --help", dcube::quoted(extra), name, name));
    std::vector<std::string> options;
    for (const CLI::Option* option : command.get_options())
        if (option->nonpositional())
            options.push_back("--" + option->get_lnames().front());
    const std::vector<std::string_view> known(options.begin(), options.end());
    throw InvalidArgument(
        fmt::format("{} is not an option of {}: {}", dcube::quoted(extra), name,
                    suggestion(extra.substr(0, extra.find('=')), known, fmt::format("see dcube {} --help", name))));
}

void refuse_unknown_options(const CLI::App& app)
{
    for (const CLI::App* const command : app.get_subcommands())
        for (const std::string& extra : command->remaining())
            if (extra.starts_with('-'))
                refuse_extra(extra, *command);
}

// The option in "Could not convert: --dry-run = maybe".
std::string_view flag_named_by(std::string_view what)
{
    const std::string_view rest = what.substr(std::min(what.find("--"), what.size()));
    return rest.substr(0, rest.find(' '));
}

// What CLI11 found wrong, in our words.
[[noreturn]] void refuse(const CLI::App& app, const CLI::ParseError& error, std::span<const Command* const> commands)
{
    const std::string_view what = error.what();
    const std::string_view option = what.substr(0, what.find_first_of(": "));
    if (const std::vector<std::string> strays = app.remaining(); !strays.empty())
        refuse_stray(strays.front(), commands);
    if (app.get_subcommands().empty())
        throw InvalidArgument(
            fmt::format("a command is missing: expected one of {}; see dcube help", own_names(commands)));
    if (what.find(": At Most ") != std::string_view::npos)
        throw InvalidArgument(fmt::format("{} is given more than once: once is allowed", option));
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
        throw InvalidArgument(fmt::format("{} needs a value", option));
    if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr)
        throw InvalidArgument(fmt::format("{} takes no value", flag_named_by(what)));
    if (const std::size_t other = what.find(" excludes "); other != std::string_view::npos)
        throw InvalidArgument(fmt::format("{} and {} cannot be used together", option, what.substr(other + 10)));
    const CLI::App& command = *app.get_subcommands().front();
    if (command.remaining_size() > 0)
        refuse_extra(command.remaining().front(), command);
    throw InvalidArgument(error.what());
}

std::string& told_command_line()
{
    static std::string text;
    return text;
}

// Quoted where a shell would take it apart.
std::string shell_word(const std::string& word)
{
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+:,./@%^";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos)
        return word;
    return "'" + CLI::detail::find_and_replace(word, "'", "'\\''") + "'";
}

// An option's own value would look like a stray argument.
void refuse_option_as_value(const std::string& name, const std::string& given)
{
    if (given.starts_with("--"))
        throw InvalidArgument(fmt::format("{} needs a value, but {} follows", name, shortened(given)));
}

// --help is answered where it stands, before any value is looked at.
void add_help(CLI::App& app)
{
    app.set_help_flag();
    app.add_flag_callback(
           "-h,--help", [] { throw CLI::CallForHelp(); }, "show this help")
        ->trigger_on_parse();
}

}  // namespace

CLI::Option* add_option(CLI::App& app, const OptionText& text, std::function<void(const std::string&)> read)
{
    const std::string name = text.name;
    return app
        .add_option_function<std::string>(
            name,
            [name, read = std::move(read)](const std::string& given) {
                refuse_option_as_value(name, given);
                read(given);
            },
            text.help)
        ->type_name(text.value)
        ->group(text.heading);
}

CLI::Option* add_repeated_option(CLI::App& app, const OptionText& text, std::function<void(const std::string&)> read)
{
    const std::string name = text.name;
    return app
        .add_option_function<std::vector<std::string>>(
            name,
            [name, read = std::move(read)](const std::vector<std::string>& values) {
                for (const std::string& given : values) {
                    refuse_option_as_value(name, given);
                    read(given);
                }
            },
            text.help)
        ->allow_extra_args(false)
        ->type_name(text.value)
        ->group(text.heading);
}

CLI::Option* add_text(CLI::App& app, const OptionText& text, std::optional<std::string>& into)
{
    return add_option(app, text, [&into](const std::string& given) { into = given; });
}

CLI::Option* add_number(CLI::App& app, const OptionText& text, NumberRange allowed, std::optional<std::uint64_t>& into)
{
    return add_option(app, text, [name = text.name, allowed, &into](const std::string& given) {
        into = parse_number(name, given, allowed);
    });
}

CLI::Option* add_numbers(CLI::App& app, const OptionText& text, NumberRange allowed, std::vector<std::uint64_t>& into)
{
    return add_option(app, text, [name = text.name, allowed, &into](const std::string& given) {
        into = parse_numbers(name, given, allowed);
    });
}

CLI::Option* add_sizes(CLI::App& app, const OptionText& text, std::vector<std::size_t>& into)
{
    return add_option(app, text,
                      [name = text.name, &into](const std::string& given) { into = parse_sizes(name, given); });
}

CLI::Option* add_flag(CLI::App& app, const OptionText& text, bool& into)
{
    return app.add_flag(text.name, into, text.help)
        ->multi_option_policy(CLI::MultiOptionPolicy::Throw)
        ->group(text.heading);
}

CLI::Option* add_format(CLI::App& app, std::initializer_list<Format> known, Format& into)
{
    std::vector<std::pair<Format, std::string_view>> allowed;
    std::string list;
    for (const auto& [format, name] : formats) {
        if (std::ranges::find(known, format) == known.end())
            continue;
        allowed.emplace_back(format, name);
        list += fmt::format("{}{}", list.empty() ? "" : ", ", name);
    }
    const auto read = [allowed, list, &into](const std::string& given) {
        for (const auto& [format, name] : allowed)
            if (same_name(given, name)) {
                into = format;
                return;
            }
        throw InvalidArgument(
            fmt::format("--format {} is not possible here: expected one of {}", dcube::quoted(given), list));
    };
    CLI::Option* const option = add_option(app, {"--format", "FORMAT", "", "Output"}, read);
    return option->description(list + " [text]");
}

int run_command_line(int argc, const char* const* argv, std::span<const Command* const> commands)
{
    told_command_line() = "dcube";
    for (int i = 1; i < argc; ++i)
        told_command_line() += " " + shell_word(argv[i]);
    CLI::App app("dcube: a hypercube machine in software. It runs optimal collectives on real bytes, counts every step "
                 "and packet, and verifies the result.",
                 "dcube");
    add_help(app);
    app.set_version_flag("--version", fmt::format("dcube {}", version()), "the program's version");
    app.formatter(std::make_shared<HelpFormatter>("COMMAND [OPTIONS]"));
    app.footer(examples);
    app.require_subcommand(1);
    std::map<std::string, std::function<int()>> executions;
    for (const Command* const one : commands) {
        CLI::App& command = *app.add_subcommand(one->name, one->summary)->group(one->heading);
        add_help(command);
        command.formatter(std::make_shared<HelpFormatter>(one->usage));
        command.footer(one->footer);
        executions[one->name] = one->define(command);
    }
    if (argc > 1 && argv[1] == completion_request) {
        print(completion_lines(app, std::vector<std::string>(argv + 2, argv + argc)));
        return 0;
    }
    refuse_what_is_passed_over(argc, argv);
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        print(app.help());
        return 0;
    } catch (const CLI::CallForVersion&) {
        print(app.version() + "\n");
        return 0;
    } catch (const CLI::ParseError& error) {
        refuse(app, error, commands);
    } catch (const InvalidArgument&) {
        refuse_unknown_options(app);  // they come first: what looks like a wrong value may be theirs
        throw;
    }
    const std::string name = app.get_subcommands().front()->get_name();
    if (const std::optional<int> code = launch(launch_request(), argv))
        return *code;
    const auto command = std::ranges::find(commands, name, [](const Command* one) { return one->name; });
    return (*command)->over == Over::all_ranks || is_output_rank() ? executions.at(name)() : 0;
}

const std::string& command_line_text()
{
    return told_command_line();
}

}  // namespace dcube::cli

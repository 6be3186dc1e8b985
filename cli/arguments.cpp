#include "cli/arguments.hpp"

#include "cli/completion.hpp"
#include "cli/files/file_uses.hpp"
#include "cli/files/interrupt.hpp"
#include "cli/output.hpp"
#include "cli/program.hpp"
#include "cli/ranks.hpp"
#include "cli/sweep.hpp"
#include "cli/text/help.hpp"
#include "cli/text/version_text.hpp"
#include "run/question.hpp"

#include <dcube/error.hpp>

#include <CLI/CLI.hpp>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>

namespace dcube::cli {

namespace {

constexpr const char* examples = R"(Examples:
  dcube run all-to-all --dim 8 --bytes 4KiB
  dcube run broadcast --dim 10 --packets 100 --ports one --trace t.jsonl
  dcube verify t.jsonl
  dcube compare broadcast --dim 6 --bytes 1MiB --tau 1 --beta 1000

The script ./dcube in the source folder, which builds dcube, has other commands: {}.

Exit: 0 done and verified, 1 wrong result or broken rule, 2 wrong usage, 3 a gate of bench that cannot tell, 130 interrupted.)";

constexpr Spelling<Format> formats[]{
    {Format::text, "text"},
    {Format::json, "json"},
    {Format::csv, "csv"},
    {Format::markdown, "markdown"},
};

std::vector<std::string_view> names_of(std::span<const Command* const> commands)
{
    std::vector<std::string_view> names;
    for (const Command* const one : commands)
        names.emplace_back(one->name);
    return names;
}

std::vector<std::string_view> names_of_launcher()
{
    std::vector<std::string_view> names;
    for (const Command& one : launcher_commands())
        names.emplace_back(one.name);
    return names;
}

// The names of this program's own commands, without those of the launcher.
std::string own_names(std::span<const Command* const> commands)
{
    std::string names;
    for (const Command* const one : commands)
        if (*one->heading != '\0')
            names += fmt::format("{}{}", names.empty() ? "" : ", ", one->name);
    return names;
}

// Refuses what CLI11 ignores: words after --version or --help, and an option that ends with its "=".
void refuse_what_is_passed_over(std::span<const std::string> words)
{
    const auto asks = [](std::string_view word) { return word == "--version" || word == "--help" || word == "-h"; };
    if (words.size() > 1 && asks(words.front()))
        throw InvalidArgument(fmt::format("{} takes no arguments{}", words.front(),
                                          words.front() == "--version" ? "" : ": see dcube COMMAND --help"));
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

// Words after "--" are arguments, whatever they begin with.
enum class Kind : std::uint8_t { option, argument };

[[noreturn]] void refuse_extra(const std::string& extra, Kind kind, const CLI::App& command)
{
    const std::string& name = command.get_name();
    if (kind == Kind::argument)
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
        for (const std::string& extra : command->remaining()) {
            if (extra == "--")
                break;
            if (extra.starts_with('-'))
                refuse_extra(extra, Kind::option, *command);
        }
}

bool is_flag(const CLI::Option& option)
{
    return option.get_items_expected_max() == 0;
}

// The option that a word names: "--dim" or "--dim=3".
const CLI::Option* option_named(const CLI::App& command, std::string_view word)
{
    if (!word.starts_with('-'))
        return nullptr;
    return command.get_option_no_throw(std::string(word.substr(0, word.find('='))));
}

void refuse_repeated(const CLI::App& command)
{
    for (const CLI::Option* const option : command.get_options())
        if (static_cast<int>(option->results().size()) > std::max(1, option->get_items_expected_max()))
            throw InvalidArgument(fmt::format("{} is given more than once: once is allowed", option->get_name()));
}

// Only the last option of a line can lack its value: the others take what follows.
void refuse_lack_of_value(const CLI::App& command, std::span<const std::string> words)
{
    const CLI::Option* last = nullptr;
    for (const std::string& word : words)
        if (const CLI::Option* const option = option_named(command, word))
            last = option;
    if (last != nullptr)
        throw InvalidArgument(fmt::format("{} needs a value", last->get_name()));
}

// CLI11 takes --dry-run=false for --dry-run, and answers --help=3.
void refuse_value_of_flag(const CLI::App& app, std::span<const std::string> words)
{
    const CLI::App* command = &app;
    for (const CLI::App* const one : app.get_subcommands({}))
        if (!words.empty() && one->get_name() == words.front())
            command = one;
    for (const std::string& word : words)
        if (const CLI::Option* const option = option_named(*command, word);
            option != nullptr && is_flag(*option) && word.find('=') != std::string_view::npos)
            throw InvalidArgument(fmt::format("{} takes no value", option->get_name()));
}

std::string name_of_given(const CLI::Option& option)
{
    return option.nonpositional() ? option.get_name() : "the argument " + option.get_name();
}

void refuse_excluded(const CLI::App& command)
{
    for (const CLI::Option* const option : command.get_options())
        for (const CLI::Option* const other : option->get_excludes())
            if (!option->empty() && !other->empty())
                throw InvalidArgument(
                    fmt::format("{} and {} cannot be used together", name_of_given(*option), name_of_given(*other)));
}

void refuse_needy(const CLI::App& command)
{
    for (const CLI::Option* const option : command.get_options())
        for (const CLI::Option* const other : option->get_needs())
            if (!option->empty() && other->empty())
                throw InvalidArgument(fmt::format("{} needs {}{}{}", option->get_name(), other->get_name(),
                                                  is_flag(*other) ? "" : " ", other->get_type_name()));
}

// Reports an error of CLI11's in dcube's words. The error has only the kind of mistake; the options show which of them
// it concerns.
[[noreturn]] void refuse(const CLI::App& app, const CLI::ParseError& error, std::span<const std::string> words,
                         std::span<const Command* const> commands)
{
    if (const std::vector<std::string> strays = app.remaining(); !strays.empty())
        refuse_stray(strays.front(), commands);
    if (app.get_subcommands().empty())
        throw InvalidArgument(
            fmt::format("a command is missing: expected one of {}; see dcube help", own_names(commands)));
    const CLI::App& command = *app.get_subcommands().front();
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
        refuse_repeated(command);
        refuse_lack_of_value(command, words);
    }
    if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr)
        refuse_excluded(command);
    if (dynamic_cast<const CLI::RequiresError*>(&error) != nullptr)
        refuse_needy(command);
    if (const std::vector<std::string> extras = command.remaining(); !extras.empty()) {
        const bool marked = extras.front() == "--" && extras.size() > 1;
        const bool is_option = !marked && extras.front().starts_with('-');
        refuse_extra(extras[marked ? 1 : 0], is_option ? Kind::option : Kind::argument, command);
    }
    throw InvalidArgument(error.what());
}

// The words of the command line that is being executed, without the program's name.
std::vector<std::string>& words_of_line()
{
    static std::vector<std::string> words;
    return words;
}

/// An option that gives a key besides the key's own one, or in its place.
struct OptionOfKey {
    std::string_view key;
    std::string_view option;
};

constexpr OptionOfKey options_of_keys[] = {
    {"collective", "--collective"}, {"topology", "--topology"},  {"topology", "--dim"},
    {"link_model", "--link"},       {"link_model", "--machine"}, {"link_model", "--tau"},
};

// Otherwise the next option would be taken as the value, and its own value as a stray argument.
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

OptionText text_for(const Key& key)
{
    return {option_of(key.key), std::string(key.placeholder), key.help(), std::string(name(key.group))};
}

const Key* key_of(std::string_view option)
{
    const auto found = std::ranges::find(question_keys(), option, [](const Key& key) { return option_of(key.key); });
    return found == question_keys().end() ? nullptr : &*found;
}

CLI::Option* add_option(CLI::App& app, const OptionText& text, std::function<void(const std::string&)> read)
{
    return app
        .add_option_function<std::string>(
            text.name,
            [name = text.name, read = std::move(read)](const std::string& given) {
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

CLI::Option* add_file(CLI::App& app, const OptionText& text, std::optional<std::string>& into, const char* printed)
{
    return add_option(app, text, [name = text.name, printed, &into](const std::string& given) {
        reject_if(given.empty(), fmt::format("{} '' is not a file's name", name));
        if (printed != nullptr && given == "-")
            throw InvalidArgument(fmt::format("{} - is not allowed: standard output carries {}", name, printed));
        if (printed != nullptr)
            note_written(name, given);
        into = given;
    });
}

CLI::Option* add_folder(CLI::App& app, const OptionText& text, std::optional<std::string>& into)
{
    return add_option(app, text, [name = text.name, &into](const std::string& given) {
        reject_if(given.empty(), fmt::format("{} '' is not a folder's name", name));
        into = given;
    });
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

CLI::Option* add_flag(CLI::App& app, const OptionText& text, bool& into)
{
    return app.add_flag(text.name, into, text.help)
        ->multi_option_policy(CLI::MultiOptionPolicy::Throw)
        ->group(text.heading);
}

CLI::Option* add_format(CLI::App& app, std::initializer_list<Format> known, Format& into)
{
    std::vector<Spelling<Format>> table;
    for (const Spelling<Format>& one : formats)
        if (std::ranges::find(known, one.value) != known.end())
            table.push_back(one);
    const auto read = [table, what = fmt::format("a format of {}", app.get_name()), &into](const std::string& given) {
        into = about("--format", [&] { return parsed(table, given, what); });
    };
    CLI::Option* const option =
        add_option(app, {"--format", "FORMAT", "", "Output"}, read)->description(names(table) + " [text]");
    if (std::ranges::find(known, Format::json) != known.end())
        add_json(app, [&into] { into = Format::json; });
    return option;
}

void add_json(CLI::App& app, std::function<void()> choose)
{
    app.add_flag_callback("--json", std::move(choose), "the same as --format json")
        ->multi_option_policy(CLI::MultiOptionPolicy::Throw)
        ->group("Output");
    exclude(app, "--json", {"--format"});
}

void add_verbose(CLI::App& app, Rows& into)
{
    app.add_flag_callback(
           "--verbose", [&into] { into = Rows::all; }, "print the whole report, with reasons")
        ->multi_option_policy(CLI::MultiOptionPolicy::Throw)
        ->group("Output");
    exclude(app, "--verbose", {"--format", "--json"});
}

void add_quiet(CLI::App& app)
{
    add_flag(app, {"-q,--quiet", "", "print nothing but errors", "Output"}, is_quiet());
    for (const char* const printed : {"--format", "--json", "--verbose", "--explain", "--print-request"})
        if (app.get_option_no_throw(printed) != nullptr)
            exclude(app, "--quiet", {printed});
}

void exclude(CLI::App& app, const char* option, std::initializer_list<const char*> others)
{
    for (const char* const other : others)
        app.get_option(option)->excludes(app.get_option(other));
}

void need(CLI::App& app, const char* option, const char* other)
{
    app.get_option(option)->needs(app.get_option(other));
}

std::vector<std::string> given_options(const CLI::App& app)
{
    std::vector<std::string> names;
    for (const CLI::Option* const option : app.parse_order())
        names.push_back(option->get_name());
    return names;
}

void reject_if(bool contradicts, const std::string& what)
{
    if (contradicts)
        throw InvalidArgument(what);
}

int run_command_line(int argc, const char* const* argv, std::span<const Command* const> commands)
{
    rank_options() = {};
    is_quiet() = false;
    begin_file_uses();
    CLI::App app("dcube: a hypercube machine in software. It runs optimal collectives on real bytes, counts every step "
                 "and packet, and verifies the result.",
                 "dcube");
    add_help(app);
    app.set_version_flag("--version", version_text, "versions of dcube, its formats, its compiler, ...");
    app.formatter(std::make_shared<HelpFormatter>("COMMAND [OPTIONS]"));
    app.footer(fmt::format(examples, fmt::join(names_of_launcher(), ", ")));
    app.require_subcommand(1);
    std::map<std::string, Execution> executions;
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
    words_of_line().assign(argv + std::min(argc, 1), argv + argc);
    const std::vector<std::string>& words = words_of_line();
    refuse_what_is_passed_over(words);
    refuse_value_of_flag(app, words);
    try {
        app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    } catch (const CLI::CallForHelp&) {
        print(app.help());
        return 0;
    } catch (const CLI::CallForVersion&) {
        print(app.version());
        return 0;
    } catch (const CLI::ParseError& error) {
        refuse(app, error, words, commands);
    } catch (const InvalidArgument&) {
        refuse_unknown_options(app);  // they come first: what looks like a wrong value may be theirs
        throw;
    }
    const std::string name = app.get_subcommands().front()->get_name();
    become_ranks(argv);
    const auto command = std::ranges::find(commands, name, [](const Command* one) { return one->name; });
    if ((*command)->over == Over::first_rank && !is_output_rank())
        return 0;
    Interrupt interrupt;
    return executions.at(name)(interrupt);
}

std::string command_line_text()
{
    std::string text = "dcube";
    for (const std::string& word : words_of_line())
        text += " " + shell_word(word);
    return text;
}

const std::vector<std::string>& command_words()
{
    return words_of_line();
}

std::string given_option(std::string_view key)
{
    const auto is_given = [](const OptionOfKey& one) {
        return std::ranges::any_of(words_of_line(),
                                   [&](std::string_view word) { return word.substr(0, word.find('=')) == one.option; });
    };
    for (const OptionOfKey& one : options_of_keys)
        if (one.key == key && is_given(one))
            return std::string(one.option);
    return option_of(key);
}

}  // namespace dcube::cli

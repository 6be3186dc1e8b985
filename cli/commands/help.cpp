// dcube help: the text of --help, for dcube or one of its commands; manual pages, and scripts for completion.

#include "cli/text/help.hpp"
#include "cli/arguments.hpp"
#include "cli/completion.hpp"
#include "cli/files/files.hpp"
#include "cli/output.hpp"

#include <dcube/error.hpp>
#include <dcube/version.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dcube::cli {

namespace {

constexpr std::string_view section = "1";

// "dcube-run", "dcube": what the page is called.
std::string manual_name(const CLI::App& page, const CLI::App& program)
{
    return &page == &program ? program.get_name() : fmt::format("{}-{}", program.get_name(), page.get_name());
}

// Text as roff takes it: no character of it is a command.
std::string plain(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        switch (c) {
        case '\\': out += "\\e"; break;
        case '-': out += "\\-"; break;
        case '\'': out += "\\(aq"; break;
        case '`': out += "\\(ga"; break;
        case '^': out += "\\(ha"; break;
        case '~': out += "\\(ti"; break;
        default: out += c;
        }
    }
    return out.starts_with('.') ? "\\&" + out : out;
}

std::string bold(std::string_view text)
{
    return fmt::format("\\fB{}\\fR", plain(text));
}

std::string entry(const std::string& label, std::string_view meaning)
{
    return fmt::format(".TP\n{}\n{}\n", label, plain(meaning));
}

// "--dim D": what is typed is bold, what stands for a value is not.
std::string label_of(const CLI::Option& option)
{
    if (option.get_positional())
        return fmt::format("\\fI{}\\fR", plain(option.get_name()));
    std::vector<std::string> names;
    for (const std::string& name : option.get_snames())
        names.push_back(bold("-" + name));
    for (const std::string& name : option.get_lnames())
        names.push_back(bold("--" + name));
    const std::string value =
        option.get_type_size() == 0 ? "" : fmt::format(" \\fI{}\\fR", plain(option.get_type_name()));
    return fmt::format("{}{}", fmt::join(names, ", "), value);
}

std::string options_under(const CLI::App& page, const std::string& heading)
{
    std::string text;
    for (const CLI::Option* const option : page.get_options())
        if (option->nonpositional() && option->get_group() == heading)
            text += entry(label_of(*option), option->get_description());
    return text;
}

std::string arguments(const CLI::App& page)
{
    std::string text;
    for (const CLI::Option* const option : page.get_options())
        if (option->get_positional())
            text += entry(label_of(*option), option->get_description());
    return text.empty() ? "" : ".SH ARGUMENTS\n" + text;
}

std::string options(const CLI::App& page)
{
    std::string text = ".SH OPTIONS\n" + options_under(page, "Options");
    for (const std::string& heading : page.get_groups())
        if (const std::string under = heading.empty() || heading == "Options" ? "" : options_under(page, heading);
            !under.empty())
            text += fmt::format(".SS {}\n{}", plain(heading), under);
    return text;
}

std::string commands(const CLI::App& page, const CLI::App& program)
{
    std::string text;
    for (const CLI::App* const command : page.get_subcommands({}))
        text += entry(fmt::format("\\fB{}\\fR({})", plain(manual_name(*command, program)), section),
                      command->get_description());
    return text.empty() ? "" : ".SH COMMANDS\n" + text;
}

// A page's footer: its examples, then what else there is to say. Lines that begin with a space stay as they are.
std::string footer(std::string_view text)
{
    constexpr std::string_view exit_codes = "Exit: ";
    enum { nowhere, in_examples, in_notes } place = nowhere;
    std::string out;
    bool verbatim = false;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        if (line.starts_with(' ') != verbatim)
            out += verbatim ? ".EE\n" : ".EX\n";
        verbatim = line.starts_with(' ');
        if (line == "Examples:") {
            out += ".SH EXAMPLES\n";
            place = in_examples;
        } else if (line.starts_with(exit_codes)) {
            out += fmt::format(".SH EXIT STATUS\n{}\n", plain(line.substr(exit_codes.size())));
        } else if (!line.empty()) {
            if (!verbatim && place == in_examples)
                out += ".SH NOTES\n";
            else if (!verbatim)
                out += ".PP\n";
            place = verbatim ? place : in_notes;
            out += plain(line) + "\n";
        }
    }
    return verbatim ? out + ".EE\n" : out;
}

std::string see_also(const CLI::App& page, const CLI::App& program)
{
    std::vector<std::string> others;
    for (const CLI::App* const command : program.get_subcommands({}))
        if (command != &page)
            others.push_back(manual_name(*command, program));
    std::ranges::sort(others);
    if (&page != &program)
        others.insert(others.begin(), manual_name(program, program));
    std::string text = ".SH SEE ALSO\n";
    for (const std::string& other : others)
        text += fmt::format(".BR {} ({}){}\n", plain(other), section, &other == &others.back() ? "" : " ,");
    return text;
}

// The manual page of `program` or of one of its commands, in roff: "dcube-run.1".
std::string manual_page(const CLI::App& page, const CLI::App& program)
{
    const std::string name = manual_name(page, program);
    std::string title = name;
    std::ranges::transform(title, title.begin(), [](char c) { return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c; });
    const auto formatter = std::dynamic_pointer_cast<const HelpFormatter>(page.get_formatter());
    const bool whole = &page == &program;
    return fmt::format(".TH {} {} \"\" \"dcube {}\" \"dcube's manual\"\n", plain(title), section, version()) +
           fmt::format(".SH NAME\n{} \\- {}\n", plain(name),
                       plain(whole ? "a hypercube machine in software" : page.get_description())) +
           fmt::format(".SH SYNOPSIS\n{} {}\n", bold(program.get_name()), plain(formatter->usage())) +
           (whole ? fmt::format(".SH DESCRIPTION\n{}\n", plain(page.get_description())) : "") +
           commands(page, program) + arguments(page) + options(page) + footer(page.get_footer()) +
           see_also(page, program);
}

const CLI::App& command_named(const CLI::App& program, const std::string& name)
{
    std::vector<std::string_view> known;
    for (const CLI::App* const command : program.get_subcommands({}))
        known.push_back(command->get_name());
    for (const CLI::App* const command : program.get_subcommands({}))
        if (command->get_name() == name)
            return *command;
    throw InvalidArgument(unknown_name(name, "a command", known, fmt::format("{}", fmt::join(known, ", "))));
}

struct HelpOptions {
    std::optional<std::string> command;
    std::optional<std::string> folder;
    std::string_view script;
};

// dcube.1, dcube-run.1 and so on.
void write_manual(const CLI::App& program, const std::string& folder)
{
    std::vector<const CLI::App*> pages{&program};
    for (const CLI::App* const command : program.get_subcommands({}))
        pages.push_back(command);
    for (const CLI::App* const page : pages) {
        NewFile file(fmt::format("{}/{}.1", folder, manual_name(*page, program)));
        file.write(manual_page(*page, program));
        file.commit();
    }
}

void help(const HelpOptions& options, const CLI::App& program)
{
    if (options.folder)
        return write_manual(program, *options.folder);
    if (!options.script.empty())
        return print(options.script);
    const CLI::App& asked = options.command ? command_named(program, *options.command) : program;
    print(asked.get_formatter()->make_help(&asked, "", CLI::AppFormatMode::Normal));
}

Execution define_help(CLI::App& app)
{
    const auto options = std::make_shared<HelpOptions>();
    add_text(app, {"COMMAND", "", "the command to explain"}, options->command);
    add_choice(app, {"--completion", "bash|zsh|fish", "print the shell's script for completion", "Output"},
               completion_scripts, "a shell", options->script);
    add_folder(app, {"--man-pages", "FOLDER", "write all manual pages there: dcube.1, ...", "Output"}, options->folder);
    exclude(app, "--completion", {"COMMAND", "--man-pages"});
    exclude(app, "--man-pages", {"COMMAND"});
    const CLI::App* const program = app.get_parent();
    return [options, program](Interrupt&) {
        help(*options, *program);
        return 0;
    };
}

}  // namespace

extern const Command help_command{.name = "help",
                                  .usage = "help [COMMAND] [OPTIONS]",
                                  .summary = "help for dcube or one of its commands",
                                  .footer = R"(Examples:
  dcube help
  dcube help run
  source <(dcube help --completion bash)
  dcube help --completion fish | source

cmake --install installs the manual pages, and the scripts of all shells. These ask dcube itself, and complete )"
                                            R"(commands, options, collectives, and the algorithms of the given one.)",
                                  .define = define_help};

}  // namespace dcube::cli

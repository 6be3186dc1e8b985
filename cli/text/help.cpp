#include "cli/text/help.hpp"

#include "cli/text/describe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace dcube::cli {

namespace {

constexpr std::size_t option_width = 26;

// A label and what it means, in two columns.
std::string two_columns(const std::string& label, std::string_view meaning)
{
    const std::string text = fmt::format("  {:<{}}", label, option_width - 2);
    const bool fits = label.size() + 2 < option_width;
    return (fits ? text : text + "\n" + std::string(option_width, ' ')) +
           wrapped(meaning, option_width, option_width, terminal_width());
}

std::string paragraphs(std::string_view text)
{
    std::string lines;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        lines += line.starts_with(' ') ? std::string(line) + "\n" : wrapped(line, 0, 0, terminal_width());
    }
    return lines;
}

}  // namespace

HelpFormatter::HelpFormatter(std::string usage) : usage_(std::move(usage))
{
    label("Positionals", "Arguments");
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const
{
    return CLI::detail::find_and_replace(Formatter::make_help(app, std::move(name), mode), "\n\n\n", "\n\n");
}

std::string HelpFormatter::make_description(const CLI::App* app) const
{
    return paragraphs(app->get_description());
}

std::string HelpFormatter::make_footer(const CLI::App* app) const
{
    return paragraphs(app->get_footer());
}

std::string HelpFormatter::make_usage(const CLI::App*, std::string) const
{
    return fmt::format("\nUsage: dcube {}\n", usage_);
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool positional) const
{
    const std::string value = option->get_type_size() == 0 ? "" : " " + option->get_type_name();
    return two_columns(positional ? option->get_name(true, false) : option->get_name(false, true) + value,
                       option->get_description());
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const
{
    return two_columns(command->get_name(), command->get_description());
}

}  // namespace dcube::cli

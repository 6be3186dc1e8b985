// dcube help: what --help says, of dcube or of one of its commands.

#include "cli/arguments.hpp"
#include "cli/output.hpp"

#include <dcube/error.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dcube::cli {

namespace {

const CLI::App& command_named(const CLI::App& program, const std::string& name)
{
    std::vector<std::string_view> known;
    for (const CLI::App* const command : program.get_subcommands({})) {
        if (command->get_name() == name)
            return *command;
        known.push_back(command->get_name());
    }
    throw InvalidArgument(unknown_name(name, "a command", known, fmt::format("{}", fmt::join(known, ", "))));
}

std::function<int()> define(CLI::App& app)
{
    const auto name = std::make_shared<std::optional<std::string>>();
    add_text(app, {"COMMAND", "", "the command to be explained"}, *name);
    const CLI::App* const program = app.get_parent();
    return [name, program] {
        const CLI::App& asked = *name ? command_named(*program, **name) : *program;
        print(asked.get_formatter()->make_help(&asked, "", CLI::AppFormatMode::Normal));
        return 0;
    };
}

}  // namespace

extern const Command help_command{.name = "help",
                                  .usage = "help [COMMAND]",
                                  .summary = "what dcube or one of its commands can do",
                                  .footer = R"(Examples:
  dcube help
  dcube help run)",
                                  .define = define};

}  // namespace dcube::cli

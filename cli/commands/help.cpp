// dcube help: what --help says, of dcube or of one of its commands, on the screen or as a manual page.

#include "cli/arguments.hpp"
#include "cli/files/files.hpp"
#include "cli/output.hpp"
#include "cli/shell/manual.hpp"

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

struct HelpOptions {
    std::optional<std::string> command;
    bool manual = false;
    std::optional<std::string> folder;
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
    if (options.folder) {
        if (options.command || options.manual)
            throw InvalidArgument("--man-pages writes all pages: it cannot be combined with a command or --man");
        return write_manual(program, *options.folder);
    }
    const CLI::App& asked = options.command ? command_named(program, *options.command) : program;
    print(options.manual ? manual_page(asked, program)
                         : asked.get_formatter()->make_help(&asked, "", CLI::AppFormatMode::Normal));
}

std::function<int()> define_help(CLI::App& app)
{
    const auto options = std::make_shared<HelpOptions>();
    add_text(app, {"COMMAND", "", "the command to be explained"}, options->command);
    add_flag(app, {"--man", "", "as a manual page, for man -l -", "Output"}, options->manual);
    add_text(app, {"--man-pages", "FOLDER", "gets all manual pages: dcube.1, dcube-run.1, ..", "Output"},
             options->folder);
    const CLI::App* const program = app.get_parent();
    return [options, program] {
        help(*options, *program);
        return 0;
    };
}

}  // namespace

extern const Command help_command{.name = "help",
                                  .usage = "help [COMMAND] [OPTIONS]",
                                  .summary = "what dcube or one of its commands can do",
                                  .footer = R"(Examples:
  dcube help
  dcube help run
  dcube help run --man)",
                                  .define = define_help};

}  // namespace dcube::cli

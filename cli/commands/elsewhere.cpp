// The program dcube: the commands that are its own (cli/program.cpp), and for those of dcube-tools that program, which
// takes this one's place before it reads the command line.

#include "cli/arguments.hpp"
#include "cli/commands/tools.hpp"
#include "cli/completion.hpp"
#include "cli/launch.hpp"
#include "cli/output.hpp"
#include "cli/program.hpp"

#include <dcube/error.hpp>
#include <dcube/program.hpp>

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace dcube::cli {

namespace {

constexpr Command elsewhere(const tools::Text& text)
{
    return {.name = text.name, .usage = text.usage, .summary = text.summary, .footer = "", .define = [](CLI::App&) {
                return Execution();
            }};  // never called
}

constexpr const tools::Text* texts[]{&tools::bench, &tools::limits, &tools::view, &tools::lab, &tools::exports};

bool is_tool(std::string_view word)
{
    return std::ranges::any_of(texts, [&](const tools::Text* text) { return text->name == word; });
}

// Whether dcube-tools executes the command: its own commands, and help that needs their options. (--man alone does
// not.)
bool is_of_tools(std::span<char* const> words)
{
    if (words.empty())
        return false;
    const auto needs_tools = [](std::string_view word) { return word.starts_with("--man-pages") || is_tool(word); };
    const std::string_view command = words.front();
    return is_tool(command) || (command == "help" && std::ranges::any_of(words.subspan(1), needs_tools));
}

void execute_elsewhere(int argc, char** argv)
{
    const std::string command = argc > 1 ? argv[1] : "";
    const bool speaks_of_all = command == completion_request || command == "explain";
    if (!speaks_of_all && !is_of_tools({argv + 1, argv + std::max(argc, 1)}))
        return;
    const std::string program = program_beside("dcube-tools");
    if (!program.empty())
        execv(program.c_str(), argv);
    if (speaks_of_all)  // what this program knows is better than nothing
        return;
    throw InvalidArgument(program.empty()
                              ? fmt::format("{0} needs dcube-tools, which is not in the folder of this "
                                            "program; in dcube's source folder ./dcube {0} builds it",
                                            command)
                              : fmt::format("cannot start {}: {}", program, std::generic_category().message(errno)));
}

}  // namespace

extern const Command bench_command = elsewhere(tools::bench);
extern const Command limits_command = elsewhere(tools::limits);
extern const Command view_command = elsewhere(tools::view);
extern const Command lab_command = elsewhere(tools::lab);
extern const Command export_command = elsewhere(tools::exports);

}  // namespace dcube::cli

int main(int argc, char** argv)
{
    try {
        dcube::cli::execute_elsewhere(argc, argv);
    } catch (const dcube::InvalidArgument& error) {
        dcube::cli::complain(error.what());
        return 2;
    }
    return dcube::run_program({argv, argv + argc});
}

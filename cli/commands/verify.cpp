// dcube verify: opens the trace and prints what the judge says.

#include "cli/commands/commands.hpp"
#include "cli/text/colour.hpp"
#include "cli/text/records.hpp"
#include "cli/text/report_text.hpp"

#include <dcube/judge.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <system_error>

namespace dcube::cli {

namespace {

[[noreturn]] void cannot_read(const std::string& file, int error)
{
    throw InvalidArgument(fmt::format("cannot read '{}': {}", file, std::generic_category().message(error)));
}

Verdict judge_stream(std::istream& trace, const VerifyCommand& command)
{
    const Verdict verdict = judge_trace(trace, command.topology, command.ports, command.problem);
    if (trace.bad())
        cannot_read(command.file, EIO);
    return verdict;
}

Verdict judge_file(const VerifyCommand& command)
{
    if (command.file == "-") {
        std::ios::sync_with_stdio(false);
        return judge_stream(std::cin, command);
    }
    std::error_code ignored;
    if (std::filesystem::is_directory(command.file, ignored))  // can be opened, but not read
        cannot_read(command.file, EISDIR);
    std::ifstream trace(command.file, std::ios::binary);
    if (!trace)
        cannot_read(command.file, errno);
    return judge_stream(trace, command);
}

}  // namespace

int execute(const VerifyCommand& command)
{
    const Verdict verdict = judge_file(command);
    if (command.format == Format::json)
        print(verdict_record(verdict, command));
    else
        print(verdict_text(verdict, command, choose_colour(ColourWish::automatic)));
    return 0;
}

int execute(const Answer& answer)
{
    print(answer.text);
    return 0;
}

}  // namespace dcube::cli

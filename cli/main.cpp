// dcube: the program. Reads the command line, executes the command, and turns errors into one line and an exit code.

#include "cli/commands/commands.hpp"

#include <dcube/error.hpp>

#include <algorithm>
#include <cstdio>
#include <new>
#include <string>
#include <system_error>
#include <variant>

namespace {

enum Exit : int { failed = 1, unusable = 2, interrupted = 130 };

int guarded_main(int argc, const char* const* argv)
{
    return std::visit([](const auto& command) { return dcube::cli::execute(command); },
                      dcube::cli::parse_command_line(argc, argv));
}

}  // namespace

void dcube::cli::print(std::string_view text)
{
    const std::size_t written = std::fwrite(text.data(), 1, text.size(), stdout);
    if (written != text.size() || std::fflush(stdout) != 0)
        throw InvalidArgument("cannot write to standard output");
}

void dcube::cli::complain(std::string_view message)
{
    std::string line = "dcube: " + std::string(message);
    std::ranges::replace_if(
        line, [](unsigned char c) { return c < ' ' || c == 0x7f; }, '?');
    line += '\n';
    std::fwrite(line.data(), 1, line.size(), stderr);
}

int main(int argc, char** argv)
{
    using dcube::cli::complain;
    try {
        return guarded_main(argc, argv);
    } catch (const dcube::InvalidArgument& error) {
        complain(error.what());
        return unusable;
    } catch (const dcube::Interrupted& error) {
        complain(error.what());
        return interrupted;
    } catch (const std::bad_alloc&) {
        complain("out of memory");
        return unusable;
    } catch (const std::system_error& error) {
        complain(error.what());
        return unusable;
    } catch (const std::exception& error) {
        complain(error.what());
        return failed;
    }
}

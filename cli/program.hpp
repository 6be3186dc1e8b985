#pragma once
// The program: lists the commands, executes the one that is asked for, and turns errors into one line and an exit code.

#include <functional>
#include <span>
#include <string>

namespace dcube::cli {

/// The exit code of a command line, and the error that it ended with, of which rank 0 has complained.
struct End {
    int code = 0;
    std::string why{};
};

struct Command;

/// The commands of ./dcube, the script.
std::span<const Command> launcher_commands();

/// Calls first(), and executes a command line.
End execute(int argc, const char* const* argv, const std::function<void()>& first);

}  // namespace dcube::cli

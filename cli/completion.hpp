#pragma once
// The words that may follow on a command line. The shells' scripts ask for them, and the options as the commands
// declare them give the answer.

#include "base/names.hpp"

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace dcube::cli {

/// The first argument with which a shell's script asks for completions. The words of the command line follow it,
/// without the program's name.
inline constexpr std::string_view completion_request = "__complete";

/// Completions of the last word, which may be empty or only begun: a line for each, "all-to-all" or "--dim\tdimension
/// of the hypercube". The line ":files" stands for the names of files. Empty if no valid command line begins like this.
std::string completion_lines(const CLI::App& program, std::span<const std::string> words);

/// The scripts by which the shells complete, with the shells' names.
extern const std::array<Spelling<std::string_view>, 3> completion_scripts;

}  // namespace dcube::cli

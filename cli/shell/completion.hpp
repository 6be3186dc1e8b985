#pragma once
// What may follow on a command line: asked by the shells' scripts, answered from the options as the commands declare
// them.

#include <span>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace dcube::cli {

/// The first argument by which a shell's script asks; those of the command line follow, without the program's name.
inline constexpr std::string_view completion_request = "__complete";

/// What the last of the words, which may be empty or only begun, may become: a line for each, "all-to-all" or
/// "--dim\tdimension of the hypercube". A line ":files" says that it may be a file's name. Nothing for what cannot be
/// meant.
std::string completion_lines(const CLI::App& program, std::span<const std::string> words);

}  // namespace dcube::cli

#pragma once
// Names of commands and options of which only the beginning is typed.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace dcube::cli {

/// The name that `typed` stands for: itself if it is one of the names, else the only one that begins with it; `typed`
/// if none does. Throws InvalidArgument, with those there are, if several do.
std::string name_meant(std::string_view typed, std::span<const std::string_view> names);

/// The words of a command line, without the program's name, with its command and its options in full:
/// {"inf", "--topo=ring:6"} gives {"info", "--topology=ring:6"}. What begins no name stays as it is, as does all that
/// follows "--". Throws InvalidArgument for what begins several names.
std::vector<std::string> written_out(const CLI::App& program, std::span<const std::string> words);

}  // namespace dcube::cli

#pragma once
// One command's arguments as they were written, before anything is made of them.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace dcube::cli {

struct Arguments {
    std::string command;  ///< "run", "verify", "compare", "histogram", "list"
    std::map<std::string, std::string>
        options;  ///< "--dim" -> "8"; positionals by their names, "COLLECTIVE" -> "all-to-all"

    [[nodiscard]] bool has(const std::string& option) const { return options.contains(option); }
    [[nodiscard]] std::optional<std::string> text(const std::string& option) const;

    /// A whole number; `fallback` where the option is not there. Throws InvalidArgument with the range that is allowed.
    [[nodiscard]] std::uint64_t number(const std::string& option, std::uint64_t least, std::uint64_t most,
                                       std::uint64_t fallback) const;
};

/// Splits the command line; `answer` gets the text where it asks for help or the version.
/// Throws InvalidArgument: unknown commands and options, options given twice or without a value, too many arguments.
Arguments split_command_line(int argc, const char* const* argv, std::optional<std::string>& answer);

}  // namespace dcube::cli

#pragma once
// Everything that the program prints or takes and explains in a line: its commands and options, the keys of its
// records, the machines. Each is said where it is declared; nothing is said here. (What takes a page, and the words of
// the glossary, are in inspect/explain/.)

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}  // namespace CLI

namespace dcube::cli {

struct Term {
    std::string name;     ///< "--dim", "cells.median_seconds"
    std::string title;    ///< the name as it is used: "--dim D"
    std::string kind;     ///< "an option", "a key of reports"
    std::string where;    ///< the commands that have the option, the records that have the key; may be empty
    std::string meaning;  ///< without a full stop
    std::string see;      ///< a command that tells more; may be empty
};

/// `app` is the program, with all commands, or one of these.
std::vector<Term> terms(const CLI::App& app);

/// Whether the term has that name: an option with or without its hyphens, a key with or without those before it.
bool is_called(const Term& term, std::string_view wanted);

/// All names that dcube explain knows, each once, as a shell takes them ("virtual-time"), with what they mean.
struct KnownName {
    std::string text;
    std::string about;
};
std::vector<KnownName> known_names(const CLI::App& app);

}  // namespace dcube::cli

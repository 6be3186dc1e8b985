#pragma once
// Commands as the documents show them, and what they print.

#include "cli/arguments.hpp"
#include "cli/program.hpp"
#include "tests/docs/documents.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace dcube::test {

/// The words behind ./dcube, or none if the line is for another program.
inline std::vector<std::string> dcube_words(const std::string& line)
{
    std::vector<std::string> words = words_of(line);
    if (words.empty() || (words.front() != "./dcube" && words.front() != "dcube"))
        return {};
    words.erase(words.begin());
    return words;
}

/// The launcher's own commands, which build things, and dcube lab, for which it builds the module.
inline bool is_of_launcher(const std::vector<std::string>& words)
{
    if (words.empty())
        return false;
    if (words.front() == "lab")
        return std::ranges::find(words, "--print-request") == words.end();
    return std::ranges::any_of(cli::launcher_commands(),
                               [&](const cli::Command& command) { return command.name == words.front(); });
}

/// Runs a command that a document shows, in the folder that the process is in; nothing if it is not to be run. The
/// output of a demo is known from its folder, and tested there. Of other programs only a few that cut files are run.
inline std::optional<Outcome> outcome_of(const std::string& line)
{
    static const std::set<std::string> tools{"sed", "head", "cat"};
    const std::vector<std::string> words = dcube_words(line);
    if (words.size() == 2 && words.front() == "demo")
        return Outcome{0, read_text(source_path("demos/" + words.back() + "/expected.txt")), ""};
    if (is_of_launcher(words))
        return {};
    if (!words.empty())
        return dcube_program(words);
    if (!tools.contains(line.substr(0, line.find(' '))))
        return {};
    Start shell;
    shell.program = {"sh", "-c"};
    return dcube_program({line}, shell);
}

}  // namespace dcube::test

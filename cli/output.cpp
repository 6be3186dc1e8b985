#include "cli/output.hpp"

#include "cli/ranks.hpp"
#include "cli/text/progress.hpp"

#include <dcube/error.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>

namespace dcube::cli {

namespace {

// Shortens very long words, so that the reader finds the rest of a message whatever it quotes.
std::string without_endless_words(std::string_view text)
{
    constexpr std::size_t longest = 300;
    constexpr std::size_t shown = 100;
    std::string line;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        line += end > longest ? std::string(text.substr(0, shown)) + "..." : std::string(text.substr(0, end));
        const std::size_t spaces = std::min(text.find_first_not_of(' ', end), text.size());
        line += text.substr(end, spaces - end);
        text.remove_prefix(spaces);
    }
    return line;
}

}  // namespace

bool& is_quiet()
{
    static bool quiet = false;
    return quiet;
}

void print(std::string_view text)
{
    if (!is_output_rank() || is_quiet())
        return;
    const std::size_t written = std::fwrite(text.data(), 1, text.size(), stdout);
    if (written != text.size() || std::fflush(stdout) != 0)
        throw InvalidArgument("cannot write to standard output");
}

void complain(std::string_view message)
{
    if (!is_output_rank())
        return;
    std::string line = "dcube: " + without_endless_words(message);
    std::ranges::replace_if(
        line, [](unsigned char c) { return c < ' ' || c == 0x7f; }, '?');
    line += '\n';
    Progress::erase();
    std::fwrite(line.data(), 1, line.size(), stderr);
}

void note(std::string_view message)
{
    if (!is_quiet())
        complain(message);
}

}  // namespace dcube::cli

#include "cli/text/describe.hpp"

#include "base/numbers.hpp"
#include "cli/text/numbers.hpp"

#include <dcube/matrix.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace dcube::cli {

namespace {

constexpr std::size_t label_width = 15;

// Replaces the word once, in place: colours come after the layout, for their codes take no room on the screen.
std::string with_coloured(std::string text, std::string_view word, std::string_view coloured)
{
    const std::size_t place = text.find(word);
    return place == std::string::npos ? text : text.replace(place, word.size(), coloured);
}

bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// Whether this space stands between the digits of a number, 262 144: three digits follow, and no more.
bool inside_number(std::string_view text, std::size_t space)
{
    const std::string_view after = text.substr(space + 1, 4);
    const auto digits = static_cast<std::size_t>(std::ranges::find_if_not(after, is_digit) - after.begin());
    return space > 0 && is_digit(text[space - 1]) && digits == 3;
}

// Up to the first space that is not one inside a number.
std::string_view first_word(std::string_view text)
{
    std::size_t end = text.find(' ');
    while (end != std::string_view::npos && inside_number(text, end))
        end = text.find(' ', end + 1);
    return text.substr(0, end);
}

}  // namespace

std::string describe(const Topology& topology, PortModel ports)
{
    return fmt::format("{}, {}, {}", topology.title(), grouped(topology.members(), "node"),
                       ports == PortModel::all ? "all ports" : "one port");
}

std::string describe(const LinkModel& link)
{
    if (!link.bound())
        return "unit links";
    std::string machine;
    for (const MachinePreset& preset : machine_presets())
        if (preset.tau == link.tau && preset.beta == link.beta)
            machine = fmt::format("{}: ", preset.name);
    return fmt::format("{}tau {} a byte, beta {} a packet, {} clock", machine, time_text(link.tau),
                       time_text(link.beta), name(link.clock));
}

std::string time_text(const Rational& ns)
{
    const std::string whole = grouped(static_cast<std::uint64_t>(ns.numerator));
    return ns.denominator == 1 ? whole + " ns"
                               : fmt::format("{}/{} ns", whole, grouped(static_cast<std::uint64_t>(ns.denominator)));
}

std::string in_beta_text(const Rational& ns, const LinkModel& link)
{
    if (link.beta.numerator == 0)
        return "";
    return fmt::format("{:.4g} beta", ns.to_double() / link.beta.to_double());
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t start, std::size_t width)
{
    std::string lines;
    std::size_t column = start;
    while (!text.empty()) {
        const std::string_view word = first_word(text);
        text.remove_prefix(std::min(text.size(), word.size() + 1));
        const bool first = lines.empty();
        if (!first && column + 1 + word.size() > width) {
            lines += '\n';
            lines.append(indent, ' ');
            column = indent;
        } else if (!first) {
            lines += ' ';
            ++column;
        }
        lines += word;
        column += word.size();
    }
    return lines + "\n";
}

std::string row(std::string_view label, std::string_view text)
{
    return fmt::format("{:<{}}{}", label, label_width, wrapped(text, label_width, label_width));
}

std::string count_row(std::string_view label, std::uint64_t count, std::uint64_t bound, std::string_view reason,
                      Colour colour)
{
    if (count == bound)
        return with_coloured(row(label, fmt::format("{} (optimal: {})", grouped(count), reason)), "optimal",
                             green(colour, "optimal"));
    const std::string plain = fmt::format("{} (lower bound {}: {})", grouped(count), grouped(bound), reason);
    return with_coloured(row(label, plain), "lower", yellow(colour, "lower"));
}

}  // namespace dcube::cli

#include "cli/text/describe.hpp"

#include "base/lines.hpp"
#include "base/numbers.hpp"

#include <dcube/matrix.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace dcube::cli {

namespace {

constexpr std::size_t label_width = 15;
constexpr std::size_t usual_width = 80;
constexpr std::size_t narrowest = 40;
constexpr std::int64_t decimals_unit = 1'000'000;  // of a time that six decimals hold exactly
constexpr std::size_t widest_terminal = 10'000;    // more is no width of anything that is looked at

// Replaces the word once, in place: colours come after the layout, for their codes take no room on the screen.
std::string with_coloured(std::string text, std::string_view word, std::string_view coloured)
{
    const std::size_t place = text.find(word);
    return place == std::string::npos ? text : text.replace(place, word.size(), coloured);
}

}  // namespace

std::string describe(const Topology& topology, PortModel ports)
{
    return fmt::format("{}, {}, {}", topology.title(), grouped(topology.members(), "node"),
                       ports == PortModel::all ? "all ports" : "one port");
}

std::string recognised_line(const Topology& topology)
{
    const Recognition* const known = topology.recognised();
    if (!known)
        return "";
    return wrapped(fmt::format("{} is {}{}, and gets its algorithms and bounds", topology.name(), known->network.name(),
                               known->renames() ? " under other numbers" : ""));
}

std::string describe(const LinkModel& link, const Topology& topology)
{
    if (!link.bound())
        return "unit links";
    if (topology.times_all_links())
        return fmt::format("each with its own times, {} clock", name(link.clock));
    std::string machine;
    for (const MachinePreset& preset : machine_presets())
        if (preset.tau == link.tau && preset.beta == link.beta)
            machine = fmt::format("{}: ", preset.name);
    const std::size_t own = topology.fabric().links.size();
    return fmt::format("{}tau {} per byte, beta {} per packet{}, {} clock{}", machine, time_text(link.tau),
                       time_text(link.beta), own > 0 ? fmt::format(", {} with own times", grouped(own, "link")) : "",
                       name(link.clock), link.duplex == Duplex::half ? ", half duplex" : "");
}

std::string time_text(const Rational& ns)
{
    const auto whole = static_cast<std::uint64_t>(ns.numerator / ns.denominator);
    if (ns.denominator == 1)
        return grouped(whole) + " ns";
    if (decimals_unit % ns.denominator != 0)
        return fmt::format("{}/{} ns", grouped(static_cast<std::uint64_t>(ns.numerator)),
                           grouped(static_cast<std::uint64_t>(ns.denominator)));
    const std::int64_t rest = ns.numerator % ns.denominator * (decimals_unit / ns.denominator);
    std::string decimals = fmt::format("{:06}", rest);
    decimals.erase(decimals.find_last_not_of('0') + 1);
    return fmt::format("{}.{} ns", grouped(whole), decimals);
}

std::string in_beta_text(const Rational& ns, const LinkModel& link)
{
    if (link.beta.numerator == 0)
        return "";
    return fmt::format("{:.4g} beta", ns.to_double() / link.beta.to_double());
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t start, std::size_t width)
{
    const auto room_from = [&](std::size_t column) { return width - std::min(width, column); };
    const std::string gap = "\n" + std::string(indent, ' ');
    return fmt::format("{}\n", fmt::join(in_lines(text, room_from(indent), room_from(start)), gap));
}

std::string row(std::string_view label, std::string_view text)
{
    return fmt::format("{:<{}}{}", label, label_width, wrapped(text, label_width, label_width));
}

std::string count_row(std::string_view label, std::uint64_t count, std::uint64_t bound, std::string_view reason,
                      Colour colour)
{
    const std::string why = reason.empty() ? "" : fmt::format(": {}", reason);
    if (count == bound)
        return with_coloured(row(label, fmt::format("{} (optimal{})", grouped(count), why)), "optimal",
                             green(colour, "optimal"));
    const std::string plain = fmt::format("{} (lower bound {}{})", grouped(count), grouped(bound), why);
    return with_coloured(row(label, plain), "lower", yellow(colour, "lower"));
}

std::size_t terminal_width()
{
    std::size_t columns = 0;
    if (const char* const text = std::getenv("COLUMNS"))
        columns = parsed_number<std::size_t>(text).value_or(0);
#ifdef TIOCGWINSZ  // not in WebAssembly, where the surroundings set COLUMNS
    winsize size{};
    if (columns == 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
        columns = size.ws_col;
#endif
    return std::clamp(columns == 0 ? usual_width : columns, narrowest, widest_terminal);
}

}  // namespace dcube::cli

#include <dcube/link.hpp>

#include "base/names.hpp"
#include "base/numbers.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>
#include <optional>
#include <vector>

namespace dcube {

namespace {

constexpr std::string_view dongarra = "J. Dongarra and T. Dunigan, Message-Passing Performance of Various Computers "
                                      "(1995/97), nearest neighbour, from memory";

// ns a byte and ns a packet; the rates are printed there in MB/s.
constexpr MachinePreset presets[] = {
    {"ncube1", {2500, 1}, {384000, 1}, dongarra},
    {"ncube2", {10000, 17}, {154000, 1}, dongarra},
    {"ipsc1", {1800, 1}, {862000, 1}, "T. Dunigan's reports on the iPSC/1, quoted from memory, uncertain"},
    {"ipsc2", {2500, 7}, {370000, 1}, dongarra},
    {"ipsc860", {1000, 3}, {65000, 1}, dongarra},
};

Rational lowest(std::int64_t numerator, std::int64_t denominator)
{
    const std::int64_t divisor = std::gcd(numerator, denominator);
    return {numerator / divisor, denominator / divisor};
}

// "5/2"
std::optional<Rational> fraction(std::string_view text, std::size_t slash)
{
    const auto top = parsed_number<std::int64_t>(text.substr(0, slash));
    const auto bottom = parsed_number<std::int64_t>(text.substr(slash + 1));
    return top && bottom && *bottom != 0 ? std::optional(lowest(*top, *bottom)) : std::nullopt;
}

// "0.59"
std::optional<Rational> decimal(std::string_view text, std::size_t point)
{
    constexpr std::size_t most_places = 9;
    const std::string_view places = text.substr(point + 1);
    const auto digits = parsed_number<std::int64_t>(std::string(text.substr(0, point)).append(places));
    if (!digits || point == 0 || places.empty() || places.size() > most_places)
        return std::nullopt;
    std::int64_t unit = 1;
    for (std::size_t place = 0; place < places.size(); ++place)
        unit *= 10;
    return lowest(*digits, unit);
}

std::optional<Rational> number(std::string_view text)
{
    if (const std::size_t slash = text.find('/'); slash != std::string_view::npos)
        return fraction(text, slash);
    if (const std::size_t point = text.find('.'); point != std::string_view::npos)
        return decimal(text, point);
    const auto value = parsed_number<std::int64_t>(text);
    return value ? std::optional(Rational{*value, 1}) : std::nullopt;
}

template <class Value, std::size_t n>
Value parsed_name(const Value (&values)[n], std::string_view text, std::string_view what)
{
    std::vector<std::string_view> names;
    for (const Value value : values) {
        if (name(value) == text)
            return value;
        names.push_back(name(value));
    }
    throw InvalidArgument(fmt::format("'{}' is not {}: expected {}", text, what, fmt::join(names, " or ")));
}

}  // namespace

std::string to_string(const Rational& value)
{
    return value.denominator == 1 ? fmt::format("{}", value.numerator)
                                  : fmt::format("{}/{}", value.numerator, value.denominator);
}

Rational parse_rational(std::string_view what, std::string_view text)
{
    if (const auto value = number(text))
        return *value;
    throw InvalidArgument(fmt::format(
        "{} {} is not possible: expected a number from 0 to 2^63-1 such as 100, 5/2 or 0.59", what, quoted(text)));
}

std::uint64_t LinkModel::ticks_per_ns() const
{
    constexpr std::int64_t most = std::int64_t{1} << 32;
    for (const Rational& ns : {tau, beta})
        if (ns.denominator <= 0 || ns.numerator < 0)
            throw InvalidArgument(
                fmt::format("tau and beta of {}/{} ns are not possible: expected at least 0 ns, over at least 1",
                            ns.numerator, ns.denominator));
    const std::int64_t divisor = std::gcd(tau.denominator, beta.denominator);
    if (tau.denominator > most || beta.denominator > most || tau.denominator / divisor > most / beta.denominator)
        throw InvalidArgument(
            fmt::format("tau {} and beta {} have no common denominator below 2^32", to_string(tau), to_string(beta)));
    return static_cast<std::uint64_t>(tau.denominator / divisor * beta.denominator);
}

std::span<const MachinePreset> machine_presets()
{
    return presets;
}

const MachinePreset& find_preset(std::string_view name)
{
    std::vector<std::string_view> names;
    for (const MachinePreset& preset : presets) {
        if (same_name(name, preset.name))
            return preset;
        names.push_back(preset.name);
    }
    throw InvalidArgument(unknown_name(name, "a machine", names, fmt::format("{}", fmt::join(names, ", "))));
}

std::string_view name(LinkKind kind)
{
    return kind == LinkKind::unit ? "unit" : "link-bound";
}

std::string_view name(LinkClock clock)
{
    return clock == LinkClock::data_driven ? "data-driven" : "lockstep";
}

LinkKind parse_link(std::string_view text)
{
    static constexpr LinkKind kinds[] = {LinkKind::unit, LinkKind::link_bound};
    return parsed_name(kinds, text, "a link model");
}

LinkClock parse_clock(std::string_view text)
{
    static constexpr LinkClock clocks[] = {LinkClock::data_driven, LinkClock::lockstep};
    return parsed_name(clocks, text, "a clock");
}

namespace {

constexpr Spelling<PortModel> port_spellings[] = {
    {PortModel::all, "all"}, {PortModel::all, "multiport"},   {PortModel::all, "MLA"},
    {PortModel::one, "one"}, {PortModel::one, "single-port"}, {PortModel::one, "SLA"},
};

}  // namespace

std::string_view name(PortModel ports)
{
    return name_of(port_spellings, ports);
}

PortModel parse_ports(std::string_view text)
{
    return parsed(port_spellings, text, "a port model");
}

}  // namespace dcube

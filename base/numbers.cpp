#include "base/numbers.hpp"

#include "base/names.hpp"
#include "base/sizes.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <limits>
#include <locale>
#include <sstream>

namespace dcube {

std::string grouped(std::string digits)
{
    for (std::size_t place = digits.size(); place > 3;) {
        place -= 3;
        digits.insert(place, 1, ' ');
    }
    return digits;
}

std::string grouped(std::uint64_t number)
{
    return grouped(std::to_string(number));
}

std::string plural(std::uint64_t count, std::string_view what)
{
    return fmt::format("{}{}", what, count == 1 ? "" : "s");
}

std::string grouped(std::uint64_t count, std::string_view what)
{
    return grouped(count) + " " + plural(count, what);
}

std::string counted(std::uint64_t count, std::string_view what)
{
    return fmt::format("{} {}", count, plural(count, what));
}

std::string packets_of(std::uint64_t message, std::uint64_t bytes)
{
    const std::uint64_t whole = (message - 1) / bytes;
    const std::uint64_t last = message - whole * bytes;
    return fmt::format("{} of {}{}", grouped(whole + 1, "packet"), counted(bytes, "byte"),
                       last == bytes ? "" : fmt::format(", the last of {}", grouped(last)));
}

namespace {

struct Unit {
    std::string_view name;
    unsigned shift;
};
constexpr std::array units{Unit{"KiB", 10}, Unit{"MiB", 20}, Unit{"GiB", 30},
                           Unit{"TiB", 40}, Unit{"PiB", 50}, Unit{"EiB", 60}};

std::string lower_case(std::string_view text)
{
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return lower;
}

// The power of two that a unit stands for; -1 if it is none.
int shift_of(std::string_view unit)
{
    const std::string text = lower_case(unit);
    if (text.empty() || text == "b")
        return 0;
    for (const Unit& known : units) {
        const std::string name = lower_case(known.name);
        if (text == name || text == name.substr(0, 1))
            return static_cast<int>(known.shift);
    }
    return -1;
}

[[noreturn]] void refuse_number(std::string_view key, std::string_view given, std::string_view what,
                                NumberRange allowed)
{
    throw InvalidArgument(key, shortened(given), fmt::format("is {}: {}", what, allowed_text(allowed)));
}

}  // namespace

std::string allowed_text(NumberRange allowed)
{
    return allowed.least == allowed.most ? fmt::format("only {} is allowed", allowed.least)
                                         : fmt::format("{} to {} are allowed", allowed.least, allowed.most);
}

// libc++ 16 has no from_chars for doubles. A stream also reads a plus sign, and space before the number.
std::optional<double> parsed_decimal(std::string_view text)
{
    if (text.starts_with('+') || text.find_first_not_of("0123456789.eE+-") != std::string_view::npos)
        return std::nullopt;
    std::istringstream stream{std::string(text)};
    stream.imbue(std::locale::classic());
    double number = 0;
    return stream >> number && stream.eof() ? std::optional(number) : std::nullopt;
}

std::uint64_t parse_number(std::string_view key, std::string_view text, NumberRange allowed)
{
    const bool negative = text.starts_with('-');
    const char* const end = text.data() + text.size();
    std::uint64_t value = 0;
    const auto [stop, error] = std::from_chars(text.data() + (negative ? 1 : 0), end, value);
    const auto complain = [&](std::string_view what) { refuse_number(key, text.empty() ? "''" : text, what, allowed); };
    if (stop != end || error == std::errc::invalid_argument)
        complain("not a whole number");
    if (negative)
        complain("too small");
    if (error != std::errc{})
        complain("too large");
    return in_range(key, value, allowed);
}

std::uint64_t in_range(std::string_view key, std::uint64_t number, NumberRange allowed)
{
    if (number < allowed.least || number > allowed.most)
        refuse_number(key, std::to_string(number), number < allowed.least ? "too small" : "too large", allowed);
    return number;
}

std::uint64_t parse_size(std::string_view key, std::string_view text, NumberRange allowed)
{
    constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    const int shift = shift_of({stop, static_cast<std::size_t>(end - stop)});
    if (error == std::errc::invalid_argument || shift < 0)
        throw InvalidArgument(
            key, quoted(text),
            "is not a size: expected a whole number and a unit, e.g. 64, 4KiB, 1M (K is KiB, 1024 bytes)");
    const bool overflows = error == std::errc::result_out_of_range || number > (largest >> shift);
    return size_in_range(key, overflows ? largest : number << shift, allowed, text);
}

std::uint64_t size_in_range(std::string_view key, std::uint64_t size, NumberRange allowed, std::string_view text)
{
    const auto refuse = [&](const std::string& why) {
        throw InvalidArgument(key, text.empty() ? std::to_string(size) : shortened(text), why);
    };
    if (size > allowed.most)
        refuse(fmt::format("is too large: at most {} bytes are allowed", power_text(allowed.most)));
    if (size < allowed.least)
        refuse(fmt::format("is too small: {} or more is allowed", counted(allowed.least, "byte")));
    return size;
}

std::size_t parse_size(std::string_view key, std::string_view text, std::uint64_t least)
{
    return as_size(parse_size(key, text, NumberRange{least, largest_size<std::size_t>}));
}

std::string power_text(std::uint64_t power)
{
    return fmt::format("2^{}", std::countr_zero(power));
}

std::string size_text(std::uint64_t bytes)
{
    const auto unit = std::find_if(units.rbegin(), units.rend(), [&](const Unit& u) { return bytes >> u.shift != 0; });
    if (unit == units.rend())
        return counted(bytes, "byte");
    const std::uint64_t one = std::uint64_t{1} << unit->shift;
    if (bytes % one == 0)
        return fmt::format("{} {}", bytes / one, unit->name);
    return fmt::format("{:.1f} {}", static_cast<double>(bytes) / static_cast<double>(one), unit->name);
}

std::string memory_text(std::uint64_t bytes)
{
    return bytes < 1024 ? size_text(bytes) : fmt::format("{} bytes ({})", bytes, size_text(bytes));
}

std::string duration_text(double seconds)
{
    if (seconds < 1e-3)
        return fmt::format("{:.3g} us", seconds * 1e6);
    if (seconds < 1)
        return fmt::format("{:.3g} ms", seconds * 1e3);
    if (seconds < 120)
        return fmt::format("{:.3g} s", seconds);
    constexpr std::uint64_t hour = 3600;
    const auto whole = static_cast<std::uint64_t>(std::min(seconds, 1e18));
    if (whole < 2 * hour)
        return fmt::format("{} min {} s", whole / 60, whole % 60);
    return whole < 48 * hour ? fmt::format("{} h {} min", whole / hour, whole % hour / 60)
                             : fmt::format("{} days", grouped(whole / (24 * hour)));
}

}  // namespace dcube

#pragma once
// Counts, sizes and durations as people write and read them.

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace dcube {

/// "262 144".
std::string grouped(std::uint64_t number);
/// The same of a number of any length, given as its digits.
std::string grouped(std::string digits);
/// "1 byte", "4 096 bytes".
std::string grouped(std::uint64_t count, std::string_view what);
/// "1 byte", "4096 bytes".
std::string counted(std::uint64_t count, std::string_view what);
/// "byte", "bytes".
std::string plural(std::uint64_t count, std::string_view what);

/// A message cut in packets: "6 packets of 11 bytes, the last of 9".
std::string packets_of(std::uint64_t message, std::uint64_t bytes);

/// Takes the digits at the beginning of the text off it, and returns the number that they write; nothing, and the text
/// as it was, if there are none or the number does not fit.
template <class Number>
std::optional<Number> leading_number(std::string_view& text, int base = 10)
{
    Number number{};
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    if (error != std::errc{} || text.front() == '-')
        return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
    return number;
}

/// The number that these digits write, if there is nothing else and it fits.
template <class Number>
std::optional<Number> parsed_number(std::string_view digits, int base = 10)
{
    const std::optional<Number> number = leading_number<Number>(digits, base);
    return digits.empty() ? number : std::nullopt;
}

/// The number that "0.4", "-3" or "1e-3" writes, if there is nothing else, and a double is large enough for it.
std::optional<double> parsed_decimal(std::string_view text);

/// The whole numbers that are allowed.
struct NumberRange {
    std::uint64_t least;
    std::uint64_t most;
};

/// "0 to 7 are allowed", or "only 0 is allowed".
std::string allowed_text(NumberRange allowed);

/// Reads a whole number. Throws InvalidArgument, about the key, for anything else and for one out of the range.
std::uint64_t parse_number(std::string_view key, std::string_view text, NumberRange allowed);
/// The number, unless it is out of the range.
std::uint64_t in_range(std::string_view key, std::uint64_t number, NumberRange allowed);

/// A power of two: "2^30".
std::string power_text(std::uint64_t power);

// Sizes in bytes, as people write and read them.

/// Reads "64", "64B", "4KiB", "1M": binary units, K is KiB. Throws InvalidArgument, about the key, for anything
/// else and for sizes out of the range, whose largest is a power of two; without one, for more than largest_size
/// (base/sizes.hpp): 2^62 where sizes have 64 bits.
std::size_t parse_size(std::string_view key, std::string_view text, std::uint64_t least = 0);
std::uint64_t parse_size(std::string_view key, std::string_view text, NumberRange allowed);
/// The size, unless it is out of that range. `text` is the size as it was written, if it was.
std::uint64_t size_in_range(std::string_view key, std::uint64_t size, NumberRange allowed, std::string_view text = {});

/// "1 byte", "64 bytes", "4 KiB", "1.5 MiB".
std::string size_text(std::uint64_t bytes);

/// The same with the exact number: "6442450944 bytes (6 GiB)".
std::string memory_text(std::uint64_t bytes);

/// "24 us", "3.2 ms", "6.61 s", "12 min 5 s".
std::string duration_text(double seconds);

}  // namespace dcube

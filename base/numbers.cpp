#include "base/numbers.hpp"

#include <fmt/format.h>

#include <charconv>
#include <utility>

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

std::optional<std::uint32_t> whole_number(std::string_view digits)
{
    std::uint32_t value = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value);
    if (error != std::errc{} || stop != end)
        return std::nullopt;
    return value;
}

namespace {

std::string with_plural(const std::string& number, std::uint64_t count, std::string_view what)
{
    return fmt::format("{} {}{}", number, what, count == 1 ? "" : "s");
}

}  // namespace

std::string grouped(std::uint64_t count, std::string_view what)
{
    return with_plural(grouped(count), count, what);
}

std::string counted(std::uint64_t count, std::string_view what)
{
    return with_plural(std::to_string(count), count, what);
}

std::string packets_of(std::uint64_t message, std::uint64_t bytes)
{
    const std::uint64_t whole = (message - 1) / bytes;
    const std::uint64_t last = message - whole * bytes;
    return fmt::format("{} packet{} of {}{}", grouped(whole + 1), whole == 0 ? "" : "s", counted(bytes, "byte"),
                       last == bytes ? "" : fmt::format(", the last of {}", grouped(last)));
}

}  // namespace dcube

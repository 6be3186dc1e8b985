#include "cli/text/numbers.hpp"

#include <fmt/format.h>

namespace dcube::cli {

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

}  // namespace dcube::cli

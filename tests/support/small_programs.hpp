#pragma once
// Programs and payloads that many tests of the machine use.

#include <dcube/machine.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <string>

namespace test_support {

inline constexpr std::array<std::byte, 8> eight{};

inline std::span<const std::byte> bytes_of(const std::string& text)
{
    return std::as_bytes(std::span(text));
}

/// Tau 1, beta 1, each node on its own clock.
inline dcube::LinkModel slow_links()
{
    return {dcube::LinkKind::link_bound, {1, 1}, {1, 1}, dcube::LinkClock::data_driven};
}

inline dcube::Task idles(dcube::Node&)
{
    co_return;
}

inline dcube::Task one_step(dcube::Node& me)
{
    co_await me.next_step();
}

}  // namespace test_support

#pragma once
// What the parts of a step cost, roughly.

#include <cstdint>

namespace dcube::detail {

// In ns, to tell whether a step is worth the other threads' while. What is sent in one step is copied in the next, so a
// step's work is known when it begins.
constexpr std::uint64_t ns_per_node = 15;
constexpr std::uint64_t ns_per_packet = 4;
constexpr std::uint64_t bytes_per_ns = 10;
constexpr std::uint64_t worth_sharing_ns = 4000;

}  // namespace dcube::detail

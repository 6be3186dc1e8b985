#pragma once

#include <cstddef>

namespace dcube::detail {

/// Bytes that one processor takes over from another at once: what different threads write lies that far apart.
#if defined(__APPLE__) && defined(__aarch64__)
inline constexpr std::size_t cache_line = 128;
#else
inline constexpr std::size_t cache_line = 64;
#endif

}  // namespace dcube::detail

#pragma once
// How far tests go: the sanitizers run the same tests at smaller sizes.

namespace test_support {

#ifdef DCUBE_SANITIZED
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

/// `full`, or `reduced` under a sanitizer.
template <class T>
constexpr T smaller(T full, T reduced)
{
    return sanitized ? reduced : full;
}

}  // namespace test_support

#pragma once
// The sizes of tests: the sanitizers run the same tests at smaller sizes.

#include <cstddef>

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

/// A sample of many cases that differ little: sanitizers try one in `every`.
class Sample {
public:
    explicit Sample(std::size_t every = 7) : every_(every) {}
    bool takes_next() { return !sanitized || seen_++ % every_ == 0; }

private:
    std::size_t every_;
    std::size_t seen_ = 0;
};

}  // namespace test_support

#pragma once
// The sizes of tests. Three of them: all that a test can try, in minutes (DCUBE_THOROUGH in the environment, which
// `./dcube test --thorough` sets); what it usually tries; and less under a sanitizer.

#include <cstddef>
#include <cstdlib>

namespace test_support {

#ifdef DCUBE_SANITIZED
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

inline bool thorough()
{
    const char* const asked = std::getenv("DCUBE_THOROUGH");
    return !sanitized && asked != nullptr && *asked != '\0';
}

/// `full`, or `reduced` under a sanitizer.
template <class T>
constexpr T smaller(T full, T reduced)
{
    return sanitized ? reduced : full;
}

/// The same for what takes long: `full` only in thorough tests, else `usual`.
template <class T>
T smaller(T full, T usual, T reduced)
{
    return smaller(thorough() ? full : usual, reduced);
}

/// A sample of many cases that differ little: sanitizers try one in `every`, usual tests one in `usually`.
class Sample {
public:
    explicit Sample(std::size_t every = 7, std::size_t usually = 1)
        : every_(thorough()  ? 1
                 : sanitized ? every
                             : usually)
    {
    }
    bool takes_next() { return seen_++ % every_ == 0; }

private:
    std::size_t every_;
    std::size_t seen_ = 0;
};

}  // namespace test_support

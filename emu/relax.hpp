#pragma once
// relax: what a loop does that waits for another thread for a moment.

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#elif !defined(__aarch64__)
#include "base/threads.hpp"
#endif

namespace dcube::detail {

inline void relax()
{
#if defined(__x86_64__) || defined(__i386__)
    _mm_pause();
#elif defined(__aarch64__)
    asm volatile("isb");  // takes as long as a pause elsewhere; "yield" is over at once
#else
    yield();
#endif
}

}  // namespace dcube::detail

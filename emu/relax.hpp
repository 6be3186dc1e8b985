#pragma once
// relax: what a loop does that waits for another thread for a moment.

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#else
#include "base/threads.hpp"
#endif

namespace dcube::detail {

inline void relax()
{
#if defined(__x86_64__) || defined(__i386__)
    _mm_pause();
#else
    yield();
#endif
}

}  // namespace dcube::detail

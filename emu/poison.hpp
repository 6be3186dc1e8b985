#pragma once
// Memory that must not be touched: the address sanitizer reports any access, and where lent bytes are watched, they are
// found to be gone.

#include <cstddef>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define DCUBE_POISON 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define DCUBE_POISON 1
#endif

#ifdef DCUBE_POISON
#include <sanitizer/asan_interface.h>
#endif

namespace dcube::detail {

inline void poison([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes)
{
#ifdef DCUBE_POISON
    __asan_poison_memory_region(memory, bytes);
#endif
}

inline void unpoison([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes)
{
#ifdef DCUBE_POISON
    __asan_unpoison_memory_region(memory, bytes);
#endif
}

inline bool is_poisoned([[maybe_unused]] const void* memory, [[maybe_unused]] std::size_t bytes)
{
#ifdef DCUBE_POISON
    return __asan_region_is_poisoned(const_cast<void*>(memory), bytes) != nullptr;
#else
    return false;
#endif
}

}  // namespace dcube::detail

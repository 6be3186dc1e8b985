#include "tests/support/allocations.hpp"

#ifndef DCUBE_SANITIZED

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::uint64_t> allocations_so_far{0};
std::atomic<std::int64_t> left_to_refused{-1};  // negative: none is

}  // namespace

void* operator new(std::size_t bytes)
{
    allocations_so_far.fetch_add(1, std::memory_order_relaxed);
    if (left_to_refused.load(std::memory_order_relaxed) >= 0 &&
        left_to_refused.fetch_sub(1, std::memory_order_relaxed) == 0)
        throw std::bad_alloc();
    if (void* const memory = std::malloc(bytes == 0 ? 1 : bytes))
        return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept
{
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory);
}

namespace test_support {

std::uint64_t allocations()
{
    return allocations_so_far;
}

void refuse_allocation(std::uint64_t more)
{
    left_to_refused = static_cast<std::int64_t>(more);
}

void refuse_no_allocation()
{
    left_to_refused = -1;
}

}  // namespace test_support

#endif

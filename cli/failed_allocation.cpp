#include "cli/failed_allocation.hpp"

#include "cli/text/numbers.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> failed_bytes = 0;

}  // namespace

// std::bad_alloc does not say what was asked for, so the program's operator new notes it.
// (Where g++ 12 inlines the deletes, it takes them for mismatched.)
#ifndef DCUBE_SANITIZED
void* operator new(std::size_t bytes)
{
    for (;;) {
        if (void* const memory = std::malloc(bytes == 0 ? 1 : bytes))
            return memory;
        if (const std::new_handler handler = std::get_new_handler()) {
            handler();
            continue;
        }
        failed_bytes = bytes;
        throw std::bad_alloc();
    }
}

[[gnu::noinline]] void operator delete(void* memory) noexcept
{
    std::free(memory);
}

[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory);
}
#endif

namespace dcube::cli {

std::string out_of_memory_text()
{
    const std::size_t bytes = failed_bytes;
    return bytes == 0 ? "out of memory"
                      : fmt::format("out of memory: {} bytes more were asked for at once", grouped(bytes));
}

}  // namespace dcube::cli

// Memory where no system can be asked: the most a program may have, less what it holds.

#include "base/memory.hpp"

#include "base/numbers.hpp"
#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>

namespace dcube {

namespace {

constexpr std::size_t most_memory = DCUBE_WASM_MEMORY;

// Lent as objects of class Memory.
std::atomic<std::size_t> lent = 0;
std::atomic<std::size_t> most_lent = 0;

// WebAssembly's memory only grows. Elsewhere, where this file is tested, only the memory lent is known.
std::size_t grown_to()
{
#ifdef __wasm__
    constexpr std::size_t page = 65536;
    return __builtin_wasm_memory_size(0) * page;
#else
    return most_lent;
#endif
}

}  // namespace

// Memory that was lent and given back can be lent again.
std::size_t available_memory()
{
    const std::size_t used = grown_to() - (most_lent - lent);
    return most_memory - std::min(most_memory, used);
}

// Never: memory is small here, and asking costs nothing.
bool assumed_available(std::uint64_t /*bytes*/)
{
    return false;
}

std::size_t peak_memory()
{
    return grown_to();
}

// All of it is filled with zeros.
std::size_t Memory::ahead()
{
    return std::size_t{1} << 20;
}

Memory::Memory(std::uint64_t bytes)
{
    if (bytes == 0)
        return;
    constexpr std::size_t alignment = 64;
    const std::size_t size = bytes > most_memory ? 0 : static_cast<std::size_t>(bytes);
    const std::size_t padded = (size + alignment - 1) / alignment * alignment;
    void* const place = padded == 0 ? nullptr : std::aligned_alloc(alignment, padded);
    if (!place)
        throw InvalidArgument(fmt::format("the system refuses to lend {} of memory", memory_text(bytes)));
    std::memset(place, 0, size);
    bytes_ = {static_cast<std::byte*>(place), size};
    mapped_ = padded;
    most_lent = std::max<std::size_t>(most_lent, lent += padded);
}

Memory::~Memory()
{
    if (bytes_.empty())
        return;
    std::free(bytes_.data());
    lent -= mapped_;
}

}  // namespace dcube

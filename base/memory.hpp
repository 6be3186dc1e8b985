#pragma once
// Memory: how much is available, and large blocks of it.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace dcube {

// Bytes of memory available, by the kernel's estimate and the cgroups' limits (files in their caches do not count as
// used).
std::size_t available_memory();
// Whether an amount is so small that it is assumed to be available: asking takes longer than a small run.
bool assumed_available(std::uint64_t bytes);

// The most memory that this process has held so far, in bytes.
std::size_t peak_memory();

// A stretch of zeroed memory in pages of its own, huge ones where the system has them, so that scattered blocks cost
// few page-table misses. Pages that are never touched cost nothing.
class Memory {
public:
    Memory() = default;
    // Throws InvalidArgument if the system refuses, or no pointer reaches that far.
    explicit Memory(std::uint64_t bytes);
    ~Memory();
    Memory(Memory&& other) noexcept : bytes_(std::exchange(other.bytes_, {})), mapped_(other.mapped_) {}
    Memory& operator=(Memory&& other) noexcept
    {
        std::swap(bytes_, other.bytes_);
        std::swap(mapped_, other.mapped_);
        return *this;
    }

    [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }

    // The size to ask for at once where more will be needed later.
    static std::size_t ahead();

private:
    std::span<std::byte> bytes_;
    std::size_t mapped_ = 0;
};

namespace detail {

// The memory that the cgroups of this process still grant, in bytes; the largest number if there is no limit. `root`:
// the folder under which proc and sys are; ends with "/".
std::size_t cgroup_allowance(const std::string& root = "/");

}  // namespace detail

}  // namespace dcube

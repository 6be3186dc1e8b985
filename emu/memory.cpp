#include <dcube/error.hpp>
#include <dcube/memory.hpp>

#include "base/sizes.hpp"

#include <fmt/format.h>

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace dcube {

namespace {

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

// "MemAvailable:   24419264 kB", in bytes.
std::optional<std::size_t> kib_in(const char* file_name, std::string_view key)
{
    std::ifstream file(file_name);
    for (std::string word; file >> word;) {
        std::size_t kib = 0;
        if (word == key && file >> kib)
            return kib * 1024;
    }
    return std::nullopt;
}

// What a cgroup still grants; its files hold one number ("max" where there is no limit). Version 2, then version 1.
std::size_t cgroup_allowance(const char* limit_file, const char* usage_file)
{
    std::size_t limit = 0;
    std::size_t usage = 0;
    if (!(std::ifstream(limit_file) >> limit) || !(std::ifstream(usage_file) >> usage))
        return unlimited;
    return limit - std::min(limit, usage);
}

}  // namespace

std::size_t available_memory()
{
    return std::min({kib_in("/proc/meminfo", "MemAvailable:").value_or(unlimited),
                     cgroup_allowance("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
                     cgroup_allowance("/sys/fs/cgroup/memory/memory.limit_in_bytes",
                                      "/sys/fs/cgroup/memory/memory.usage_in_bytes")});
}

// Not getrusage's ru_maxrss, which a process inherits from the one that started it.
std::size_t peak_memory()
{
    return kib_in("/proc/self/status", "VmHWM:").value_or(0);
}

Memory::Memory(std::size_t bytes)
{
    if (bytes == 0)
        return;
    constexpr std::size_t huge_page = std::size_t{2} << 20;  // a stretch that nearly fills one is worth one
    const std::size_t mapped = bytes < huge_page / 8 ? bytes : (bytes + huge_page - 1) / huge_page * huge_page;
    void* const pages =
        mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED)
        throw InvalidArgument(fmt::format("the system refuses to lend {} of memory", memory_text(bytes)));
    madvise(pages, mapped, MADV_HUGEPAGE);  // advice only: without huge pages all is as right, and slower
    bytes_ = {static_cast<std::byte*>(pages), bytes};
    mapped_ = mapped;
}

Memory::~Memory()
{
    if (!bytes_.empty())
        munmap(bytes_.data(), mapped_);
}

}  // namespace dcube

#include "base/memory.hpp"

#include "base/cgroups.hpp"
#include "base/numbers.hpp"
#include "base/sizes.hpp"
#include <dcube/error.hpp>

#include <fmt/format.h>

#include <sys/mman.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>

#ifdef __APPLE__
#include <mach/mach.h>
#include <sys/resource.h>
#endif

namespace dcube {

namespace {

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

// The number that follows a word.
std::optional<std::size_t> number_in(const std::string& file_name, std::string_view key)
{
    std::ifstream file(file_name);
    for (std::string word; file >> word;) {
        std::size_t number = 0;
        if (word == key && file >> number)
            return number;
    }
    return std::nullopt;
}

// The names of a group's files. The files of limit and usage hold one number, or "max"; the statistics are lines of a
// name and a number.
struct MemoryFiles {
    const char* limit;
    const char* usage;
    const char* cache;  // the statistics' name for cached files that are not in use, which the kernel gives up
};

std::size_t allowance(const detail::Cgroup& group)
{
    const MemoryFiles names =
        group.version == 2 ? MemoryFiles{"memory.max", "memory.current", "inactive_file"}
                           : MemoryFiles{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};
    std::size_t limit = 0;
    std::size_t usage = 0;
    if (!(std::ifstream(group.folder + names.limit) >> limit) || !(std::ifstream(group.folder + names.usage) >> usage))
        return unlimited;
    usage -= std::min(usage, number_in(group.folder + "memory.stat", names.cache).value_or(0));
    return limit - std::min(limit, usage);
}

}  // namespace

std::size_t detail::cgroup_allowance(const std::string& root)
{
    std::size_t least = unlimited;
    for (const Cgroup& group : cgroups("memory", root))
        least = std::min(least, allowance(group));
    return least;
}

#ifdef __APPLE__

std::size_t available_memory()
{
    vm_statistics64_data_t pages{};
    mach_msg_type_number_t words = HOST_VM_INFO64_COUNT;
    vm_size_t page = 0;
    const mach_port_t host = mach_host_self();
    const bool is_known =
        host_page_size(host, &page) == KERN_SUCCESS &&
        host_statistics64(host, HOST_VM_INFO64, reinterpret_cast<host_info64_t>(&pages), &words) == KERN_SUCCESS;
    mach_port_deallocate(mach_task_self(), host);
    if (!is_known)
        return unlimited;
    return page * (std::size_t{pages.free_count} + pages.inactive_count + pages.purgeable_count);
}

std::size_t peak_memory()
{
    rusage usage{};
    return getrusage(RUSAGE_SELF, &usage) == 0 ? static_cast<std::size_t>(usage.ru_maxrss) : 0;
}

#else

namespace {

// "MemAvailable:   24419264 kB", in bytes.
std::optional<std::size_t> kib_in(const std::string& file_name, std::string_view key)
{
    const auto kib = number_in(file_name, key);
    return kib ? std::optional(*kib * 1024) : std::nullopt;
}

}  // namespace

std::size_t available_memory()
{
    return std::min(kib_in("/proc/meminfo", "MemAvailable:").value_or(unlimited), detail::cgroup_allowance());
}

// Not from getrusage's ru_maxrss, which a process inherits from its parent.
std::size_t peak_memory()
{
    return kib_in("/proc/self/status", "VmHWM:").value_or(0);
}

#endif

bool assumed_available(std::uint64_t bytes)
{
    return bytes <= std::uint64_t{16} << 20;
}

// Pages that are not touched cost nothing.
std::size_t Memory::ahead()
{
    return std::size_t{64} << 20;
}

Memory::Memory(std::uint64_t bytes)
{
    if (bytes == 0)
        return;
    const auto refuse = [&] {
        throw InvalidArgument(fmt::format("the system refuses to lend {} of memory", memory_text(bytes)));
    };
    if (bytes > PTRDIFF_MAX)
        refuse();
    const std::size_t size = as_size(bytes);
    constexpr std::size_t huge_page = std::size_t{2} << 20;  // a stretch that nearly fills one is worth one
    const std::size_t mapped = size < huge_page / 8 ? size : (size + huge_page - 1) / huge_page * huge_page;
    void* const pages =
        mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED)
        refuse();
#ifdef MADV_HUGEPAGE
    madvise(pages, mapped, MADV_HUGEPAGE);  // advice only: without huge pages all is as right, and slower
#endif
    bytes_ = {static_cast<std::byte*>(pages), size};
    mapped_ = mapped;
}

Memory::~Memory()
{
    if (!bytes_.empty())
        munmap(bytes_.data(), mapped_);
}

}  // namespace dcube

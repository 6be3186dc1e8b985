#pragma once
// What the cgroup that a process runs in (a container, say) still grants of memory.

#include <cstddef>
#include <string>

namespace dcube::detail {

// The limit and the usage are files of one number, or "max"; the statistics have lines of a name and a number.
struct CgroupFiles {
    std::string limit;
    std::string usage;
    std::string statistics;
    std::string cache;  // what the statistics call files that are cached and not in use, which the kernel gives up
};

// In bytes; the largest number if there is no limit.
std::size_t cgroup_allowance(const CgroupFiles& files);

}  // namespace dcube::detail

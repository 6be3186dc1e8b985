#pragma once
// Cgroups: the limits that the groups of this process, one within the other, set.

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dcube::detail {

struct Cgroup {
    std::string folder;  // ends with "/"
    int version;         // 1 or 2, whose files have different names
};

// The groups that can limit this process by the controller, "cpu" or "memory": its own and those around it, as far out
// as can be seen here. `root`: the folder under which proc and sys are; ends with "/".
std::vector<Cgroup> cgroups(std::string_view controller, const std::string& root = "/");

// The processors' worth of time that the least of them grants; infinite if none has a quota.
double processor_quota(const std::string& root = "/");
// The message about a quota: "the cgroup grants 0.5 of a processor", "the cgroup grants 1.5 processors".
inline std::string quota_text(double quota)
{
    return fmt::format("the cgroup grants {:.3g} {}", quota, quota < 1 ? "of a processor" : "processors");
}

// What quotas have done to the processes of the groups so far, all groups together.
struct Throttling {
    std::uint64_t times = 0;  // periods in which a quota was used up
    double seconds = 0;       // the waits of all processors, added up
};
Throttling throttling(const std::string& root = "/");

}  // namespace dcube::detail

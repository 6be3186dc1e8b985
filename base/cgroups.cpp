#include "base/cgroups.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>

namespace dcube::detail {

namespace {

// A mounted hierarchy: the group `top` and its descendants appear at `folder`.
struct Mount {
    std::string top;
    std::string folder;
    int version;
};

bool has_word(const std::string& list, std::string_view word)
{
    std::istringstream words(list);
    for (std::string one; std::getline(words, one, ',');)
        if (one == word)
            return true;
    return false;
}

// A line of mountinfo: "33 31 0:29 / /sys/fs/cgroup/cpu rw,relatime shared:9 - cgroup cgroup rw,cpu".
std::optional<Mount> mount_in(const std::string& line, std::string_view controller)
{
    std::istringstream words(line);
    std::string word;
    Mount mount;
    words >> word >> word >> word >> mount.top >> mount.folder;
    while (words >> word && word != "-") {
    }
    std::string kind;
    std::string options;
    words >> kind >> word >> options;
    mount.version = kind == "cgroup2" ? 2 : 1;
    if (kind == "cgroup2" || (kind == "cgroup" && has_word(options, controller)))
        return mount;
    return std::nullopt;
}

// The process's own group: "4:cpu,cpuacct:/jobs/7" of version 1, "0::/jobs/7" of version 2.
std::string own_group(const std::string& root, std::string_view controller, int version)
{
    std::ifstream file(root + "proc/self/cgroup");
    for (std::string line; std::getline(file, line);) {
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(':', first + 1);
        if (second == std::string::npos)
            continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        if (version == 2 ? controllers.empty() : has_word(controllers, controller))
            return line.substr(second + 1);
    }
    return "/";
}

// The path of `group` relative to `top`: "/7" for /jobs/7 below /jobs. Empty for a group elsewhere, whose limits cannot
// be seen.
std::string below(const std::string& top, const std::string& group)
{
    const std::string inner = top == "/" ? "" : top;
    if (group == "/" || group.starts_with("/..") || !group.starts_with(inner + "/"))
        return "";
    return group.substr(inner.size());
}

void add_groups(const Mount& mount, const std::string& group, const std::string& root, std::vector<Cgroup>& groups)
{
    const std::string top = root + mount.folder.substr(1);
    for (std::string inner = below(mount.top, group);; inner.erase(inner.rfind('/'))) {
        groups.push_back({top + inner + "/", mount.version});
        if (inner.empty())
            return;
    }
}

// cpu.max is "50000 100000", or "max 100000"; version 1 has a file for each of the two, and quota -1 for none.
double quota_of(const Cgroup& group)
{
    double quota = 0;
    double period = 0;
    if (group.version == 2)
        std::ifstream(group.folder + "cpu.max") >> quota >> period;
    else if (std::ifstream(group.folder + "cpu.cfs_quota_us") >> quota)
        std::ifstream(group.folder + "cpu.cfs_period_us") >> period;
    return quota > 0 && period > 0 ? quota / period : std::numeric_limits<double>::infinity();
}

// The number behind a key in cpu.stat, whose lines are "nr_throttled 12"; 0 if it is not there.
std::uint64_t count_in(const std::string& file, std::string_view key)
{
    std::ifstream lines(file);
    std::string name;
    for (std::uint64_t count = 0; lines >> name >> count;)
        if (name == key)
            return count;
    return 0;
}

}  // namespace

std::vector<Cgroup> cgroups(std::string_view controller, const std::string& root)
{
    std::vector<Cgroup> groups;
    std::ifstream mounts(root + "proc/self/mountinfo");
    for (std::string line; std::getline(mounts, line);)
        if (const auto mount = mount_in(line, controller))
            add_groups(*mount, own_group(root, controller, mount->version), root, groups);
    return groups;
}

double processor_quota(const std::string& root)
{
    double least = std::numeric_limits<double>::infinity();
    for (const Cgroup& group : cgroups("cpu", root))
        least = std::min(least, quota_of(group));
    return least;
}

Throttling throttling(const std::string& root)
{
    Throttling all;
    for (const Cgroup& group : cgroups("cpu", root)) {
        const std::string file = group.folder + "cpu.stat";
        all.times += count_in(file, "nr_throttled");
        all.seconds += 1e-9 * static_cast<double>(count_in(file, "throttled_time"));  // version 1
        all.seconds += 1e-6 * static_cast<double>(count_in(file, "throttled_usec"));  // version 2
    }
    return all;
}

}  // namespace dcube::detail

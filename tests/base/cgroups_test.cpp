// Cgroups of both versions, in trees of files.

#include "base/cgroups.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/host_tree.hpp"

#include <limits>
#include <string>

using namespace dcube;
using dcube::test::Files;
using dcube::test::HostTree;

namespace {

double processors(const Files& files)
{
    const HostTree tree(files);
    return detail::processor_quota(tree.root());
}

constexpr double no_quota = std::numeric_limits<double>::infinity();
constexpr const char* mount_of_two = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw\n";
constexpr const char* mounts_of_one = "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
                                      "33 31 0:30 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n";

}  // namespace

TEST_CASE("cgroups: the least quota of a process's group and of all around it counts, in version 2", "[emu]")
{
    const auto quota = [](const std::string& outer, const std::string& inner) {
        return processors({{"proc/self/mountinfo", mount_of_two},
                           {"proc/self/cgroup", "0::/user.slice/job/step\n"},
                           {"sys/fs/cgroup/user.slice/cpu.max", outer},
                           {"sys/fs/cgroup/user.slice/job/step/cpu.max", inner},
                           {"sys/fs/cgroup/user.slice/other/cpu.max", "1000 100000\n"}});
    };
    CHECK(quota("max 100000\n", "50000 100000\n") == 0.5);
    CHECK(quota("150000 100000\n", "max 100000\n") == 1.5);
    CHECK(quota("150000 100000\n", "400000 100000\n") == 1.5);
    CHECK(quota("max 100000\n", "max 100000\n") == no_quota);
    CHECK(processors({{"proc/self/mountinfo", mount_of_two}, {"sys/fs/cgroup/cpu.max", "200000 100000\n"}}) == 2);
}

TEST_CASE("cgroups: in version 1 the least quota of the processors' own hierarchy counts", "[emu]")
{
    const auto quota = [](const std::string& outer, const std::string& inner) {
        const std::string top = "sys/fs/cgroup/cpu,cpuacct/";
        return processors({{"proc/self/mountinfo", mounts_of_one},
                           {"proc/self/cgroup", "5:cpuset:/elsewhere\n4:cpuacct,cpu:/job/step\n0::/\n"},
                           {top + "cpu.cfs_quota_us", "-1\n"},
                           {top + "cpu.cfs_period_us", "100000\n"},
                           {top + "job/cpu.cfs_quota_us", outer},
                           {top + "job/cpu.cfs_period_us", "100000\n"},
                           {top + "job/step/cpu.cfs_quota_us", inner},
                           {top + "job/step/cpu.cfs_period_us", "50000\n"}});
    };
    CHECK(quota("-1\n", "25000\n") == 0.5);
    CHECK(quota("300000\n", "-1\n") == 3);
    CHECK(quota("300000\n", "100000\n") == 2);
    CHECK(quota("-1\n", "-1\n") == no_quota);
}

TEST_CASE("cgroups: a container sees its own group as the outermost, by whatever name it goes", "[emu]")
{
    const std::string limit = "50000 100000\n";
    const std::string mount = "30 23 0:26 /docker/c1 /sys/fs/cgroup ro - cgroup2 cgroup rw\n";
    CHECK(processors({{"proc/self/mountinfo", mount},
                      {"proc/self/cgroup", "0::/docker/c1\n"},
                      {"sys/fs/cgroup/cpu.max", limit}}) == 0.5);
    CHECK(processors({{"proc/self/mountinfo", mount},
                      {"proc/self/cgroup", "0::/docker/c1/inner\n"},
                      {"sys/fs/cgroup/inner/cpu.max", limit}}) == 0.5);
    CHECK(processors({{"proc/self/mountinfo", mount},
                      {"proc/self/cgroup", "0::/docker/c12\n"},
                      {"sys/fs/cgroup/cpu.max", limit}}) == 0.5);
    CHECK(processors({{"proc/self/mountinfo", mount_of_two},
                      {"proc/self/cgroup", "0::/../elsewhere\n"},
                      {"sys/fs/cgroup/cpu.max", limit}}) == 0.5);
}

TEST_CASE("cgroups: files that are missing or make no sense limit nothing", "[emu]")
{
    CHECK(processors({}) == no_quota);
    for (const char* const text : {"", "max", "0 100000", "-5 100000", "100000 0", "many 100000"})
        CHECK(processors({{"proc/self/mountinfo", mount_of_two}, {"sys/fs/cgroup/cpu.max", text}}) == no_quota);
    for (const char* const line : {"", "\n", "30 23", "30 23 0:26 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n"})
        CHECK(processors({{"proc/self/mountinfo", line}, {"sys/fs/cgroup/cpu.max", "50000 100000\n"}}) == no_quota);
}

TEST_CASE("cgroups: throttling is counted in all groups around a process, by the names of either version", "[emu]")
{
    const HostTree two(
        {{"proc/self/mountinfo", mount_of_two},
         {"proc/self/cgroup", "0::/job/step\n"},
         {"sys/fs/cgroup/job/cpu.stat", "usage_usec 9\nnr_periods 5\nnr_throttled 2\nthrottled_usec 300\n"},
         {"sys/fs/cgroup/job/step/cpu.stat", "nr_throttled 1\nthrottled_usec 1000\n"},
         {"sys/fs/cgroup/other/cpu.stat", "nr_throttled 100\nthrottled_usec 100\n"}});
    CHECK(detail::throttling(two.root()).times == 3);
    CHECK(detail::throttling(two.root()).seconds == Approx(1.3e-3));

    const HostTree one(
        {{"proc/self/mountinfo", mounts_of_one},
         {"proc/self/cgroup", "4:cpuacct,cpu:/job\n"},
         {"sys/fs/cgroup/cpu,cpuacct/job/cpu.stat", "nr_periods 5\nnr_throttled 4\nthrottled_time 7000000\n"}});
    CHECK(detail::throttling(one.root()).times == 4);
    CHECK(detail::throttling(one.root()).seconds == Approx(7e-3));

    for (const char* const text : {"", "nr_throttled", "nr_throttled many", "throttled 5\n"}) {
        const HostTree odd({{"proc/self/mountinfo", mount_of_two}, {"sys/fs/cgroup/cpu.stat", text}});
        CHECK(detail::throttling(odd.root()).times == 0);
        CHECK(detail::throttling(odd.root()).seconds == 0);
    }
}

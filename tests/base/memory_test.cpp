// The system's figures about its memory.

#include "base/memory.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/host_tree.hpp"

#include <cstdint>
#include <limits>
#include <string>

using namespace dcube;
using dcube::test::HostTree;

namespace {

constexpr std::size_t most = std::numeric_limits<std::size_t>::max();

// The allowance in a group of version 2 with these files, within one that grants 20 000 bytes.
std::size_t allowance(const std::string& limit, const std::string& usage, const std::string& statistics)
{
    const HostTree tree({{"proc/self/mountinfo", "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"},
                         {"proc/self/cgroup", "0::/a/b\n"},
                         {"sys/fs/cgroup/a/memory.max", "1000000\n"},
                         {"sys/fs/cgroup/a/memory.current", "980000\n"},
                         {"sys/fs/cgroup/a/b/memory.max", limit},
                         {"sys/fs/cgroup/a/b/memory.current", usage},
                         {"sys/fs/cgroup/a/b/memory.stat", statistics}});
    return detail::cgroup_allowance(tree.root());
}

}  // namespace

TEST_CASE("files in the cache of a container do not count as used memory", "[emu]")
{
    const std::string statistics = "anon 5000\nfile 900\nactive_file 200\ninactive_file 700\nslab 3\n";
    CHECK(allowance("10000\n", "6000\n", statistics) == 10000 - 6000 + 700);
    CHECK(allowance("10000\n", "6000\n", "anon 5000\n") == 4000);
    CHECK(allowance("10000\n", "500\n", statistics) == 10000);
    CHECK(allowance("5000\n", "6000\n", "") == 0);
    CHECK(detail::cgroup_allowance("/no/such/root/") == most);
}

TEST_CASE("the least memory of a process's cgroup and of all around it counts, in both versions", "[emu]")
{
    CHECK(allowance("max\n", "6000\n", "") == 20000);
    CHECK(allowance("30000\n", "6000\n", "") == 20000);
    const std::string top = "sys/fs/cgroup/memory/";
    const HostTree one({{"proc/self/mountinfo", "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"},
                        {"proc/self/cgroup", "4:memory:/job\n"},
                        {top + "memory.limit_in_bytes", "9223372036854771712\n"},
                        {top + "memory.usage_in_bytes", "5000000\n"},
                        {top + "job/memory.limit_in_bytes", "9000\n"},
                        {top + "job/memory.usage_in_bytes", "5000\n"},
                        {top + "job/memory.stat", "inactive_file 1\ntotal_inactive_file 500\n"}});
    CHECK(detail::cgroup_allowance(one.root()) == 4500);
}

TEST_CASE("only little memory is taken to be available without a question", "[emu]")
{
    CHECK(assumed_available(64 << 10));
    CHECK_FALSE(assumed_available(std::uint64_t{64} << 20));
    CHECK_FALSE(assumed_available(most));
}

// Facts read about a machine, from trees of files that are made up.

#include "tests/support/catch.hpp"
#include "tests/support/host_tree.hpp"

#include "inspect/measure/host.hpp"
#include "inspect/measure/host_document.hpp"
#include "inspect/measure/host_files.hpp"

#include <dcube/version.hpp>

#include <algorithm>
#include <chrono>
#include <regex>
#include <string>
#include <vector>

using namespace dcube::measure;
using namespace dcube::test;

namespace {

Host host_of(const Files& files)
{
    const HostTree tree(files);
    return this_host({tree.root(), std::chrono::milliseconds(0)});
}

bool warns_of(const Host& host, unsigned threads, const std::string& text)
{
    return std::ranges::any_of(warnings(host, threads),
                               [&](const std::string& one) { return one.find(text) != std::string::npos; });
}

// A host about which there is nothing to report.
Host quiet_host()
{
    Host host;
    for (unsigned number = 0; number < 4; ++number)
        host.processors.push_back({number, number, 0, 0});
    host.usable_threads = 4;
    host.load_average = {0.1, 0.1, 0.1};
    host.idle_processors = 3.9;
    host.steal_share = 0.0;
    host.throttled = 0;
    host.governor = "performance";
    return host;
}

}  // namespace

TEST_CASE("host: two sockets with NUMA nodes are described with their cores, caches and memory", "[measure][host]")
{
    const Host host = host_of(two_sockets());
    CHECK(host.cpu == "Made Up 9000");
    REQUIRE(host.processors.size() == 64);
    CHECK(host.cores == 32U);
    CHECK(host.sockets == 2U);
    CHECK(host.threads_per_core() == 2U);
    CHECK(host.numa_nodes == 2U);
    CHECK(host.processors[40].core == 8);
    CHECK(host.processors[40].socket == 0);
    CHECK(host.processors[40].numa_node == 0);
    CHECK(host.processors[50].core == 18);
    CHECK(host.processors[50].socket == 1);
    CHECK(host.processors[50].numa_node == 1);
    REQUIRE(host.caches.size() == 4);
    CHECK(host.caches[1] == Cache{1, "instruction", 64U << 10U, 2});
    CHECK(host.caches[3] == Cache{3, "unified", 24U << 20U, 16});
    CHECK(host.last_caches() == 4);
    CHECK(host.last_cache_bytes() == 96U << 20U);
    CHECK(host.core_cache_bytes() == 1U << 20U);
    CHECK(host.memory_bytes == std::uint64_t{263000000} << 10U);
    CHECK(host.huge_pages == "madvise");
    CHECK(host.governor == "powersave");
    CHECK(host.frequency_hz == 1.2e9);
    CHECK(host.most_frequency_hz == 3.5e9);
    CHECK(host.kernel == "Linux 6.1.0-18-amd64");
    CHECK(host.system == "Made Up GNU/Linux 3");
    CHECK(host.load_average->at(2) == 1.75);
    CHECK(host.throttled == 7U);  // cores, not processors
}

TEST_CASE("host: a fact that cannot be read is null", "[measure][host]")
{
    const Host host = host_of(bare_arm());
    CHECK(host.cpu == "implementer 0x41, part 0xd0c");
    CHECK(host.processors.size() == 2);
    const auto json = host_document(host);
    for (const char* const key :
         {"cores", "sockets", "threads_per_core", "numa_nodes", "memory_bytes", "huge_pages", "governor", "kernel",
          "system", "load_average", "idle_processors", "steal_share", "throttled"}) {
        CAPTURE(key);
        REQUIRE(json.contains(key));
        CHECK(json[key].is_null());
    }
    CHECK(json["processors"] == 2);
    CHECK(json["caches"].empty());
    CHECK(json["frequency_hz"]["now"].is_null());

    const auto empty = host_document(host_of({}));
    CHECK(empty["cpu"].is_null());
    CHECK(empty["processors"].is_null());
    CHECK(empty["fingerprint"].get<std::string>().size() == 16);
}

TEST_CASE("host: nonsense in its files is as good as no file", "[measure][host]")
{
    const Host host = host_of({{"proc/cpuinfo", "model name\t:\n"},
                               {"proc/meminfo", "MemTotal: many kB\n"},
                               {"proc/loadavg", "busy\n"},
                               {"proc/stat", "cpu one two\n"},
                               {"sys/kernel/mm/transparent_hugepage/enabled", "always madvise\n"},
                               {"sys/devices/system/cpu/online", "0-\n"},
                               {"sys/devices/system/node/online", "7-3\n"}});
    CHECK(host.cpu.empty());
    CHECK(host.processors.empty());
    CHECK_FALSE(host.memory_bytes);
    CHECK_FALSE(host.load_average);
    CHECK_FALSE(host.huge_pages);
    CHECK_FALSE(host.numa_nodes);
}

TEST_CASE("host: different machines have different fingerprints, and one machine always the same", "[measure][host]")
{
    const Files files = two_sockets();
    const HostTree tree(files);
    const std::string fingerprint = fingerprint_of_host(tree.root());
    CHECK(std::regex_match(fingerprint, std::regex("[0-9a-f]{16}")));
    CHECK(fingerprint == this_host({tree.root(), std::chrono::milliseconds(0)}).fingerprint);

    const auto changed = [&](const std::string& file, const std::string& text) {
        tree.write(file, text);
        const std::string other = fingerprint_of_host(tree.root());
        tree.write(file, files.at(file));
        return other;
    };
    CHECK(changed("proc/loadavg", "9 9 9 1/2 3\n") == fingerprint);
    CHECK(changed("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n") == fingerprint);
    CHECK(changed("proc/meminfo", "MemTotal: 263000128 kB\n") == fingerprint);  // the kernel took less at the start
    CHECK(changed("proc/meminfo", "MemTotal: 131500000 kB\n") != fingerprint);
    CHECK(changed("proc/cpuinfo", "model name : Made Up 9001\n") != fingerprint);
    CHECK(changed("sys/devices/system/cpu/online", "0-31\n") != fingerprint);
    CHECK(changed("sys/devices/system/cpu/cpu0/cache/index3/size", "32M\n") != fingerprint);
    CHECK(changed("sys/devices/system/node/online", "0\n") != fingerprint);
}

TEST_CASE("host: the time that processors idle and that is stolen is between two looks", "[measure][host]")
{
    const HostTree tree(two_sockets());
    const auto times = processor_times(tree.root());
    REQUIRE(times);
    CHECK(times->all == 2000);
    CHECK(times->idle == 1700);
    CHECK(times->steal == 100);
    const Host host = this_host({tree.root(), std::chrono::milliseconds(1)});  // nothing moved: nothing is known
    CHECK_FALSE(host.idle_processors);
    CHECK_FALSE(host.steal_share);
}

TEST_CASE("host: this machine is described as far as its kernel allows", "[measure][host]")
{
    const Host host = this_host();
    CHECK_FALSE(host.processors.empty());
    CHECK_FALSE(host.architecture.empty());
    CHECK(host.page_bytes >= 4096);
    CHECK(host.usable_threads >= 1);
    CHECK(host.fingerprint == fingerprint_of_host());
    if (host.idle_processors) {
        CHECK(*host.idle_processors >= 0);
        CHECK(*host.idle_processors <= static_cast<double>(host.processors.size()) + 1e-9);
    }
}

TEST_CASE("host: the quota of the process's cgroup is reported, if there is one", "[measure][host]")
{
    CHECK_FALSE(host_of(two_sockets()).processor_quota);
    CHECK(host_document(host_of(two_sockets()))["processor_quota"].is_null());
    Files files = two_sockets();
    files["proc/self/mountinfo"] = "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
    files["proc/self/cgroup"] = "0::/job\n";
    files["sys/fs/cgroup/job/cpu.max"] = "25000 100000\n";
    CHECK(host_of(files).processor_quota == 0.25);
}

TEST_CASE("host: the processors that the process may run on are as the kernel lists them", "[measure][host]")
{
    CHECK(host_document(host_of(two_sockets()))["affinity"].is_null());
    Files files = two_sockets();
    files["proc/self/status"] = "Name:\tdcube\nCpus_allowed:\t10f\nCpus_allowed_list:\t0-3,8\n";
    CHECK(host_document(host_of(files))["affinity"] == "0-3,8");
}

TEST_CASE("host: memory in huge pages is that of the look that found the largest share", "[measure][host]")
{
    const HostTree tree({});
    PageWatch pages(tree.root());
    const auto look = [&](const std::string& huge) {
        tree.write("proc/self/smaps_rollup", "Rss: 9000 kB\nAnonymous:          8000 kB\n" + huge);
        pages.look();
        return pages.used();
    };
    CHECK(look("").empty());
    CHECK(look("AnonHugePages:         0 kB\n") == "none");
    CHECK(look("AnonHugePages:      3999 kB\n") == "some");
    CHECK(look("AnonHugePages:      4000 kB\n") == "most");
    CHECK(look("AnonHugePages:         0 kB\n") == "most");
}

TEST_CASE("host: the kernel's lists and sizes are read", "[measure][host]")
{
    CHECK(number_list("0-3,8") == std::vector<unsigned>{0, 1, 2, 3, 8});
    CHECK(number_list("5") == std::vector<unsigned>{5});
    for (const char* const wrong : {"", "a", "3-", "-3", "4-2", "1,,2", "1;2", "0-99999999"}) {
        CAPTURE(wrong);
        CHECK(number_list(wrong).empty());
    }
    CHECK(bytes_in("32K") == 32U << 10U);
    CHECK(bytes_in("8M") == 8U << 20U);
    CHECK(bytes_in("512") == 512U);
    CHECK_FALSE(bytes_in("K"));
}

TEST_CASE("host: warnings say why a measurement is not to be trusted, each for itself", "[measure][host]")
{
    const Host quiet = quiet_host();
    for (const char* const text : {"busy", "idle", "hypervisor", "heat", "governor", "asked for"}) {
        CAPTURE(text);
        CHECK_FALSE(warns_of(quiet, 4, text));
    }

    const auto with = [&](auto change) {
        Host host = quiet;
        change(host);
        return host;
    };
    const Host loaded = with([](Host& host) { host.load_average = {2.0, 0.1, 0.1}; });
    CHECK(warns_of(loaded, 4, "load average of 2.0"));
    CHECK_FALSE(warns_of(loaded, 2, "busy"));  // there is room for both
    CHECK(warns_of(with([](Host& host) { host.idle_processors = 1.5; }), 4, "1.5 idle processors"));
    CHECK(warns_of(with([](Host& host) { host.steal_share = 0.2; }), 1, "took 20 %"));
    CHECK(warns_of(with([](Host& host) { host.throttled = 3; }), 1, "heat has slowed cores down 3 times"));
    CHECK(warns_of(with([](Host& host) { host.governor = "powersave"; }), 1, "governor is powersave"));
    CHECK(warns_of(with([](Host& host) { host.usable_threads = 2; }), 4, "may use 2 of the 4 processors"));
    CHECK(warns_of(with([](Host& host) { host.processor_quota = 0.5; }), 1, "the cgroup grants 0.5 of a processor"));
    CHECK(warns_of(with([](Host& host) { host.processor_quota = 1.5; }), 1, "the cgroup grants 1.5 processors"));
    CHECK_FALSE(warns_of(with([](Host& host) { host.processor_quota = 2; }), 1, "cgroup"));
    CHECK_FALSE(warns_of(with([](Host& host) { host.processor_quota = 4.5; }), 4, "cgroup"));  // more than there are
}

TEST_CASE("host: two processors are as near as what they share", "[measure][host]")
{
    const Host host = host_of(two_sockets());
    CHECK(level_of_pair(host, 0, 32) == "same core");
    CHECK(level_of_pair(host, 0, 7) == "same last cache");
    CHECK(level_of_pair(host, 39, 1) == "same last cache");
    CHECK(level_of_pair(host, 7, 8) == "same socket");
    CHECK(level_of_pair(host, 0, 16) == "other socket");
    CHECK(level_of_pair(host, 0, 64) == "unknown");
    CHECK(level_of_pair(host_of(bare_arm()), 0, 1) == "same socket");  // no caches are known
}

TEST_CASE("host: a quota that stops the process meanwhile is a warning", "[measure][host]")
{
    const HostTree tree({{"proc/self/mountinfo", "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"},
                         {"sys/fs/cgroup/cpu.stat", "nr_throttled 3\nthrottled_usec 5000000\n"}});
    const QuotaWatch quota(tree.root());
    CHECK(quota.warning().empty());
    tree.write("sys/fs/cgroup/cpu.stat", "nr_throttled 15\nthrottled_usec 5600000\n");
    CHECK(quota.warning() == "the cgroup's quota stopped dcube 12 times, for 0.6 s of processor time");
}

TEST_CASE("host: a document's head has the program and the date", "[measure][host]")
{
    const auto program = program_document();
    for (const char* const key : {"version", "commit", "compiler", "flags", "build_type", "sanitizers"})
        CHECK(program.contains(key));
    CHECK(program["version"] == dcube::version());
    CHECK(std::regex_match(now_text(), std::regex(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)")));
}

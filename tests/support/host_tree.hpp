#pragma once
// Made-up machines: trees of the files in which a kernel describes itself.

#include "tests/support/files.hpp"

#include <filesystem>
#include <map>
#include <string>

namespace dcube::test {

/// A folder with these files, by their paths below it; gone at the end of the test.
class HostTree {
public:
    explicit HostTree(const std::map<std::string, std::string>& files)
    {
        for (const auto& [name, text] : files)
            write(name, text);
    }

    void write(const std::string& name, const std::string& text) const
    {
        const std::filesystem::path path = folder_.file(name);
        std::filesystem::create_directories(path.parent_path());
        write_text(path, text);
    }

    [[nodiscard]] std::string root() const { return folder_.file(""); }

private:
    TemporaryFolder folder_;
};

using Files = std::map<std::string, std::string>;

/// Two sockets of 16 cores of two processors, as Linux numbers them: 0 to 31 are the cores' first ones, 32 to 63 their
/// second ones. Each socket is a NUMA node with two caches of the last level.
inline Files two_sockets()
{
    Files files{{"proc/cpuinfo", "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel name\t: Made Up 9000\n"
                                 "cpu MHz\t\t: 2100.000\n"},
                {"proc/meminfo", "MemTotal:       263000000 kB\nMemFree:        1 kB\n"},
                {"proc/loadavg", "0.25 0.50 1.75 1/1234 5678\n"},
                {"proc/stat", "cpu  100 0 100 1700 0 0 0 100 0 0\ncpu0 1 2 3\n"},
                {"proc/sys/kernel/ostype", "Linux\n"},
                {"proc/sys/kernel/osrelease", "6.1.0-18-amd64\n"},
                {"etc/os-release", "NAME=\"Made Up\"\nPRETTY_NAME=\"Made Up GNU/Linux 3\"\n"},
                {"sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n"},
                {"sys/devices/system/cpu/online", "0-63\n"},
                {"sys/devices/system/node/online", "0-1\n"},
                {"sys/devices/system/node/node0/cpulist", "0-15,32-47\n"},
                {"sys/devices/system/node/node1/cpulist", "16-31,48-63\n"},
                {"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n"},
                {"sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "1200000\n"},
                {"sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "3500000\n"}};
    for (unsigned number = 0; number < 64; ++number) {
        const std::string folder = "sys/devices/system/cpu/cpu" + std::to_string(number) + "/";
        const unsigned core = number % 32;
        files[folder + "topology/thread_siblings_list"] = std::to_string(core) + "," + std::to_string(core + 32) + "\n";
        files[folder + "topology/physical_package_id"] = core < 16 ? "0\n" : "1\n";
        files[folder + "thermal_throttle/core_throttle_count"] = number == 3 || number == 35 ? "7\n" : "0\n";
    }
    const auto cache = [&](unsigned index, const char* level, const char* type, const char* size, const char* shared) {
        const std::string folder = "sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
        files[folder + "level"] = level;
        files[folder + "type"] = type;
        files[folder + "size"] = size;
        files[folder + "shared_cpu_list"] = shared;
    };
    cache(0, "1\n", "Data\n", "32K\n", "0,32\n");
    cache(1, "1\n", "Instruction\n", "64K\n", "0,32\n");
    cache(2, "2\n", "Unified\n", "1024K\n", "0,32\n");
    cache(3, "3\n", "Unified\n", "24M\n", "0-7,32-39\n");
    for (unsigned number = 1; number < 64; ++number) {
        const std::string folder = "sys/devices/system/cpu/cpu" + std::to_string(number) + "/cache/index0/";
        const unsigned first = number % 32 / 8 * 8;
        files[folder + "level"] = "3\n";
        files[folder + "shared_cpu_list"] = std::to_string(first) + "-" + std::to_string(first + 7) + "," +
                                            std::to_string(first + 32) + "-" + std::to_string(first + 39) + "\n";
    }
    return files;
}

/// An ARM board whose kernel has no /sys for us.
inline Files bare_arm()
{
    return {{"proc/cpuinfo", "processor\t: 0\nBogoMIPS\t: 50.00\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n\n"
                             "processor\t: 1\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n"}};
}

}  // namespace dcube::test

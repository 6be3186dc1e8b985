#pragma once
// The machine under us as the kernel describes it: what a measurement has to carry to be compared with another.

#include "base/cgroups.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dcube::measure {

struct Cache {
    unsigned level = 0;
    std::string kind;  ///< "data", "instruction" or "unified"
    std::uint64_t bytes = 0;
    unsigned shared_by = 1;  ///< processors

    bool operator==(const Cache&) const = default;
};

/// A processor, as the kernel counts them, and where it is: of the same core are those with the same `core`.
struct Processor {
    unsigned number = 0;
    unsigned core = 0;    ///< the smallest number of a processor of this core
    unsigned socket = 0;  ///< in the order in which the kernel lists them, from 0
    unsigned numa_node = 0;
    /// The smallest number of a processor that shares the last level of cache; empty where the kernel lists no caches.
    std::optional<unsigned> last_cache{};
};

/// The kernel's counts for all processors since it started, in its ticks.
struct ProcessorTimes {
    std::uint64_t all = 0;
    std::uint64_t idle = 0;   ///< waiting for a disk included
    std::uint64_t steal = 0;  ///< taken by the hypervisor for other guests
};

/// Facts about a host. Those that cannot be read are empty.
struct Host {
    std::string cpu;  ///< "AMD EPYC 7763 64-Core Processor"; on ARM its implementer and part
    std::string architecture;
    std::vector<Processor> processors;  ///< the processors online
    std::vector<Cache> caches;          ///< the caches that the first processor sees
    std::optional<unsigned> cores;
    std::optional<unsigned> sockets;
    std::optional<unsigned> numa_nodes;
    std::optional<std::uint64_t> memory_bytes;
    std::uint64_t page_bytes = 0;
    std::optional<std::string> huge_pages;  ///< the setting of transparent ones: "always", "madvise" or "never"
    std::optional<std::string> governor;    ///< the first processor's, as are the next two
    std::optional<double> frequency_hz;
    std::optional<double> most_frequency_hz;
    std::string kernel;  ///< "Linux 6.1.0"
    std::string system;  ///< "Debian GNU/Linux 12 (bookworm)"
    std::optional<std::array<double, 3>> load_average;
    std::optional<double> idle_processors;   ///< on average while HostSource::watched lasted
    std::optional<double> steal_share;       ///< share of the processors' time in the same while
    std::optional<std::uint64_t> throttled;  ///< times that heat slowed a core down since the kernel started
    unsigned usable_threads = 1;  ///< processors, less what affinity and cgroup quotas take from this process
    std::string affinity;         ///< the processors that this process may run on, as the kernel lists them: "0-3,8"
    std::optional<double> processor_quota;  ///< processors' worth of time that the cgroups grant this process
    std::string fingerprint;                ///< 16 hex digits of what stays the same from boot to boot

    [[nodiscard]] std::optional<unsigned> threads_per_core() const;
    /// The bytes of the last level of cache, all of them in the machine together; empty where there is none known.
    [[nodiscard]] std::optional<std::uint64_t> last_cache_bytes() const;
    /// The number of caches of the last level; 0 if none is known.
    [[nodiscard]] std::size_t last_caches() const;
    /// The bytes of one core's second-level cache, or of its first-level one where that is the last.
    [[nodiscard]] std::optional<std::uint64_t> core_cache_bytes() const;
};

struct HostSource {
    std::string root = "/";                  ///< the folder under which proc, sys and etc are; ends with "/"
    std::chrono::milliseconds watched{100};  ///< for how long idle and stolen time are watched; 0: not at all
};

/// Reads all of it. Takes as long as the processors are watched.
Host this_host(const HostSource& source = {});

/// The nearest that two processors share: "same core", "same last cache", "same socket" (also where their caches are
/// not known), "other socket", or "unknown" for one that the kernel does not list.
std::string_view level_of_pair(const Host& host, unsigned a, unsigned b);

/// Only Host::fingerprint, at once: XXH3-64 of the cpu, its processors, cores, sockets, caches, NUMA nodes, and memory
/// in whole GiB.
std::string fingerprint_of_host(const std::string& root = "/");

/// The processor time that other programs use meanwhile: all that is not idle, less the time of this process.
class OthersWatch {
public:
    OthersWatch();
    /// Processors on average since it was made; empty where /proc/stat cannot be read, or after less than
    /// a fifth of a second, for which the kernel counts too coarsely.
    [[nodiscard]] std::optional<double> processors() const;

private:
    std::optional<ProcessorTimes> began_;
    double own_seconds_;
};

/// How often the quotas of cgroups stop this process's groups meanwhile, all other processes in them included.
class QuotaWatch {
public:
    explicit QuotaWatch(std::string root = "/");
    /// "the cgroup's quota stopped dcube 12 times, for 0.6 s of processor time"; empty if it did not.
    [[nodiscard]] std::string warning() const;

private:
    std::string root_;
    detail::Throttling began_;
};

/// How much of this process's memory is in transparent huge pages.
class PageWatch {
public:
    explicit PageWatch(std::string root = "/");
    void look();
    /// "none", "some" or, from half on, "most", at the look that found the largest share; empty where the system does
    /// not say.
    [[nodiscard]] std::string used() const;

private:
    std::string root_;
    std::optional<double> largest_share_;
};

/// Empty where /proc/stat cannot be read.
std::optional<ProcessorTimes> processor_times(const std::string& root = "/");

}  // namespace dcube::measure

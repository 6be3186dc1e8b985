#include "base/threads.hpp"

#include <dcube/machine.hpp>

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <limits>

namespace dcube {

namespace {

// The processors' worth of time that the cgroup grants. Version 2 writes "quota period" or "max period" to cpu.max;
// version 1 has a file for each, quota -1 for none. oneTBB 2021.8 knows neither.
double cgroup_quota()
{
    double quota = 0;
    double period = 0;
    if (std::ifstream("/sys/fs/cgroup/cpu.max") >> quota >> period && period > 0)
        return quota / period;
    if (std::ifstream("/sys/fs/cgroup/cpu/cpu.cfs_quota_us") >> quota &&
        std::ifstream("/sys/fs/cgroup/cpu/cpu.cfs_period_us") >> period && quota > 0 && period > 0)
        return quota / period;
    return std::numeric_limits<double>::infinity();
}

}  // namespace

unsigned available_threads()
{
    cpu_set_t affinity;
    CPU_ZERO(&affinity);
    unsigned threads = detail::hardware_threads();
    if (sched_getaffinity(0, sizeof affinity, &affinity) == 0)
        threads = std::min(threads, static_cast<unsigned>(CPU_COUNT(&affinity)));
    return std::max(1U, static_cast<unsigned>(std::min<double>(threads, cgroup_quota())));
}

}  // namespace dcube

#include "base/cgroups.hpp"
#include "base/threads.hpp"

#include <dcube/machine.hpp>

#include <sched.h>

#include <algorithm>

namespace dcube {

// oneTBB 2021.8 knows no quota.
unsigned available_threads()
{
    cpu_set_t affinity;
    CPU_ZERO(&affinity);
    unsigned threads = detail::hardware_threads();
    if (sched_getaffinity(0, sizeof affinity, &affinity) == 0)
        threads = std::min(threads, static_cast<unsigned>(CPU_COUNT(&affinity)));
    return std::max(1U, static_cast<unsigned>(std::min<double>(threads, detail::processor_quota())));
}

}  // namespace dcube

#include "base/cgroups.hpp"
#include "base/threads.hpp"

#include <dcube/machine.hpp>

#include <algorithm>

#ifdef __linux__
#include <sched.h>
#endif

namespace dcube {

// oneTBB 2021.8 knows no quota.
unsigned available_threads()
{
    unsigned threads = detail::hardware_threads();
#ifdef __linux__
    cpu_set_t affinity;
    CPU_ZERO(&affinity);
    if (sched_getaffinity(0, sizeof affinity, &affinity) == 0)
        threads = std::min(threads, static_cast<unsigned>(CPU_COUNT(&affinity)));
#endif
    return std::max(1U, static_cast<unsigned>(std::min<double>(threads, detail::processor_quota())));
}

}  // namespace dcube

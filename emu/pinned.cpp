// A pinned thread, by the kernel's own calls: hwloc's masks would allocate memory at every loan. Only Linux has them.

#include "emu/pinning.hpp"

#ifdef __linux__

#include <sched.h>

#include <bit>

namespace dcube::detail {

Pinned::Pinned(const Pins& pins, std::size_t worker)
{
    if (!pins.any())
        return;
    cpu_set_t before;
    cpu_set_t wanted;
    CPU_ZERO(&wanted);
    CPU_SET(pins.of(worker), &wanted);
    if (sched_getaffinity(0, sizeof before, &before) == 0 && sched_setaffinity(0, sizeof wanted, &wanted) == 0)
        before_ = std::bit_cast<Mask>(before);
}

Pinned::~Pinned()
{
    if (!before_)
        return;
    const auto before = std::bit_cast<cpu_set_t>(*before_);
    sched_setaffinity(0, sizeof before, &before);
}

}  // namespace dcube::detail

#else

namespace dcube::detail {

Pinned::Pinned(const Pins&, std::size_t) {}
Pinned::~Pinned() = default;

}  // namespace dcube::detail

#endif

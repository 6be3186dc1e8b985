#pragma once
// How much is measured, and by which clock: parameters, so that a test measures everything once and at once.

#include "measure/team.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace dcube::measure {

struct Effort {
    double seconds = 0.05;  ///< for one figure, all its batches together
    unsigned batches = 5;   ///< of which a figure is the median, or the best
    TimeSource clock = steady_seconds;
    std::function<void()> before_each = [] {};  ///< is called before every figure; what it throws ends the measurement
};

/// The seconds that one turn of something takes.
struct Seconds {
    double median = 0;
    double best = 0;
};

/// `batch` does something as many times as it is told, and returns the seconds which that took. It is given more turns
/// until a batch lasts its share of the effort's seconds; then the batches are measured.
Seconds measured(const Effort& effort, const std::function<double(std::uint64_t turns)>& batch);

/// What the compiler has to believe is read and written here.
inline void use(void* bytes)
{
    asm volatile("" : : "r"(bytes) : "memory");
}

}  // namespace dcube::measure

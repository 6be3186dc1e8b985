#pragma once
// Rates from times, and times against the same work with fewer threads.

#include "inspect/measure/estimate.hpp"
#include "inspect/measure/statistics.hpp"

#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dcube::measure {

/// A collective's size and bus bandwidth as nccl-tests define them (their doc/PERFORMANCE.md): the size S is the vector
/// of all-reduce, broadcast, reduce, send, exchange and permute (and of scans, which they lack), and the whole array of
/// a rank that is gathered or scattered (a message for each rank); algbw = S / time, busbw = algbw * factor. The factor
/// makes of algbw what each rank's one port would have to carry: 2(n-1)/n for all-reduce, (n-1)/n where a rank keeps
/// its own part, else 1.
struct Traffic {
    std::uint64_t size_bytes = 0;
    double bus_factor = 1;
};
/// Empty for matrices, which nccl-tests do not know.
std::optional<Traffic> traffic_of(const Problem& problem, const Topology& topology);

/// A cell among those that do the same work with other numbers of threads.
struct Timed {
    std::string family;    ///< equal for those that are compared
    unsigned threads = 1;  ///< requested: the base has the fewest
    unsigned used = 1;     ///< that worked, by which an efficiency is divided
    double seconds = 1;    ///< the estimate, > 0
    std::optional<Interval> interval{};
    std::span<const Round> rounds{};
    double work = 1;  ///< in any unit, > 0: equal within a family for strong scaling, larger with more threads for weak
};

/// Against the member of the family with the fewest threads, its base.
struct Scaling {
    double speed_up = 1;                          ///< work a second over the base's
    double efficiency = 1;                        ///< the same of work per second and used thread
    std::optional<Interval> speed_up_interval{};  ///< empty where one of the two has no interval
    std::optional<Interval> efficiency_interval{};
};

/// One for each; empty for a cell of several threads that is alone in its family. The base's own interval is
/// [1, 1]. Cells that shared their rounds have intervals of the ratios in each round, others of the ratio of their
/// intervals.
std::vector<std::optional<Scaling>> scaling(std::span<const Timed> timed);

}  // namespace dcube::measure

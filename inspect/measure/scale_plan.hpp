#pragma once
// What `dcube scale` measures: chosen from the machine and its limits, for the time that there is.

#include "base/json.hpp"
#include "emu/pinning.hpp"
#include "inspect/measure/experiment.hpp"
#include "inspect/measure/limits.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dcube::measure {

struct Host;

/// The machine as the choice sees it.
struct ScaleGround {
    detail::ProcessorCounts processors{};
    unsigned usable_threads = 1;
    std::optional<std::uint64_t> last_cache_bytes{};  ///< all caches of the last level together
    std::uint64_t memory_bytes = 0;                   ///< that one cell may take
};

/// The ground under this process. Takes milliseconds.
ScaleGround ground_of(const Host& host);

/// An all-to-all on a hypercube.
struct ScaleCell {
    unsigned dim = 0;
    std::uint64_t bytes = 0;
    unsigned threads = 1;
    Pinning pin{};

    friend bool operator==(const ScaleCell&, const ScaleCell&) = default;
};

struct ScalePlan {
    std::vector<ScaleCell> cells;  ///< all different
    BenchEffort effort;            ///< without keep_bytes
    unsigned processes = 1;
    double seconds = 0;                ///< that measuring the cells is expected to take, at most
    std::vector<std::string> reasons;  ///< a sentence each
};

/// The cells that fit into so many seconds. Each number of threads that ends at a border of the machine (cores of one
/// cache, of one package, all cores, all processors) and the powers of two between; packets that lie in the channel,
/// that are a cache line, and larger ones; hypercubes from one that a core's own caches hold to one that is larger than
/// all caches. Where time is short, every second dimension is left out first, then packet sizes, then numbers of
/// threads. Without limits, times are guessed.
ScalePlan scale_plan(const ScaleGround& ground, const std::optional<Limits>& limits, double seconds,
                     unsigned processes);

/// The cells as a benchmark has them.
std::vector<Setup> setups_of(const ScalePlan& plan);

/// The plan as a document: schema, kind ("scale plan"), and the members of ScalePlan.
nlohmann::ordered_json scale_plan_document(const ScalePlan& plan);
/// The plan in such a document. Throws InvalidArgument, which names the file and what is wrong with it.
ScalePlan read_scale_plan(std::string_view text, const std::string& file);

}  // namespace dcube::measure

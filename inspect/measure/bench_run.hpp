#pragma once
// A benchmark from its cells to its document: measured on this host, beside its limits.

#include "inspect/measure/bench_document.hpp"

#include <dcube/stop.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dcube::measure {

/// Throws InvalidArgument where a cell is there twice, which it names.
void require_different(std::span<const Setup> setups);

/// Bytes that a cell will hold in the rank that holds most. Throws InvalidArgument: why it cannot be measured. There is
/// no such algorithm, or less memory is available.
std::uint64_t memory_needed(const Setup& setup);

/// The setups, which must outlive them, with the memory of each. A setup that cannot be prepared, because no such
/// algorithm suits it, has an obstacle when it is.
std::vector<Candidate> candidates_of(std::span<const Setup> setups, std::span<const std::uint64_t> memory,
                                     const StopToken& stop);

/// The given parts of an effort; the rest follows from them, or is as usual.
struct GivenEffort {
    std::optional<double> min_seconds{};
    std::optional<double> max_seconds{};
    std::optional<std::uint64_t> samples{};
    std::optional<std::uint64_t> rounds{};
    std::optional<std::uint64_t> warm_up{};
    std::optional<bool> check{};
    std::uint64_t seed = 1;  ///< for the order of the cells
};

/// The effort, without keep_bytes. max_seconds is less than min_seconds only where both were given so.
BenchEffort effort_of(const GivenEffort& given);

/// The head of a benchmark's document.
struct BenchHead {
    std::string command;  ///< the command that asks for it
    BenchEffort effort{};
    bool weak = false;
    std::optional<Limits> limits{};  ///< of this host; empty: those that dcube limits has kept
};

/// Measures all candidates, those of the setups, as experiment() does. The host is looked at before and meanwhile; a
/// cell has a limit if dcube limits has kept those of this host. Throws the first cell's obstacle if all have one, and
/// what experiment() throws.
Benchmark measured_benchmark(std::span<const Setup> setups, std::span<const Candidate> candidates,
                             const BenchHead& head, const Surroundings& surroundings);

}  // namespace dcube::measure

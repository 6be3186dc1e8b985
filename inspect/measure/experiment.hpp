#pragma once
// The same care for all that is measured: warmed up and checked first, then interleaved in rounds. A cell's samples are
// so spread over the whole time of the experiment, and what else happens meanwhile meets all cells alike.

#include "inspect/measure/subject.hpp"

#include <dcube/error.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace dcube::measure {

/// The extent of the measurements. Every cell gets a slice of time in each round, min_seconds / rounds or longer.
struct BenchEffort {
    double min_seconds = 0.4;  ///< for a cell's slices altogether, at least
    double max_seconds = 3;    ///< at most; a cell whose runs are so long that it is exceeded has fewer rounds
    std::size_t min_samples = 8;
    std::size_t max_samples_a_round = 1000;  ///< if there are more runs, every second, third, .. one is a sample
    unsigned rounds = 9;        ///< with 9, neither the least nor the largest median decides the 95 % interval
    unsigned warm_up_runs = 1;  ///< the first run of all is checked, which is a sample if none is before
    std::uint64_t order_seed = 1;
    bool check = true;
    std::uint64_t keep_bytes = 0;  ///< the memory that cells may hold together while they are interleaved
};

/// The rounds that a cell has however long its runs are, unless one alone takes longer than BenchEffort::max_seconds:
/// fewer have no interval, and cannot be compared.
inline constexpr unsigned fewest_rounds = 6;

/// A cell that is to be measured.
struct Candidate {
    std::uint64_t memory_bytes = 0;  ///< bytes that its subject will hold
    std::function<std::unique_ptr<Subject>()> prepare;
};

/// The result of a cell's slice of one round.
struct Round {
    std::size_t order = 0;  ///< slices of all cells that were measured before it
    std::vector<double> samples_seconds;
};

struct Outcome {
    Facts facts;
    std::vector<Round> rounds;
    bool interleaved = true;                    ///< false: too large to be kept beside others, and measured in one go
    bool interrupted = false;                   ///< a stop came before its last round
    std::optional<InvalidArgument> obstacle{};  ///< why it could not be measured
};

/// The progress of an experiment.
struct Stage {
    std::size_t prepared = 0;
    std::size_t cells = 0;
    std::optional<double> seconds_left;  ///< time left for measuring; empty until all are prepared
};

/// The surroundings of an experiment.
struct Surroundings {
    std::function<double()> now;  ///< seconds since any moment
    std::stop_token stop{};
    std::function<void(const Stage&)> tell = [](const Stage&) {};  ///< called between slices
};

/// Measures all candidates. Those that do not fit into keep_bytes together with all smaller ones come first, each by
/// itself from preparation to last round. All others are prepared, and then measured in rounds: in each every cell, in
/// an order drawn anew from the seed, gets its slice of time.
/// A candidate whose preparation throws InvalidArgument or std::bad_alloc has an obstacle. When a stop is requested,
/// the results of finished rounds are returned; candidates that have none have an obstacle. Throws Interrupted if there
/// is no such round, VerificationError, and any exception of the subjects.
std::vector<Outcome> experiment(std::span<const Candidate> candidates, const BenchEffort& effort,
                                const Surroundings& surroundings);

}  // namespace dcube::measure

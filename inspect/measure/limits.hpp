#pragma once
// The measured limits of this machine, in the units of the runs on it.

#include <dcube/machine.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dcube::measure {

/// Contiguous copies, every thread in memory of its own. Rates are bytes copied a second by all threads together: the
/// median of several measurements, and the best.
struct CopyRate {
    std::uint64_t working_set_bytes = 0;  ///< sources and destinations of all threads
    double bytes_per_second = 0;
    double best_bytes_per_second = 0;
};

/// Blocks copied from random places to random places of the working set; rates as above.
struct BlockRate {
    std::uint64_t block_bytes = 0;
    std::uint64_t working_set_bytes = 0;
    double bytes_per_second = 0;
    double best_bytes_per_second = 0;

    /// The time of a thread, from block to block.
    [[nodiscard]] double seconds_per_block(unsigned threads) const
    {
        return static_cast<double>(block_bytes) * threads / bytes_per_second;
    }
};

struct EmptyStep {
    std::uint64_t nodes = 0;
    double seconds = 0;                           ///< run as the clock chooses: by one thread or by all
    std::optional<double> all_threads_seconds{};  ///< run by all threads; empty if there is but one
};

struct ThreadLimits {
    unsigned threads = 1;
    std::vector<CopyRate> copies;   ///< by working set, ascending
    std::vector<BlockRate> blocks;  ///< by working set and then by block, ascending
    /// A step that all threads run, of a machine in which one node per thread is awake; the median, and the best. With
    /// one thread nothing waits: it is what the clock costs.
    double barrier_seconds = 0;
    std::vector<EmptyStep> empty_steps;  ///< a step in which every node is awake and does nothing; by nodes, ascending
    std::vector<StepSeconds> learned{};  ///< for these steps, by one thread and by all
    double best_barrier_seconds = 0;     ///< 0 in older documents, whose barrier one thread may have run alone
};

/// A packet put into a channel by one node and taken out by another.
struct ChannelLimits {
    double one_thread_seconds = 0;              ///< a push and its pop by the same thread
    std::optional<double> two_threads_seconds;  ///< by two threads that do nothing else; empty where there is but one
};

/// One cache line that two processors write in turn: seconds[a][b] is a handover from one to the other, half of the
/// round trip; empty on the diagonal.
struct Handover {
    std::vector<unsigned> processors;  ///< by the kernel's numbers
    std::vector<std::vector<std::optional<double>>> seconds;
};

/// Cache lines that a processor reads when another has just written them: medians, and the best.
struct LineRates {
    double line_seconds = 0;                 ///< a line whose address is in the line before: no two reads overlap
    double lines_per_second = 0;             ///< lines side by side: as many reads overlap as the processor can see
    double prefetched_lines_per_second = 0;  ///< the same, with prefetching
    double best_lines_per_second = 0;        ///< the best measurement, with prefetching or without
};

/// The pairs of processors of one level of the machine (level_of_pair()): the median of each rate, and the best.
struct LineLevel {
    std::string level;
    std::uint64_t pairs = 0;
    LineRates rates;
};

struct Lines {
    std::vector<unsigned> processors;                            ///< by the kernel's numbers
    std::vector<std::vector<std::optional<LineRates>>> rates{};  ///< [a][b] = [b][a]; empty on the diagonal
    std::vector<LineLevel> levels{};                             ///< the nearest first; those that have pairs
};

struct Pages {
    std::uint64_t page_bytes = 0;
    std::optional<std::string> huge_pages;  ///< the system's setting
    std::string used;                       ///< the pages that dcube got for the memory it asked for, in words
};

/// The results of `dcube limits`.
struct Limits {
    std::string date;                   ///< "2026-11-22T18:30:00Z"
    std::string fingerprint;            ///< the host's
    std::string pin;                    ///< "none", "compact" or "scatter"
    std::vector<std::string> warnings;  ///< why they may be too low: a busy machine, say
    bool quick = false;                 ///< measured roughly
    std::vector<ThreadLimits> threads;
    ChannelLimits channel;
    Handover handover;
    Pages pages;
    Lines lines{};  ///< empty in older documents, and with one processor
};

}  // namespace dcube::measure

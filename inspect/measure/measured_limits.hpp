#pragma once
// All limits of this machine, measured one after the other, and what each is measured by.

#include "inspect/measure/limits.hpp"
#include "inspect/measure/team.hpp"

#include <dcube/machine.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace dcube::measure {

struct Host;

/// The extent of the measurements, and their clock: parameters, so that a test measures everything once and at once.
struct Effort {
    double seconds = 0.05;  ///< for one figure, all its batches together
    unsigned batches = 5;   ///< a figure is their median, or the best
    TimeSource clock = steady_seconds;
    std::function<void()> before_each = [] {};  ///< is called before every figure; what it throws ends the measurement
    /// Called more often, on any thread: between batches, and while memory is made ready, which takes seconds where
    /// there is much. An exception from it ends the measurement, too.
    std::function<void()> look = [] {};
};

/// The seconds that one turn of something takes.
struct Seconds {
    double median = 0;
    double best = 0;
};

/// `batch` does something `turns` times and returns how many seconds that took. It is given more turns until a batch
/// lasts its share of the effort's seconds; then the batches are measured.
Seconds measured(const Effort& effort, const std::function<double(std::uint64_t turns)>& batch);

/// Makes the compiler assume that these bytes are read and written here.
inline void use(void* bytes)
{
    asm volatile("" : : "r"(bytes) : "memory");
}

/// The sizes that are measured with a number of threads, in bytes; ascending.
struct MemorySizes {
    std::vector<std::uint64_t> copies;        ///< working sets of contiguous copies: powers of 2 from 8 KiB per thread
    std::vector<std::uint64_t> working_sets;  ///< for scattered blocks: in a core's own caches, in the last, beyond it
    std::vector<std::uint64_t> blocks;        ///< powers of two from 8 bytes to 4 KiB
};

/// The largest working sets are at least four times all of the machine's cache of the last level, if `most_bytes`
/// allows it.
MemorySizes memory_sizes(const Host& host, unsigned threads, std::uint64_t most_bytes);

/// memcpy from one half of the working set to the other, in pieces of at most 64 KiB, as packets are. Every thread has
/// a stretch of its own, and has touched it first.
std::vector<CopyRate> copy_rates(Team& team, std::span<const std::uint64_t> working_sets, const Effort& effort);

/// Blocks from random places of one half of a thread's stretch to random places of the other. The order is prepared
/// before, and the next blocks are prefetched. Small ones are copied in registers, larger ones by the library's memcpy.
/// Blocks are powers of two from 8 to 4096 bytes; a thread's half is made a power of two too, of at least 4096 bytes,
/// and the working set is reported as it then is.
std::vector<BlockRate> block_rates(Team& team, std::span<const std::uint64_t> working_sets,
                                   std::span<const std::uint64_t> blocks, const Effort& effort);

/// The same machine, for whose every step all threads come, also for steps that one of them runs faster alone.
MachineOptions with_all_threads(const MachineOptions& options);

/// A step of the smallest machine on which this many threads work, where only every 16th node has not ended, and all
/// threads come: only the clock and its barrier are left. Throws InvalidArgument where the machine gets fewer threads
/// than options.threads.
Seconds barrier_seconds(const MachineOptions& options, const Effort& effort);

/// A step of hypercubes in which every node is resumed and does nothing: run as the clock chooses, and, where there are
/// several threads, by all of them. `nodes` are powers of two, of at least 64; fewer than 16 a thread occupy fewer
/// threads.
std::vector<EmptyStep> empty_steps(std::span<const std::uint64_t> nodes, const MachineOptions& options,
                                   const Effort& effort);

/// A packet's 32 bytes through the reference channel (--channel spsc), a boost::lockfree::spsc_queue of 64 places:
/// pushed and popped in turn by one thread, and pushed by one and popped by another as fast as both can. The threads
/// are those of the team; with one thread only the first is measured.
ChannelLimits channel_limits(Team& team, const Effort& effort);

/// The processors that this process may run on.
std::vector<unsigned> allowed_processors();

/// One cache line that two threads, kept to a pair of processors, write in turn: for each pair of them, one pair after
/// the other.
Handover handovers(std::span<const unsigned> processors, const Effort& effort);

/// Lines that one of two threads, kept to a pair of processors, has just written, read by the other: for each pair of
/// them, and summed up by the levels of the host.
Lines line_rates(std::span<const unsigned> processors, const Host& host, const Effort& effort);

/// The levels of the pairs that have been measured: the median of each rate, and the best.
std::vector<LineLevel> line_levels(const Lines& lines, const Host& host);

/// Asks for `bytes` as the machine does, touches them, and looks which share of them lies in huge pages.
Pages pages_in_use(const Host& host, std::uint64_t bytes);

/// The limits to be measured, and how thoroughly.
struct LimitsPlan {
    std::vector<unsigned> threads;      ///< ascending; none more than there are processors to use
    std::uint64_t most_bytes = 0;       ///< the largest working set
    std::vector<std::uint64_t> blocks;  ///< bytes; empty: all powers of two from 8 to 4096
    std::vector<std::uint64_t> nodes{1U << 6U, 1U << 10U, 1U << 14U};  ///< sizes of machines whose steps are empty
    std::vector<unsigned> handover_processors;  ///< between each two of which a cache line is handed over
    std::vector<unsigned> pin_to;               ///< the processors that threads keep to, in turn; empty: anywhere
    std::string pin = "none";
    bool quick = false;        ///< roughly, which the limits note
    MachineOptions machine{};  ///< the machine of the steps; its number of threads is set
    Effort effort{};
};

/// The usual plan, of about ten seconds on two processors; a tenth of that if `quick`. No threads: 1, 2, 4, .. and all
/// that this process may have.
LimitsPlan usual_plan(const Host& host, std::vector<unsigned> threads, bool quick,
                      const Pinning& pinning = Pinning::none);

/// The number of figures: Effort::before_each will be called that often.
std::size_t figures(const LimitsPlan& plan, const Host& host);

/// The measured limits, without warnings.
Limits measured_limits(const LimitsPlan& plan, const Host& host);

/// The same, with those of the host as it was before, and of what other programs took of it meanwhile.
Limits limits_of_host(const LimitsPlan& plan, const Host& host);

}  // namespace dcube::measure

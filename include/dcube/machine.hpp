#pragma once
/// @file
/// Machine: topology + port model + link model + threads. It runs a program on every node under a global barrier clock.

#include <dcube/counts.hpp>
#include <dcube/error.hpp>
#include <dcube/faults.hpp>
#include <dcube/link.hpp>
#include <dcube/node.hpp>
#include <dcube/stop.hpp>
#include <dcube/task.hpp>
#include <dcube/topology.hpp>
#include <dcube/trace.hpp>
#include <dcube/world.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)
namespace dcube {

/// @addtogroup program
/// @{

namespace detail {
class [[gnu::visibility("hidden")]] Engine;
class Workers;
}  // namespace detail

/// The bounded lock-free queue of a directed link. The rules and every count are the same.
enum class ChannelKind : std::uint8_t {
    slots,  ///< a ring of slots that carry their own full/empty mark
    spsc,   ///< boost::lockfree::spsc_queue, the reference
};
/// The kind as it is typed: "slots", "spsc".
std::string_view name(ChannelKind kind);
/// The kind of that name. Throws InvalidArgument.
ChannelKind parse_channel(std::string_view text);

/// Whether each of a machine's threads keeps to one processor while it works for the machine, and in which order
/// processors are taken. Results and counts are the same. While such a thread runs a program, threads that the program
/// starts, and its requests to the system, see one processor only. A machine has no more threads than processors that
/// its threads may be pinned to.
class Pinning {
public:
    /// The kinds. Of `compact` and `scatter`, every core gets one thread before any gets a second one.
    enum Kind : std::uint8_t {
        none,        ///< the system moves threads as it likes
        compact,     ///< neighbouring processors first: those that share caches and memory
        scatter,     ///< packages, memories (NUMA nodes) and caches take turns
        no_smt,      ///< as compact, but only one processor of each core
        one_per_l3,  ///< one processor of each third-level cache
        listed,      ///< processors(), in that order
    };

    /// Any kind but `listed`.
    Pinning(Kind kind = none) : kind_(kind) {}
    /// These processors, by the system's numbers, in that order. Throws InvalidArgument if there are none, or one is
    /// there twice.
    explicit Pinning(std::vector<unsigned> processors);

    /// How processors are chosen.
    [[nodiscard]] Kind kind() const { return kind_; }
    /// The processors of a list; empty for all other kinds.
    [[nodiscard]] const std::vector<unsigned>& processors() const { return processors_; }

    /// Equal, or in an order that is good for tables.
    friend std::strong_ordering operator<=>(const Pinning&, const Pinning&) = default;

private:
    Kind kind_;
    std::vector<unsigned> processors_{};
};
/// The pinning as it is typed: "none", "compact", "scatter", "no-smt", "one-per-l3", "0,2,4-7".
std::string name(const Pinning& pinning);
/// The pinning of that name. Throws InvalidArgument.
Pinning parse_pinning(std::string_view text);

/// The CPUs, by the system's numbers, to which a machine's threads are pinned in turn, out of those that the calling
/// thread may use; none for Pinning::none. Throws InvalidArgument if the system does not bind threads, lists no
/// third-level cache for one_per_l3, or the list has a processor that this thread may not use.
std::vector<unsigned> pinned_processors(const Pinning& pinning);

/// The threads that this process may really use: hardware threads, less what affinity and cgroup quotas take away.
unsigned available_threads();

/// The times that steps of a machine took in this process, for about the same work: by one thread, and by all.
struct StepSeconds {
    double alone = 0;     ///< 0 if that was not tried often enough
    double together = 0;  ///< the same
};
/// The times that machines of this many threads have learned for short steps, by work, ascending. They run each step in
/// the way that was faster.
std::vector<StepSeconds> learned_step_seconds(unsigned threads);

/// How a machine's threads shared a run: unlike Counts, different in every run. Each thread has a share of neighbouring
/// nodes, with which it begins in every step.
struct EngineCounts {
    std::uint64_t steps_alone = 0;       ///< steps that one thread ran; what is received after the last one counts too
    std::uint64_t steps_together = 0;    ///< steps that were opened to all threads
    std::uint64_t crossing_packets = 0;  ///< packets between nodes of different shares, in steps of both kinds
    std::uint64_t helped_chunks = 0;  ///< parts of a step that another thread ran than the one whose share they are in
    std::uint64_t sleeps = 0;         ///< waits for a step so long that the thread went to sleep

    friend bool operator==(const EngineCounts&, const EngineCounts&) = default;
};

/// The kind of a machine. The default is a machine with all ports in the unit-time model, on all cores.
struct MachineOptions {
    PortModel ports = PortModel::all;  ///< how many ports a node may use in a step
    LinkModel link{};                  ///< how long packets hold links, and a single port
    unsigned threads = 0;              ///< per rank, at most; 0: available_threads(), shared by the ranks of a host
    Pinning pinning = Pinning::none;   ///< whether threads keep to processors
    ChannelKind channel = ChannelKind::slots;  ///< how links are made
    std::size_t channel_capacity = 1;          ///< packets that may wait in a channel at the end of a step, >= 1
    /// Report senders that change bytes they have lent; slow. Default: on in builds of dcube with assertions
    /// (Debug) or sanitizers.
    std::optional<bool> watch_lent_bytes{};
    bool unchecked = false;  ///< no rules and no counts: for benchmarks of what they cost, and nothing else
    /// Bytes for the machine, what its nodes allocate and its trace, of each rank; 0: what is available at the time of
    /// asking, shared by the ranks of a host.
    std::size_t memory_limit = 0;
    /// The ranks that the machine is spread over; null: world_alone(). Each has the nodes of nodes_of_rank and the
    /// links that enter them. All ranks make the machine and its runs, with the same arguments.
    std::shared_ptr<World> world{};
    std::shared_ptr<detail::Workers> workers{};  ///< who lends the threads, for tests of the machine; null: oneTBB
};

/// The memory that the nodes and channels of such a machine take, in bytes.
std::uint64_t machine_memory(const Topology& topology, const MachineOptions& options);

/// Options to watch, stop and disturb one run.
struct RunOptions {
    StopToken stop{};  ///< ends the run after the running step with Interrupted, unless all programs have ended
    /// Called after every step that counts (Counts::steps), on one thread at a time; in each rank that gives one.
    std::function<void(Step)> on_step{};
    /// Asks for a trace; costs time and memory. Any of several ranks may ask; rank 0's sink gets the packets of all.
    TraceSink trace{};
    /// The labels of every node's bytes at the start, for a trace that states whose bytes a packet carries: the machine
    /// carries the labels along with the bytes that are sent and received. Bytes without a label give a packet without
    /// pieces.
    std::function<std::vector<Label>(NodeId)> labels{};
    std::uint64_t seed = 1;  ///< for Node::random
    /// Links and nodes that fail in the run: what is sent over them is lost. It counts as sent, keeps the rules of
    /// sending, and holds its link for as long as any packet; it never arrives. Where a program then finds nothing to
    /// receive, or waits for ever, the run ends with RuleViolation packet_lost, which names the first packet that was
    /// lost. Nodes can ask (Node::alive).
    std::vector<Failing> failing{};
};

/// A machine on one network. Not thread-safe; it can run any number of programs, one after the other, also after a
/// failed one.
class Machine {
public:
    /// The program of every node: a coroutine, which takes the node and returns a Task.
    using Program = std::function<Task(Node&)>;

    /// Makes the machine and its links. Throws InvalidArgument: a capacity of 0, a negative tau or beta, a duplex
    /// that does not suit the ports (Topology::links()), more than 1024 threads, channels that do not fit in memory
    /// (with the bytes needed), pinning where the system has none or cannot do it, or several ranks where ports take
    /// time by the data-driven clock. The processors are those that the calling thread may use now.
    explicit Machine(const Topology& topology, const MachineOptions& options = {});
    /// A machine must not be destroyed while it runs.
    ~Machine();
    /// A machine may be moved, but not while it runs.
    Machine(Machine&&) noexcept;
    /// Ends the machine that was here, and takes the other's place.
    Machine& operator=(Machine&&) noexcept;

    /// The network.
    [[nodiscard]] const Topology& topology() const;
    /// The number of ports that a node may use in a step.
    [[nodiscard]] PortModel ports() const;
    /// The time that a packet holds its link.
    [[nodiscard]] const LinkModel& link() const;
    /// Threads actually used: at most the number asked for, the number of cores, and the number that a machine of this
    /// size can use.
    [[nodiscard]] unsigned threads() const;
    /// Whether threads keep to processors.
    [[nodiscard]] Pinning pinning() const;
    /// The kind of queue that links are.
    [[nodiscard]] ChannelKind channel() const;
    /// Packets that may wait on a link at the end of a step.
    [[nodiscard]] std::size_t channel_capacity() const;
    /// True if senders that change lent bytes are reported.
    [[nodiscard]] bool watches_lent_bytes() const;
    /// The ranks that it is spread over; one, if it is not.
    [[nodiscard]] World& world() const;
    /// The nodes of this rank; with one rank all of them.
    [[nodiscard]] NodeRange own_nodes() const;

    /// Starts `program(node)` on every node and returns when all have ended. Throws RuleViolation, ProgramError (the
    /// smallest node's, if several fail in one step) or Interrupted; InvalidArgument while the machine is running, or
    /// for failures of links that do not exist. `program` is called on the machine's threads, several nodes at a time;
    /// it lives as long as the run, so that a lambda's captures and an object's members can be used by its coroutines.
    /// With several ranks all run, each its own nodes, and all get the same counts or the same exception;
    /// InvalidArgument if they do not agree in the seed or in the failures.
    Counts run(const Program& program, const RunOptions& options = {});

    /// How the threads shared the latest run; of this rank alone. All are 0 after a run that failed, and
    /// crossing_packets on unchecked machines, which count no packets.
    [[nodiscard]] EngineCounts engine_counts() const;

    /// Calls `work` once for every node, on the machine's threads; for local work between runs (filling, checking).
    /// All get their turn; then the exception of the smallest node that failed is rethrown. Throws InvalidArgument
    /// while the machine is running.
    void for_each_node(const std::function<void(NodeId)>& work);

    /// Throws InvalidArgument, naming both figures, if `bytes` more than the machine's own do not fit in memory.
    void require_memory(std::uint64_t bytes) const;

private:
    std::unique_ptr<detail::Engine> engine_;
};

/// @}

}  // namespace dcube
#pragma GCC visibility pop

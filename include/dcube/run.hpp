#pragma once
/// @file
/// The collectives as calls, on the caller's own data, or on data made from a seed and verified; collectives that node
/// programs await (Prepared); the estimated cost of a run (forecast), and its trace as a file.

#include <dcube/catalogue.hpp>
#include <dcube/group.hpp>
#include <dcube/judge.hpp>
#include <dcube/machine.hpp>
#include <dcube/node.hpp>
#include <dcube/packet.hpp>
#include <dcube/problem.hpp>
#include <dcube/report.hpp>
#include <dcube/task.hpp>
#include <dcube/trace.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>

#pragma GCC visibility push(default)
namespace dcube {

/// @addtogroup collective
/// @{

/// The problem with the machine's link model, which algorithms adapt themselves to. run and run_verified do this.
Problem on_links_of(const Machine& machine, Problem problem);

/// Options of a call: its algorithm, and how its run is watched.
struct CallOptions {
    std::string algorithm = "auto";  ///< a name, as find_algorithm() takes it
    RunOptions run{};                ///< passed on to Machine::run
};

/// Runs the collective on the caller's data: `input` and `output` hold all nodes' parts as Layout says. They are apart,
/// or one and the same array: then the problem is done in place (Problem::in_place). The stop of the RunOptions ends
/// planning too. Throws InvalidArgument (sizes that do not fit the layout, no such algorithm, not enough memory), and
/// whatever Machine::run throws. The report is complete but for verification.
///
/// Where the machine is spread over several ranks all of them make the call, each with the parts of its own nodes, as
/// `Layout::of(machine.own_nodes())` says: a root's part is on its rank only. All get the same report but for its date,
/// and throw the same; InvalidArgument also where they disagree about the problem, the algorithm or the RunOptions.
Report run(Machine& machine, const Problem& problem, std::span<const std::byte> input, std::span<std::byte> output,
           const CallOptions& options = {});

/// Runs the collective by an algorithm that need not be in the catalogue: the caller's own, or one made of a schedule
/// (algorithm_of()). Throws InvalidArgument also where require_suitable() does.
Report run(Machine& machine, const Algorithm& algorithm, const Problem& problem, std::span<const std::byte> input,
           std::span<std::byte> output, const RunOptions& options = {});
/// The same by an entry: the report also has its paper, its predicted time, and the way messages were cut.
Report run(Machine& machine, const Entry& entry, const Problem& problem, std::span<const std::byte> input,
           std::span<std::byte> output, const RunOptions& options = {});

/// Broadcast: every node gets the root's message. `message` is the root's, and `copies` has N messages, one for each
/// node.
///
/// Like the calls below it is run() for one collective: messages are one packet of `bytes` bytes, Layout says how they
/// lie, and in place both arguments are the same array. They throw what run() throws.
Report broadcast(Machine& machine, std::span<const std::byte> message, std::span<std::byte> copies, NodeId root,
                 std::size_t bytes, const CallOptions& options = {});
/// Reduce: the root gets the sum of all nodes' messages. `messages` has N of them, node after node; `sum` is the
/// root's.
Report reduce(Machine& machine, std::span<const std::byte> messages, std::span<std::byte> sum, NodeId root,
              std::size_t bytes, Operation operation, ElementType type, const CallOptions& options = {});
/// Scatter: every node gets its own message from the root. `messages` has the root's N messages, by target; `parts` has
/// N messages, one for each node.
Report scatter(Machine& machine, std::span<const std::byte> messages, std::span<std::byte> parts, NodeId root,
               std::size_t bytes, const CallOptions& options = {});
/// Gather: the root gets every node's message. `parts` has N messages, one for each node; `messages` is the root's: N
/// messages, by origin.
Report gather(Machine& machine, std::span<const std::byte> parts, std::span<std::byte> messages, NodeId root,
              std::size_t bytes, const CallOptions& options = {});
/// All-gather: every node gets every node's message. `parts` has N messages, one for each node; `gathered` has N x N:
/// for each node those of all, by origin.
Report all_gather(Machine& machine, std::span<const std::byte> parts, std::span<std::byte> gathered, std::size_t bytes,
                  const CallOptions& options = {});
/// Reduce-scatter: every node gets the sum of all messages for it. `messages` has N x N: for each node its messages, by
/// target; `sums` has N, one for each node.
Report reduce_scatter(Machine& machine, std::span<const std::byte> messages, std::span<std::byte> sums,
                      std::size_t bytes, Operation operation, ElementType type, const CallOptions& options = {});
/// All-reduce: every node gets the sum of all nodes' vectors. `vectors` has N of `bytes` bytes, node after node, and so
/// has `sums`.
Report all_reduce(Machine& machine, std::span<const std::byte> vectors, std::span<std::byte> sums, std::size_t bytes,
                  Operation operation, ElementType type, const CallOptions& options = {});
/// Scan: every node gets the sum of the vectors of all nodes up to it, in their order. `vectors` has N of `bytes`
/// bytes, node after node, and so has `sums`.
Report scan(Machine& machine, std::span<const std::byte> vectors, std::span<std::byte> sums, std::size_t bytes,
            Operation operation, ElementType type, const CallOptions& options = {});
/// Exscan: the same without the node's own vector. The first node's part of `sums` is left as it is.
Report exscan(Machine& machine, std::span<const std::byte> vectors, std::span<std::byte> sums, std::size_t bytes,
              Operation operation, ElementType type, const CallOptions& options = {});
/// Reduce with an operation of the caller's own.
Report reduce(Machine& machine, std::span<const std::byte> messages, std::span<std::byte> sum, NodeId root,
              std::size_t bytes, const OwnOperation& operation, const CallOptions& options = {});
/// Reduce-scatter with an operation of the caller's own.
Report reduce_scatter(Machine& machine, std::span<const std::byte> messages, std::span<std::byte> sums,
                      std::size_t bytes, const OwnOperation& operation, const CallOptions& options = {});
/// All-reduce with an operation of the caller's own.
Report all_reduce(Machine& machine, std::span<const std::byte> vectors, std::span<std::byte> sums, std::size_t bytes,
                  const OwnOperation& operation, const CallOptions& options = {});
/// Scan with an operation of the caller's own, which need not commute.
Report scan(Machine& machine, std::span<const std::byte> vectors, std::span<std::byte> sums, std::size_t bytes,
            const OwnOperation& operation, const CallOptions& options = {});
/// Exscan with an operation of the caller's own, which need not commute.
Report exscan(Machine& machine, std::span<const std::byte> vectors, std::span<std::byte> sums, std::size_t bytes,
              const OwnOperation& operation, const CallOptions& options = {});
/// All-to-all: every node gets a message from every node. `send` has N x N messages: for each node its messages, by
/// target; `receive` has N x N: for each node those for it, by origin.
Report all_to_all(Machine& machine, std::span<const std::byte> send, std::span<std::byte> receive, std::size_t bytes,
                  const CallOptions& options = {});

/// The same with messages of different lengths: `counts` says how many packets of `bytes` bytes each has
/// (Problem::counts), and messages lie one behind the other (Layout). Scatter: `messages` is the root's, by target, and
/// `parts` has one message for each node.
Report scatter_v(Machine& machine, std::span<const std::byte> messages, std::span<std::byte> parts,
                 std::vector<std::uint32_t> counts, NodeId root, std::size_t bytes, const CallOptions& options = {});
/// Gather of messages of different lengths: `counts` is by origin.
Report gather_v(Machine& machine, std::span<const std::byte> parts, std::span<std::byte> messages,
                std::vector<std::uint32_t> counts, NodeId root, std::size_t bytes, const CallOptions& options = {});
/// All-gather of messages of different lengths: `counts` is by origin.
Report all_gather_v(Machine& machine, std::span<const std::byte> parts, std::span<std::byte> gathered,
                    std::vector<std::uint32_t> counts, std::size_t bytes, const CallOptions& options = {});
/// Reduce-scatter of messages of different lengths: `counts` is by target.
Report reduce_scatter_v(Machine& machine, std::span<const std::byte> messages, std::span<std::byte> sums,
                        std::vector<std::uint32_t> counts, std::size_t bytes, Operation operation, ElementType type,
                        const CallOptions& options = {});
/// The same with an operation of the caller's own.
Report reduce_scatter_v(Machine& machine, std::span<const std::byte> messages, std::span<std::byte> sums,
                        std::vector<std::uint32_t> counts, std::size_t bytes, const OwnOperation& operation,
                        const CallOptions& options = {});
/// All-to-all of messages of different lengths: `counts` has a row for each origin. In place there must be as many
/// packets from i to j as from j to i.
Report all_to_all_v(Machine& machine, std::span<const std::byte> send, std::span<std::byte> receive,
                    std::vector<std::uint32_t> counts, std::size_t bytes, const CallOptions& options = {});

/// Barrier: every node learns that all have begun. No data move.
Report barrier(Machine& machine, const CallOptions& options = {});

/// Options of a verified run: its input, and what is done with its result.
struct VerifiedRunOptions {
    std::uint64_t seed = 1;              ///< for the data, and for Node::random
    std::span<const std::byte> input{};  ///< all nodes' data, on every rank; empty: made from the seed
    std::size_t repeat = 1;              ///< runs; the report's wall time is the median
    /// If `repeat` is 1: seconds for which the run is then repeated, without a trace, once to 1000 times; the report's
    /// wall time is the median of these warm runs.
    double warm_seconds = 0;
    double longest_cold_seconds = 1;  ///< a first run that takes longer is not repeated
    std::function<void(std::span<const std::byte>)>
        output{};  ///< receives every node's final data, node by node (only local nodes on several ranks)
};

/// Allocates the data, fills them from the seed (or takes those given), runs the collective, checks every byte that the
/// nodes hold afterwards, and fills in the whole report. Throws InvalidArgument, VerificationError, and whatever
/// Machine::run throws.
Report run_verified(Machine& machine, const Problem& problem, const VerifiedRunOptions& how = {},
                    const CallOptions& options = {});

/// A verified run by an algorithm that need not be in the catalogue. Throws InvalidArgument also where
/// require_suitable() does.
Report run_verified(Machine& machine, const Algorithm& algorithm, const Problem& problem,
                    const VerifiedRunOptions& how = {}, const RunOptions& options = {});
/// A verified run by an entry, with the same additions to the report as run().
Report run_verified(Machine& machine, const Entry& entry, const Problem& problem, const VerifiedRunOptions& how = {},
                    const RunOptions& options = {});

/// The cost of a run, as forecast() estimates it.
struct Forecast {
    Report report;                            ///< all that is known before the run: counts, bounds, predicted time
    Cost cost;                                ///< its steps and transmissions
    std::optional<std::uint64_t> link_bytes;  ///< bytes that cross links; empty if known only after a run
    std::uint64_t memory_bytes;               ///< data, in-transit storage, plan, channels and nodes
    std::optional<double> seconds;            ///< from a short calibration on this machine; empty as link_bytes is
};

/// Estimates the cost of a run without running it. `algorithm` is a name or "auto". Throws InvalidArgument where
/// find_algorithm() does.
Forecast forecast(const Topology& topology, const MachineOptions& machine, const Problem& problem,
                  const std::string& algorithm = "auto");

/// A collective made ready for a network, once for all nodes and runs; it is const and outlives the runs.
///
///     const Prepared all_gather(machine, {Collective::all_gather, sizeof(double)});
///
///     Task program(Node& me, const Prepared& all_gather, const double& mine, std::span<double> everything)
///     {
///         co_await all_gather(me, mine, everything);  // all nodes, in the same step
///         ...                                         // and go on in the same step
///     }
///
/// A collective begins in the step in which it is awaited and takes steps() steps: all nodes go on together, in the
/// step in which the last packets are received. Input and output are lent, and lie apart (in place both are the node's
/// part of the one array that Layout describes, the smaller of them within the larger): until the end of that step
/// leave them unchanged (the output may be read), because neighbours may still read what was sent last.
///
/// The storage for packets under way is taken anew each time, as Node::allocate does, until the end of the run; plans
/// take theirs once.
///
/// Under the link-bound model a node's data are usable from the latest arrival of all that it has received so far.
class Prepared {
public:
    /// Prepares a call for the machine's network, ports and links. Throws InvalidArgument as find_algorithm does, and
    /// if it needs more memory than there is.
    Prepared(const Machine& machine, const Problem& problem, std::string_view algorithm = "auto");
    /// Prepares a call of all groups at the same time, each over its own links: roots and messages are numbered by
    /// ranks (Problem::within). Throws InvalidArgument also for groups of another network.
    Prepared(const Machine& machine, const Group& groups, const Problem& problem, std::string_view algorithm = "auto");
    /// Prepares a call for any machine on this network, with these ports and the links of `problem`.
    Prepared(const Topology& topology, PortModel ports, const Problem& problem, std::string_view algorithm = "auto");
    /// Prepares a call with an algorithm that need not be in the catalogue.
    Prepared(const Topology& topology, PortModel ports, const Problem& problem, const Algorithm& algorithm);

    /// The problem, with the links it was made for.
    [[nodiscard]] const Problem& problem() const;
    /// The algorithm's name.
    [[nodiscard]] std::string_view algorithm() const;
    /// The number of steps.
    [[nodiscard]] Step steps() const;

    /// The task that every node awaits, with its own data: its part as in Layout, which is empty where it holds
    /// nothing. Throws InvalidArgument: another network, other ports or links than the machine's, sizes that do not
    /// fit, an input and an output that overlap. RuleViolation not_together: not all nodes begin it in this step;
    /// stray_packet: a packet waits at one of this node's ports.
    Task operator()(Node& me, std::span<const std::byte> input, std::span<std::byte> output) const;

    /// The task that every node awaits, with values as they stand in memory.
    template <Lendable Input, Fillable Output>
    Task operator()(Node& me, Input&& input, Output&& output) const
    {
        return (*this)(me, std::as_bytes(detail::as_span(input)), std::as_writable_bytes(detail::as_span(output)));
    }

private:
    struct State;
    std::shared_ptr<const State> state_;
};

/// A sink that writes a run's trace to `out`, which must outlive it: lines of JSON, as judge_trace(), `dcube verify`,
/// `dcube replay` and `dcube view --trace` read them, and as find_algorithm() takes them for algorithms ("@FILE"). The
/// first line, which says what the trace is of, is written at once.
///
///     std::ofstream file("mine.jsonl");
///     run_verified(machine, mine, problem, {}, {.trace = write_trace(file, {topology, PortModel::all, problem})});
///
/// write_trace() and the sink throw Error if `out` takes no more.
TraceSink write_trace(std::ostream& out, const TraceQuestion& of);

/// @}

}  // namespace dcube
#pragma GCC visibility pop

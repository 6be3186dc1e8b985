#pragma once
/// @file
/// The judge: whether a trace achieves its collective by the rules. It shares no code with the algorithms.

#include <dcube/error.hpp>
#include <dcube/faults.hpp>
#include <dcube/link.hpp>
#include <dcube/problem.hpp>
#include <dcube/topology.hpp>
#include <dcube/trace.hpp>

#include <cstdint>
#include <functional>
#include <istream>
#include <optional>
#include <span>
#include <string>
#include <vector>

#pragma GCC visibility push(default)
namespace dcube {

/// @addtogroup judge
/// @{

/// A trace was rejected; `line` (1, 2, ...) is the first offending line, 0 where the trace as a whole falls short
/// (something was never delivered).
struct TraceError : VerificationError {
    /// An error in a line, and what is wrong there.
    TraceError(std::uint64_t line, std::string reason);
    /// The same for a trace in a file: "FILE: line 3: ..."
    TraceError(const std::string& file, const TraceError& error);
    /// Selects the constructor for lists.
    struct InList {};
    /// The same for a list of transmissions: "transmission 2: ..."
    TraceError(InList, const TraceError& error);
    /// The first offending line; 0: the trace as a whole.
    std::uint64_t line;
    /// The error's message without the line, file or transmission in front of it.
    std::string reason;
};

/// A line that cannot be understood, whatever the trace is of.
struct TraceFormatError : TraceError {
    using TraceError::TraceError;
};

/// The question that a trace answers. Its first line may state it, as `dcube run --trace` writes it: a JSON object that
/// begins with "dcube_trace":1 and has the keys of a report (collective, topology, ports, link_model, bytes, packets,
/// ...).
struct TraceQuestion {
    Topology topology = Topology::hypercube(0);  ///< the network
    PortModel ports = PortModel::all;            ///< how many ports a node may use in a step
    Problem problem{};                           ///< the collective, its sizes, and the links
    std::vector<Failing> failing{};              ///< the failures; nodes that fail need not hold anything in the end
    bool redundant = false;                      ///< bytes may be delivered more than once
};

/// The result of judging a trace.
struct Verdict {
    std::uint64_t steps = 0;                      ///< the last step in which something is sent
    std::uint64_t transmissions = 0;              ///< packets sent: one in each line
    std::uint64_t lost = 0;                       ///< packets that were lost on failed links
    std::uint64_t bytes = 0;                      ///< their bytes
    std::uint64_t steps_lower_bound = 0;          ///< no correct trace has fewer steps
    std::uint64_t transmissions_lower_bound = 0;  ///< no correct trace has fewer transmissions
    /// Under the link-bound model: when the last packet has arrived; empty if the trace has no times.
    std::optional<Rational> virtual_time_ns{};
    std::optional<Rational> time_lower_bound_ns{};  ///< no correct trace takes less time
};

/// Replays a trace (JSON lines: {"step":1,"from":0,"to":1,"port":0,"bytes":64,"start_ns":null,"end_ns":null,
/// "pieces":[{"origin":0,"target":5,"offset":0,"length":64}]}, sorted by step) line by line without running anything.
/// A line may leave out what the rest says: "port" or "to", "bytes", "start_ns" and "end_ns"; of pieces "origin" and
/// "target" where the collective has one only, "offset" (0) and "length" (to the message's end). A line without
/// "pieces" carries what its sender has and its receiver lacks: in the unit-time model the first packet of it, which
/// has to be of one message where messages are for one node each; under the link-bound model all of it.
///
/// It checks that every link exists, that the rules of the unit-time model and of `ports` are kept, that no byte leaves
/// a node before the step after the one in which it arrived, that no byte is delivered twice (but where the header says
/// "redundant":true, and sums of scans), that in reductions every contribution is counted exactly once, and that in the
/// end every node holds all that the collective demands.
/// A piece of a sum may list its contributors ("sum_of":[0,3,[5,7]]); then its sender must be able to make it of
/// disjoint sums that it holds. Without it, it is all that the sender holds.
/// Messages are Problem::packets times Problem::bytes long, as Layout says.
///
/// A line with "lost":true is a packet that was sent over a link that had failed. It keeps the rules of sending, its
/// sender must hold the bytes, and no node gets them. A packet over a link that fails, as the header says, must be
/// lost.
///
/// Under the link-bound model (problem.link) steps only say in which order lines stand, and "start_ns" and "end_ns" are
/// judged: whole numbers, or strings such as "5/2". A packet of any size takes tau s + beta, no two packets hold a link
/// at once, and no byte leaves a node before the packet that brought it has ended. Under the lockstep clock all packets
/// of a step start together, when the last one of the steps before has ended. A trace whose first line has no times
/// is judged by its steps, as under the unit-time model, and the verdict has no time.
///
/// A header, a byte order mark and blank lines at the end are passed over. A schedule in GOAL or in MSCCL's XML, as
/// `dcube export` writes them, is read too: what stands in their comments, or without them when each send can leave and
/// what it then carries.
/// Throws TraceError (TraceFormatError for a line that cannot be understood), or InvalidArgument for a problem or
/// topology that cannot be judged.
Verdict judge_trace(std::istream& trace, const Topology& topology, PortModel ports, const Problem& problem);

/// Options for judging a trace that may have a header.
struct JudgeOptions {
    /// Is given what the header says, if there is one, and decides by what to judge.
    std::function<TraceQuestion(const std::optional<TraceQuestion>& header)> question;
    /// Called once for each kind of warning, with its line: unknown keys, times in the unit model.
    std::function<void(std::uint64_t line, const std::string& what)> warn = [](std::uint64_t, const std::string&) {};
    /// Judge a schedule that is still to be run: its times are ignored (the verdict has none either), and no packet
    /// is lost.
    bool schedule = false;
    /// Receives every accepted transmission, completed, with times in ticks (0 if it has none). Its pieces last for the
    /// call.
    std::function<void(const Transmission&)> accepted{};
    /// Receives the transmission of the rejected line, if it could be read (nothing in it need make sense), and then
    /// the later ones of its step, which are not judged.
    std::function<void(const Transmission&, bool after)> rejected{};
};
/// Judges a trace by what its header, or `options`, say. Throws as the other judge_trace() does, and what
/// JudgeOptions::question throws.
Verdict judge_trace(std::istream& trace, const JudgeOptions& options);

/// A port that a transmission of a list leaves out: the judge finds it from the two nodes.
inline constexpr Port port_left_out = ~Port{0};
/// A packet's bytes or a piece's length that a transmission of a list leaves out: the judge finds it, as in a line that
/// leaves it out.
inline constexpr std::uint64_t size_left_out = ~std::uint64_t{0};

/// Judges transmissions in memory, by the same rules. They have times if the first one ends later than at tick 0; one
/// with a default span as its pieces leaves them out.
/// JudgeOptions::question is not asked. A TraceError counts them from 1 in TraceError::line, and in its text from 0:
/// "transmission 2: node 1 has no link to node 2".
Verdict judge_list(std::span<const Transmission> list, const TraceQuestion& question, const JudgeOptions& options = {});

/// The question of a trace, from its first line; nothing if that line is a transmission. Throws TraceFormatError.
std::optional<TraceQuestion> question_of(std::istream& trace);

/// @}

}  // namespace dcube
#pragma GCC visibility pop

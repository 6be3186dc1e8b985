#pragma once
// Recordings: a run, or a trace from any source, kept in memory to be looked at.

#include <dcube/catalogue.hpp>
#include <dcube/error.hpp>
#include <dcube/judge.hpp>
#include <dcube/machine.hpp>
#include <dcube/report.hpp>
#include <dcube/run.hpp>
#include <dcube/trace.hpp>

#include <cstdint>
#include <exception>
#include <istream>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dcube {

/// A Transmission (dcube/trace.hpp) that is kept. A Transmission lends its pieces and its phase only until the sink
/// returns; here they are indices into the recording's lists, which stay right when the recording is moved or copied.
struct Flight {
    Step step = 0;
    NodeId from = 0;
    NodeId to = 0;
    Port port = 0;
    std::uint64_t bytes = 0;
    Time start = 0;  ///< in ticks, under the link-bound model
    Time end = 0;
    std::uint32_t first_piece = 0;
    std::uint32_t pieces = 0;
    std::uint32_t phase = 0;  ///< the sender's phase: an index in Recording::phases
    bool lost = false;        ///< it was sent over a link that had failed, and does not arrive
};

/// The event in which a recording ends that went wrong. Nothing that happened later is kept.
struct Ending {
    enum class What : std::uint8_t {
        rejected,     ///< the judge rejected a trace
        rule,         ///< a program broke a rule of the machine
        deadlock,     ///< all nodes that are left wait
        lost,         ///< a packet was lost that its receiver counts on
        threw,        ///< a node's program threw an exception
        wrong_bytes,  ///< nodes do not hold what they should
        impossible,   ///< no run can do that: bytes have come another way than over links
    };
    What what = What::rejected;
    std::string message{};                        ///< what the judge or the machine says
    std::string detail{};                         ///< of a broken rule: the message without when and where
    std::uint64_t line = 0;                       ///< of a trace; 0 if the trace as a whole falls short
    std::optional<Flight> flight{};               ///< a packet that was not kept, over a link that there is
    Step step = 0;                                ///< when; 0: after the last step
    std::optional<NodeId> node{};                 ///< where
    std::optional<Port> port{};                   ///< of that node
    std::optional<NodeId> origin{};               ///< whose message is wrong at that node
    std::vector<RuleViolation::Waits> waiting{};  ///< in a deadlock
};

/// The name that documents have for it: "wrong-bytes".
std::string_view name(Ending::What what);

/// The event in which a run ends that throws this: a RuleViolation, a ProgramError, a VerificationError. Others, such
/// as InvalidArgument, are no event of a run.
std::optional<Ending> ending_of(const Error& error);

/// How much is kept of a run.
enum class Detail : std::uint8_t {
    flights,   ///< every transmission with its pieces
    one_node,  ///< those of the first node's messages: every node does the same, seen from itself
    counts,    ///< how many links were in use in each step
};

/// Limits of a recording. Of a larger total exchange in which all nodes do the same, the first node's messages are
/// kept; of other runs with more flights or pieces only the counts.
struct RecordingLimits {
    std::uint64_t flights = std::uint64_t{1} << 20;
    std::uint64_t pieces = std::uint64_t{1} << 20;
    Step steps = Step{1} << 20;  ///< longer runs are refused
    std::uint32_t phases = 256;  ///< names; later ones are left out
};

struct Recording {
    Topology topology = Topology::hypercube(0);
    PortModel ports = PortModel::all;
    Problem problem{};                 ///< with the links
    const Entry* algorithm = nullptr;  ///< null for a trace: its algorithm is not known
    /// It achieves no collective: it is not verified, has no bound, and the problem only says what every node holds at
    /// the start.
    bool free = false;
    std::optional<Report> report{};    ///< of a verified run
    std::optional<Verdict> verdict{};  ///< on a trace that was accepted
    std::optional<Ending> ending{};    ///< where it went wrong: the flights end with that step
    bool judged = true;                ///< false for a trace of which only was asked what it sends

    Step steps = 0;
    std::uint64_t transmissions = 0;  ///< that arrive
    Time end = 0;                     ///< when the last packet has arrived, in ticks
    Detail detail = Detail::flights;
    std::vector<std::uint32_t> links_used{};  ///< in step 1, 2, ..., `steps`, those that lose their packet included
    std::vector<std::uint32_t> lost{};        ///< those that do not arrive, in step 1, 2, ...; up to the last of them
    std::vector<Failing> failing{};           ///< of a trace: why packets are lost
    std::vector<Flight> flights{};            ///< by step, sender and port
    std::vector<Piece> pieces{};              ///< of all flights, one after the other
    std::vector<std::string> phases{};        ///< names; 0 is "", no phase

    [[nodiscard]] std::span<const Piece> pieces_of(const Flight& flight) const
    {
        return std::span(pieces).subspan(flight.first_piece, flight.pieces);
    }
};

/// The detail with which a run of that algorithm will be kept, as far as its cost is known beforehand.
Detail expected_detail(const Algorithm& algorithm, const Topology& topology, const Problem& problem,
                       const RecordingLimits& limits = {});

/// Runs the collective once, verifies it, and keeps what crossed the links. `how` and `options` are run_verified's, but
/// for the trace, which is taken here. `entry` outlives the recording. Throws what run_verified throws.
Recording record(Machine& machine, const Entry& entry, const Problem& problem, const VerifiedRunOptions& how = {},
                 const RunOptions& options = {}, const RecordingLimits& limits = {});

/// A run's result is right, and no run can have it.
struct ImpossibleRun : VerificationError {
    using VerificationError::VerificationError;
};

/// A run that may have failed: what crossed the links up to there, which ends in that event, and what was thrown. A run
/// of an algorithm that is not the catalogue's is also followed packet by packet: one that no bound allows, or whose
/// nodes hold what no packet brought them, ends in an `impossible` event and is an ImpossibleRun.
struct Attempt {
    Recording recording;
    std::exception_ptr error{};  ///< null: all went well
};

/// As record(), which does not follow packets, but an error that is the run's ending is kept. Throws whatever else
/// record() throws.
Attempt attempt(Machine& machine, const Entry& entry, const Problem& problem, const VerifiedRunOptions& how = {},
                const RunOptions& options = {}, const RecordingLimits& limits = {});
/// The same for a program that achieves no collective: the problem, an all-reduce, says how many bytes every node has
/// as input and as output, and of what type; data are made from `seed`. Packets whose bytes the sender has computed are
/// of the sender's data.
Attempt attempt_free(Machine& machine, const Entry& entry, const Problem& problem, std::uint64_t seed,
                     const RunOptions& options = {}, const RecordingLimits& limits = {});

/// Keeps what a program has sent that achieves no collective, of the trace of its run: that took `steps` steps, or
/// ended in that event (then no steps need be given). What a packet carries is shown as its sender's own data. Throws
/// InvalidArgument where there are too many steps.
Recording program_recording(const Topology& topology, PortModel ports, const LinkModel& link, Step steps,
                            std::span<const Transmission> sent, std::optional<Ending> ending = {},
                            const RecordingLimits& limits = {});

/// Keeps the transmissions of a trace, up to the step of the first line that the judge rejects. On links that take time
/// a trace without times is kept as one of steps. `options` says what the trace is of and where warnings go. Throws
/// InvalidArgument where nothing can be judged or there are too many steps, and TraceError for a first line that says
/// wrongly what the trace is of.
Recording record_trace(std::istream& trace, const JudgeOptions& options, const RecordingLimits& limits = {});
/// The same without a judgement of the result: bytes may be delivered more than once, and need not be delivered at all.
/// A line that no sender could send still ends the recording. Throws InvalidArgument for reductions, too, whose sums
/// must be judged to be known.
Recording record_unjudged(std::istream& trace, const JudgeOptions& options, const RecordingLimits& limits = {});

}  // namespace dcube

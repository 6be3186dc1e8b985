#include "run/recording.hpp"

#include "base/numbers.hpp"
#include "collectives/example.hpp"
#include "judge/provenance.hpp"

#include <dcube/layout.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace dcube {

namespace {

void require_few_steps(std::uint64_t steps, const RecordingLimits& limits)
{
    if (steps > limits.steps)
        throw InvalidArgument(
            fmt::format("{} steps are too many to be recorded: at most {} are possible", steps, limits.steps));
}

// Whether all nodes may do the same, seen from themselves.
bool may_be_alike(const Topology& topology, const Problem& problem)
{
    return problem.collective == Collective::all_to_all && problem.within.empty() && problem.counts.empty() &&
           !problem.link.bound() && topology.symmetric() && topology.members() == topology.nodes();
}

/// Compares what the nodes send, as they see it: the same packets over the same ports in the same steps.
class Alike {
public:
    explicit Alike(const Topology& topology) : topology_(topology), sent_(topology.nodes()) {}

    void add(const Transmission& one)
    {
        if (one.lost || one.pieces.size() != 1 || !one.pieces.front().origin || !one.pieces.front().target) {
            unlike_ = true;
            return;
        }
        const Piece& piece = one.pieces.front();
        std::uint64_t hop = 0;
        for (const std::uint64_t part :
             {std::uint64_t{one.step}, std::uint64_t{one.port},
              std::uint64_t{topology_.untranslate(*piece.origin, one.from)},
              std::uint64_t{topology_.untranslate(*piece.target, one.from)}, std::uint64_t{piece.offset}})
            hop = mixed(hop + part);
        sent_[one.from] += hop;  // in any order
    }

    [[nodiscard]] bool holds() const
    {
        return !unlike_ && std::ranges::all_of(sent_, [this](std::uint64_t sent) { return sent == sent_.front(); });
    }

private:
    // Steele, Lea & Flood 2014 (SplitMix).
    static std::uint64_t mixed(std::uint64_t x)
    {
        x += 0x9E3779B97F4A7C15U;
        x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
        x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
        return x ^ (x >> 31U);
    }

    const Topology& topology_;
    std::vector<std::uint64_t> sent_;  // sums over the packets of each node
    bool unlike_ = false;
};

/// Takes transmissions in the order of a trace.
class Recorder {
public:
    Recorder(Recording& recording, const RecordingLimits& limits) : recording_(recording), limits_(limits)
    {
        recording_.phases = {""};
    }

    void add(const Transmission& one)
    {
        require_few_steps(one.step, limits_);
        if (one.lost) {
            recording_.lost.resize(std::max<std::size_t>(recording_.lost.size(), one.step));
            ++recording_.lost[one.step - 1];
        } else {
            ++recording_.transmissions;
        }
        recording_.end = std::max(recording_.end, one.end);
        recording_.steps = std::max(recording_.steps, one.step);
        recording_.links_used.resize(recording_.steps);
        ++recording_.links_used[one.step - 1];
        if (recording_.detail == Detail::flights && !fits(one))
            keep_one_node();
        if (recording_.detail == Detail::flights)
            recording_.flights.push_back(flight(one));
        else if (recording_.detail == Detail::one_node)
            add_of_one(one);
    }

    /// After the last transmission.
    void end()
    {
        if (recording_.detail == Detail::one_node && (recording_.ending || !alike_ || !alike_->holds()))
            forget_flights();
    }

    /// The flight of a transmission that fits; its pieces are kept.
    Flight flight(const Transmission& one)
    {
        const auto first = static_cast<std::uint32_t>(recording_.pieces.size());
        recording_.pieces.insert(recording_.pieces.end(), one.pieces.begin(), one.pieces.end());
        return {one.step,         one.from,  one.to,
                one.port,         one.bytes, one.start,
                one.end,          first,     static_cast<std::uint32_t>(one.pieces.size()),
                phase(one.phase), one.lost};
    }

    [[nodiscard]] bool fits(const Transmission& one) const
    {
        return recording_.flights.size() < limits_.flights &&
               one.pieces.size() <= limits_.pieces - recording_.pieces.size();
    }

private:
    // Of all that was kept, and of what is to come.
    void keep_one_node()
    {
        if (!may_be_alike(recording_.topology, recording_.problem))
            return forget_flights();
        recording_.detail = Detail::one_node;
        const std::vector<Flight> flights = std::exchange(recording_.flights, {});
        const std::vector<Piece> pieces = std::exchange(recording_.pieces, {});
        for (const Flight& flight : flights)
            add_of_one({.step = flight.step,
                        .from = flight.from,
                        .to = flight.to,
                        .port = flight.port,
                        .bytes = flight.bytes,
                        .pieces = std::span(pieces).subspan(flight.first_piece, flight.pieces),
                        .phase = recording_.phases[flight.phase],
                        .lost = flight.lost});
    }

    void add_of_one(const Transmission& one)
    {
        if (!alike_)
            alike_.emplace(recording_.topology);
        alike_->add(one);
        if (one.pieces.size() != 1 || one.pieces.front().origin != NodeId{0})
            return;
        if (fits(one))
            recording_.flights.push_back(flight(one));
        else
            forget_flights();
    }

    void forget_flights()
    {
        recording_.detail = Detail::counts;
        recording_.flights = {};
        recording_.pieces = {};
    }

    std::uint32_t phase(std::string_view name)
    {
        auto& phases = recording_.phases;
        const auto found = std::ranges::find(phases, name);
        if (found != phases.end())
            return static_cast<std::uint32_t>(found - phases.begin());
        if (phases.size() > limits_.phases)
            return 0;
        phases.emplace_back(name);
        return static_cast<std::uint32_t>(phases.size() - 1);
    }

    Recording& recording_;
    RecordingLimits limits_;
    std::optional<Alike> alike_{};
};

// The piece of a packet whose bytes have no label: data of its sender.
Piece sender_own(NodeId sender, std::uint64_t bytes)
{
    Piece own;
    own.length = bytes;
    own.sum_of = std::make_shared<const Contributors>(sender);
    return own;
}

// Whether a rejected line can be drawn: it goes over a link.
bool over_a_link(const Transmission& one, const Topology& topology)
{
    return one.step > 0 && one.from < topology.nodes() && one.port < topology.ports(one.from) &&
           one.to == topology.neighbour(one.from, one.port);
}

}  // namespace

Detail expected_detail(const Algorithm& algorithm, const Topology& topology, const Problem& problem,
                       const RecordingLimits& limits)
{
    if (!algorithm.cost)
        return Detail::flights;
    const std::uint64_t flights = algorithm.cost(topology, problem).transmissions;
    if (flights <= limits.flights)
        return Detail::flights;
    return may_be_alike(topology, problem) && flights / topology.nodes() <= limits.flights ? Detail::one_node
                                                                                           : Detail::counts;
}

std::string_view name(Ending::What what)
{
    switch (what) {
    case Ending::What::rejected: return "rejected";
    case Ending::What::rule: return "rule";
    case Ending::What::deadlock: return "deadlock";
    case Ending::What::lost: return "lost";
    case Ending::What::threw: return "threw";
    case Ending::What::wrong_bytes: return "wrong-bytes";
    case Ending::What::impossible: return "impossible";
    }
    return "";
}

namespace {

Ending ending_of(const RuleViolation& error)
{
    using enum Ending::What;
    Ending ending{.what = error.rule == Rule::deadlock      ? deadlock
                          : error.rule == Rule::packet_lost ? lost
                                                            : rule,
                  .message = error.what(),
                  .detail = error.detail,
                  .step = error.step,
                  .node = error.node};
    if (error.port != RuleViolation::no_port)
        ending.port = error.port;
    ending.waiting = error.waiting;
    return ending;
}

Ending ending_of(const ProgramError& error)
{
    return {.what = Ending::What::threw, .message = error.what(), .step = error.step, .node = error.node};
}

Ending ending_of(const VerificationError& error)
{
    Ending ending{.what = Ending::What::wrong_bytes, .message = error.what(), .node = error.node};
    ending.origin = error.origin;
    return ending;
}

}  // namespace

std::optional<Ending> ending_of(const Error& error)
{
    if (const auto* const violation = dynamic_cast<const RuleViolation*>(&error))
        return ending_of(*violation);
    if (const auto* const thrown = dynamic_cast<const ProgramError*>(&error))
        return ending_of(*thrown);
    if (const auto* const wrong = dynamic_cast<const VerificationError*>(&error))
        return ending_of(*wrong);
    return std::nullopt;
}

namespace {

/// Whether a verified run can have been: it is compared with its bounds, and followed packet by packet. The catalogue's
/// algorithms are tested for that.
class Doubts {
public:
    Doubts(const Recording& recording, const RunOptions& options)
        : recording_(recording), failing_(options.failing), provenance_(recording.problem, recording.topology)
    {
    }

    void add(const Transmission& one)
    {
        provenance_.add(one);
        const Problem& problem = recording_.problem;
        const bool any_size = problem.link.bound() || is_matrix(problem.collective);
        if (!large_ && !any_size && one.bytes > packet_size(problem))
            large_ = {one.step, one.from, one.to, one.port, one.bytes};
    }

    /// The first reason why not.
    [[nodiscard]] std::optional<Ending> found()
    {
        const auto excused = [&](NodeId node) { return has_failed(failing_, node, recording_.steps); };
        if (const auto gap = provenance_.gap(excused)) {
            Ending ending = impossible(gap->message + ", and holds it: bytes have come another way than over links");
            ending.node = gap->node;
            ending.origin = gap->origin;
            return ending;
        }
        return failing_.empty() ? below_a_bound() : std::nullopt;  // bounds ask for all nodes
    }

private:
    [[nodiscard]] static Ending impossible(const std::string& message)
    {
        return {.what = Ending::What::impossible, .message = "this cannot be: " + message};
    }

    [[nodiscard]] std::optional<Ending> below_a_bound() const
    {
        const Report& report = *recording_.report;
        if (report.virtual_time_ns && report.time_lower_bound_ns &&
            *report.virtual_time_ns < *report.time_lower_bound_ns)
            return impossible(fmt::format("{} ns are less than {} ns, the least there can be",
                                          to_string(*report.virtual_time_ns), to_string(*report.time_lower_bound_ns)));
        if (recording_.problem.link.bound())
            return std::nullopt;
        if (report.counts.steps < report.steps_lower_bound)
            return below(report.counts.steps, report.steps_lower_bound, "step");
        if (!large_ && report.counts.transmissions < report.transmissions_lower_bound)
            return below(report.counts.transmissions, report.transmissions_lower_bound, "packet");
        return std::nullopt;
    }

    [[nodiscard]] Ending below(std::uint64_t found, std::uint64_t bound, std::string_view what) const
    {
        std::string message = fmt::format("{} {} fewer than {}, the fewest there can be", grouped(found, what),
                                          found == 1 ? "is" : "are", grouped(bound));
        if (large_)
            message += fmt::format(": node {} sends {} bytes at once in step {}, and a packet has at most {}",
                                   large_->from, large_->bytes, large_->step, packet_size(recording_.problem));
        Ending ending = impossible(message);
        if (large_) {
            ending.step = large_->step;
            ending.node = large_->from;
            ending.port = large_->port;
        }
        return ending;
    }

    const Recording& recording_;
    const std::vector<Failing>& failing_;
    Provenance provenance_;
    std::optional<Flight> large_{};  // the first packet that is larger than one
};

/// Whether the packets of a run that is not the catalogue's are followed.
enum class Followed : std::uint8_t { no, yes };

/// Runs `run`, which takes RunOptions with the trace and returns a report, and keeps what crossed the links.
template <class Run>
Attempt attempted(const Machine& machine, const Entry& entry, const Problem& problem, const RunOptions& options,
                  const RecordingLimits& limits, Followed followed, const Run& run)
{
    Attempt made;
    Recording& recording = made.recording;
    recording.topology = machine.topology();
    recording.ports = machine.ports();
    recording.problem = on_links_of(machine, problem);
    recording.algorithm = &entry;
    recording.detail = expected_detail(entry, recording.topology, recording.problem, limits);

    if (entry.cost)
        require_few_steps(entry.cost(recording.topology, recording.problem).steps, limits);
    Recorder recorder(recording, limits);
    std::optional<Doubts> doubts;
    if (followed == Followed::yes && entry.origin == Origin::own)
        doubts.emplace(recording, options);
    RunOptions traced = options;
    traced.trace = [&](const Transmission& one) {
        recorder.add(one);
        if (doubts)
            doubts->add(one);
    };
    if (recording.detail == Detail::counts && !doubts)
        traced.labels = [](NodeId) { return std::vector<Label>(); };  // counts need no labels
    try {
        recording.report = run(traced);
        recording.steps = recording.report->counts.steps;
        require_few_steps(recording.steps, limits);
        if (doubts)
            if (const auto doubt = doubts->found()) {
                recording.ending = doubt;
                made.error = std::make_exception_ptr(ImpossibleRun(doubt->message));
            }
    } catch (const Error& error) {
        recording.ending = ending_of(error);
        if (!recording.ending)
            throw;
        made.error = std::current_exception();
    }
    recorder.end();
    recording.links_used.resize(recording.steps);
    return made;
}

Attempt attempted_once(Machine& machine, const Entry& entry, const Problem& problem, const VerifiedRunOptions& how,
                       const RunOptions& options, const RecordingLimits& limits, Followed followed)
{
    VerifiedRunOptions once = how;
    once.repeat = 1;
    return attempted(machine, entry, problem, options, limits, followed,
                     [&](const RunOptions& traced) { return run_verified(machine, entry, problem, once, traced); });
}

}  // namespace

Attempt attempt(Machine& machine, const Entry& entry, const Problem& problem, const VerifiedRunOptions& how,
                const RunOptions& options, const RecordingLimits& limits)
{
    return attempted_once(machine, entry, problem, how, options, limits, Followed::yes);
}

Recording record(Machine& machine, const Entry& entry, const Problem& problem, const VerifiedRunOptions& how,
                 const RunOptions& options, const RecordingLimits& limits)
{
    Attempt made = attempted_once(machine, entry, problem, how, options, limits, Followed::no);
    if (made.error)
        std::rethrow_exception(made.error);
    return std::move(made.recording);
}

Attempt attempt_free(Machine& machine, const Entry& entry, const Problem& problem, std::uint64_t seed,
                     const RunOptions& options, const RecordingLimits& limits)
{
    const Topology& topology = machine.topology();
    const Layout layout(problem, topology);
    machine.require_memory(layout.bytes());
    std::vector<std::byte> input(layout.input_bytes);
    std::vector<std::byte> output(layout.output_bytes);
    for (NodeId node = 0; node < topology.nodes(); ++node)
        if (const auto [offset, bytes] = layout.input(node); bytes != 0)
            fill_input(problem, topology, seed, node, std::span(input).subspan(offset, bytes));
    Attempt made = attempted(machine, entry, problem, options, limits, Followed::no, [&](RunOptions traced) {
        traced.seed = seed;
        // Bytes that a node has computed have no label: they are shown as the node's own.
        traced.trace = [&layout, keep = traced.trace](Transmission one) {
            Piece own;
            if (one.pieces.empty()) {
                own = sender_own(one.from, layout.message);
                one.pieces = {&own, 1};
            }
            keep(one);
        };
        Report report = run(machine, entry, problem, input, output, traced);
        report.seed = seed;
        return report;
    });
    made.recording.free = true;
    return made;
}

Recording program_recording(const Topology& topology, PortModel ports, const LinkModel& link, Step steps,
                            std::span<const Transmission> sent, std::optional<Ending> ending,
                            const RecordingLimits& limits)
{
    require_few_steps(steps, limits);
    Recording recording;
    recording.topology = topology;
    recording.ports = ports;
    recording.problem.collective = Collective::all_gather;  // packets belong to their senders, and nothing is summed
    recording.problem.bytes = 1;
    recording.problem.link = link;
    recording.free = true;
    recording.ending = std::move(ending);
    Recorder recorder(recording, limits);
    for (Transmission one : sent) {
        Piece own;
        own.origin = one.from;
        own.length = recording.problem.bytes;
        one.pieces = {&own, 1};
        recorder.add(one);
    }
    recording.steps = std::max(recording.steps, steps);
    recording.links_used.resize(recording.steps);
    return recording;
}

namespace {

Recording trace_recording(std::istream& trace, const JudgeOptions& options, const RecordingLimits& limits)
{
    Recording recording;
    Recorder recorder(recording, limits);
    std::optional<Flight> offending;
    bool shown = false;  // where it stands: not if it goes back in time, or far ahead
    bool known = false;

    JudgeOptions how = options;
    how.question = [&](const std::optional<TraceQuestion>& header) {
        TraceQuestion question = options.question(header);
        recording.topology = question.topology;
        recording.ports = question.ports;
        recording.problem = question.problem;
        recording.failing = question.failing;
        known = true;
        return question;
    };
    how.accepted = [&](const Transmission& one) { recorder.add(one); };
    how.rejected = [&](const Transmission& one, bool after) {
        if (!after)
            shown = one.step == recording.steps || one.step == recording.steps + 1;
        if (!over_a_link(one, recording.topology) || !recorder.fits(one))
            return;
        if (!after)
            offending = recorder.flight(one);
        else if (shown)
            recorder.add(one);
    };
    try {
        recording.verdict = judge_trace(trace, how);
    } catch (const TraceError& error) {
        if (!known)
            throw;
        recording.ending = Ending{.message = error.what(), .line = error.line, .flight = offending};
        if (offending)
            recording.ending->step = offending->step;
    }
    recorder.end();
    if (recording.end == 0)  // the trace has no times, or all are 0: it is shown step by step
        recording.problem.link = {};
    return recording;
}

}  // namespace

Recording record_trace(std::istream& trace, const JudgeOptions& options, const RecordingLimits& limits)
{
    return trace_recording(trace, options, limits);
}

Recording record_unjudged(std::istream& trace, const JudgeOptions& options, const RecordingLimits& limits)
{
    JudgeOptions lenient = options;
    lenient.question = [&](const std::optional<TraceQuestion>& header) {
        TraceQuestion question = options.question(header);
        if (is_reduction(question.problem.collective))
            throw InvalidArgument(
                fmt::format("a trace of {} has to be judged: what a sum is made of is only known then",
                            name(question.problem.collective)));
        question.redundant = true;
        return question;
    };
    Recording recording = trace_recording(trace, lenient, limits);
    recording.judged = false;
    recording.verdict.reset();
    if (recording.ending && recording.ending->line == 0)  // not all has arrived
        recording.ending.reset();
    return recording;
}

}  // namespace dcube

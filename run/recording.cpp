#include "run/recording.hpp"

#include "collectives/example.hpp"

#include <dcube/layout.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace dcube {

namespace {

void require_few_steps(std::uint64_t steps, const RecordingLimits& limits)
{
    if (steps > limits.steps)
        throw InvalidArgument(
            fmt::format("{} steps are too many to be recorded: at most {} are possible", steps, limits.steps));
}

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
        if (one.lost) {  // it does not arrive, so it is counted and not shown
            recording_.lost.resize(std::max<std::size_t>(recording_.lost.size(), one.step));
            ++recording_.lost[one.step - 1];
            return;
        }
        ++recording_.transmissions;
        recording_.end = std::max(recording_.end, one.end);
        recording_.steps = std::max(recording_.steps, one.step);
        recording_.links_used.resize(recording_.steps);
        ++recording_.links_used[one.step - 1];
        if (recording_.detail == Detail::flights && !fits(one))
            forget_flights();
        if (recording_.detail == Detail::flights)
            recording_.flights.push_back(flight(one));
    }

    /// The flight of a transmission that fits; its pieces are kept.
    Flight flight(const Transmission& one)
    {
        const auto first = static_cast<std::uint32_t>(recording_.pieces.size());
        recording_.pieces.insert(recording_.pieces.end(), one.pieces.begin(), one.pieces.end());
        return {one.step,        one.from,  one.to,
                one.port,        one.bytes, one.start,
                one.end,         first,     static_cast<std::uint32_t>(one.pieces.size()),
                phase(one.phase)};
    }

    [[nodiscard]] bool fits(const Transmission& one) const
    {
        return recording_.flights.size() < limits_.flights &&
               one.pieces.size() <= limits_.pieces - recording_.pieces.size();
    }

private:
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
    const bool fits = !algorithm.cost || algorithm.cost(topology, problem).transmissions <= limits.flights;
    return fits ? Detail::flights : Detail::counts;
}

namespace {

// Runs `run`, which takes RunOptions with the trace and returns a report, and keeps what crossed the links.
template <class Run>
Recording recorded(const Machine& machine, const Entry& entry, const Problem& problem, const RunOptions& options,
                   const RecordingLimits& limits, const Run& run)
{
    Recording recording;
    recording.topology = machine.topology();
    recording.ports = machine.ports();
    recording.problem = on_links_of(machine, problem);
    recording.algorithm = &entry;
    recording.detail = expected_detail(entry, recording.topology, recording.problem, limits);

    if (entry.cost)
        require_few_steps(entry.cost(recording.topology, recording.problem).steps, limits);
    Recorder recorder(recording, limits);
    RunOptions traced = options;
    traced.trace = [&](const Transmission& one) { recorder.add(one); };
    if (recording.detail == Detail::counts)
        traced.labels = [](NodeId) { return std::vector<Label>(); };  // counts need no labels
    recording.report = run(traced);
    recording.steps = recording.report->counts.steps;
    require_few_steps(recording.steps, limits);
    recording.links_used.resize(recording.steps);
    return recording;
}

}  // namespace

Recording record(Machine& machine, const Entry& entry, const Problem& problem, const VerifiedRunOptions& how,
                 const RunOptions& options, const RecordingLimits& limits)
{
    VerifiedRunOptions once = how;
    once.repeat = 1;
    return recorded(machine, entry, problem, options, limits,
                    [&](const RunOptions& traced) { return run_verified(machine, entry, problem, once, traced); });
}

Recording record_free(Machine& machine, const Entry& entry, const Problem& problem, std::uint64_t seed,
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
    Recording recording = recorded(machine, entry, problem, options, limits, [&](RunOptions traced) {
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
    recording.free = true;
    return recording;
}

Recording program_recording(const Topology& topology, PortModel ports, const LinkModel& link, Step steps,
                            std::span<const Transmission> sent, const RecordingLimits& limits)
{
    require_few_steps(steps, limits);
    Recording recording;
    recording.topology = topology;
    recording.ports = ports;
    recording.problem.collective = Collective::all_gather;  // packets belong to their senders, and nothing is summed
    recording.problem.bytes = 1;
    recording.problem.link = link;
    recording.free = true;
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

Recording record_trace(std::istream& trace, const JudgeOptions& options, const RecordingLimits& limits)
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
        recording.rejection = Rejection{error.what(), error.line, offending};
    }
    if (recording.end == 0)  // the trace has no times, or all are 0: it is shown step by step
        recording.problem.link = {};
    return recording;
}

}  // namespace dcube

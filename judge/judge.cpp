// Judging a trace: it is replayed line by line; link_rules.hpp says what a line may do, and the ledger where the bytes
// are.

#include <dcube/judge.hpp>

#include "judge/held_bytes.hpp"
#include "judge/ledger.hpp"
#include "judge/link_rules.hpp"
#include "judge/link_times.hpp"
#include "judge/trace_header.hpp"
#include "judge/trace_reader.hpp"

#include <dcube/bounds.hpp>
#include <dcube/matrix.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dcube {

namespace {

constexpr double most_memory = 8.0 * (1 << 30);
constexpr double most_keys = 1e18;

/// Packets of messages at nodes, which ledgers number.
double keys(const Problem& problem, const Topology& topology)
{
    const TraceMessages messages(problem, topology);
    return static_cast<double>(messages.count()) * static_cast<double>(messages.packets()) * topology.nodes();
}

void require_link_model(const Problem& problem, PortModel ports)
{
    const LinkModel& link = problem.link;
    if (link.bound() && ports == PortModel::one)
        throw InvalidArgument("one port under the link-bound model is not possible: all ports are");
    if (link.tau < Rational{} || link.beta < Rational{})
        throw InvalidArgument(fmt::format("tau {} and beta {} are not possible: 0 or more is", to_string(link.tau),
                                          to_string(link.beta)));
}

void require_judgeable(const Problem& problem, const Topology& topology, PortModel ports)
{
    validate(problem, topology);
    require_link_model(problem, ports);
    const double a_link = problem.link.bound() ? 12 : 4;
    const double n = topology.nodes();
    const double links = a_link * static_cast<double>(topology.directed_links()) + 8 * n;
    const double bytes = links + ledger_bytes(problem, topology);
    if (bytes > most_memory)
        throw InvalidArgument(fmt::format(
            "judging {} on {} with {} packets takes about {:.0f} GiB: at most {:.0f} GiB are allowed",
            name(problem.collective), topology.name(), problem.packets, bytes / (1 << 30), most_memory / (1 << 30)));
    if (keys(problem, topology) > most_keys)
        throw InvalidArgument(
            fmt::format("judging {} on {} with {} packets has to tell apart more than 10^18 packets at "
                        "nodes: fewer are allowed",
                        name(problem.collective), topology.name(), problem.packets));
}

/// Pieces of messages that arrive somewhere if nothing takes a detour; at most.
double arrivals(const Problem& problem, const Topology& topology)
{
    if (!is_matrix(problem.collective))
        return static_cast<double>(transmissions_bound(topology, problem).value);
    const double n = topology.nodes();
    const double targets = std::min(n, static_cast<double>(MatrixMove(problem, topology).before().per_node()));
    return n * targets * topology.diameter();
}

/// Packets of any size keep none of the bounds of the unit-time model.
Verdict lower_bounds(const Topology& topology, PortModel ports, const Problem& problem)
{
    Verdict verdict;
    if (problem.link.bound()) {
        verdict.time_lower_bound_ns = time_bound(topology, problem).value;
        return verdict;
    }
    verdict.steps_lower_bound = steps_bound(topology, ports, problem).value;
    verdict.transmissions_lower_bound = transmissions_bound(topology, problem).value;
    return verdict;
}

}  // namespace

TraceError::TraceError(std::uint64_t in_line, const std::string& what)
    : VerificationError(in_line == 0 ? what : fmt::format("line {}: {}", in_line, what)), line(in_line)
{
}

double ledger_bytes(const Problem& problem, const Topology& topology)
{
    const double n = topology.nodes();
    if (is_reduction(problem.collective)) {
        const double sums = traits(problem.collective).target == Who::all ? n : 1;
        return n * sums * static_cast<double>(problem.packets) * (n / 8 + 152);
    }
    // A table that is three eighths to three quarters full, and half as large again while it grows.
    return arrivals(problem, topology) * 8 / 3 * 1.5 * HeldBytes::bytes_per_slot;
}

namespace {

/// Replays one trace.
class Replay {
public:
    Replay(TraceReader& reader, const TraceQuestion& question, const std::function<void(const std::string&)>& warn)
        : reader_(reader), warn_(warn), unit_(!question.problem.link.bound()),
          ledger_(is_reduction(question.problem.collective) ? make_sum_ledger(question.problem, question.topology)
                                                            : make_byte_ledger(question.problem, question.topology)),
          messages_(question.problem, question.topology), rules_(question.topology, question.ports, question.problem),
          verdict_(lower_bounds(question.topology, question.ports, question.problem))
    {
        if (!unit_)
            times_.emplace(question.problem.link, question.topology);
    }

    Verdict operator()()
    {
        Record record;
        while (reader_.next(record)) {
            try {
                replay(record);
            } catch (const TraceError&) {
                if (record.step >= verdict_.steps)
                    blame_order(record);
                throw;
            }
        }
        ledger_->end_step();
        ledger_->require_complete();
        verdict_.lines = verdict_.transmissions;
        if (times_)
            verdict_.virtual_time_ns = times_->last();
        return verdict_;
    }

private:
    void replay(Record& record)
    {
        for (const Record::Piece& piece : record.pieces)
            messages_.require_valid(record, piece);
        rules_.require_kept(record);
        if (times_)
            times_->require_kept(record);
        else
            warn_of_times(record);
        if (record.step != verdict_.steps)
            ledger_->end_step();
        for (const Record::Piece& piece : record.pieces)
            ledger_->carry(record, piece);
        verdict_.steps = record.step;
        ++verdict_.transmissions;
        verdict_.bytes += record.bytes;
    }

    /// If a line after the rejected one goes back in time, that is the reason: what this step needs stands too late.
    void blame_order(Record record)
    {
        constexpr std::uint64_t most_lines = 1'000'000;
        for (std::uint64_t line = 0; line < most_lines; ++line) {
            const Step before = record.step;
            if (!reader_.next_readable(record))
                return;
            if (record.step < before)
                throw TraceError(record.line, out_of_order(record.step, before));
        }
    }

    void warn_of_times(const Record& record)
    {
        if (std::exchange(warned_, warned_ || record.start_ns || record.end_ns) || !warned_)
            return;
        warn_(fmt::format("line {}: start_ns and end_ns say nothing in the unit model", record.line));
    }

    TraceReader& reader_;
    const std::function<void(const std::string&)>& warn_;
    bool unit_;
    bool warned_ = false;
    std::unique_ptr<Ledger> ledger_;
    TraceMessages messages_;
    LinkRules rules_;
    std::optional<LinkTimes> times_;
    Verdict verdict_;
};

}  // namespace

Verdict judge_trace(std::istream& trace, const JudgeOptions& options)
{
    TraceReader reader(trace, options.warn);
    const std::optional<TraceQuestion> header = parse_trace_header(reader.first_line());
    if (header)
        reader.skip_first_line();
    const TraceQuestion question = options.question(header);
    require_judgeable(question.problem, question.topology, question.ports);
    return Replay(reader, question, options.warn)();
}

Verdict judge_trace(std::istream& trace, const Topology& topology, PortModel ports, const Problem& problem)
{
    JudgeOptions options;
    options.question = [&](const std::optional<TraceQuestion>&) { return TraceQuestion{topology, ports, problem}; };
    return judge_trace(trace, options);
}

}  // namespace dcube

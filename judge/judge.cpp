// Judging a trace: it is replayed line by line; link_rules.hpp says what a line may do, and the ledger where the bytes
// are.

#include <dcube/judge.hpp>

#include "judge/completed_line.hpp"
#include "judge/judgeable.hpp"
#include "judge/ledger.hpp"
#include "judge/link_rules.hpp"
#include "judge/link_times.hpp"
#include "judge/trace_header.hpp"
#include "judge/trace_messages.hpp"
#include "judge/trace_reader.hpp"

#include <dcube/bounds.hpp>

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dcube {

namespace {

/// Packets of any size keep none of the bounds of the unit-time model.
Verdict lower_bounds(const TraceQuestion& question)
{
    const Topology& topology = question.topology;
    const Problem& problem = question.problem;
    Verdict verdict;
    if (problem.link.bound()) {
        verdict.time_lower_bound_ns = time_bound(topology, problem).value;
        return verdict;
    }
    verdict.steps_lower_bound = steps_bound(topology, question.ports, problem).value;
    verdict.transmissions_lower_bound = transmissions_bound(topology, problem).value;
    return verdict;
}

std::unique_ptr<Ledger> make_ledger(const TraceQuestion& question)
{
    if (is_reduction(question.problem.collective))
        return make_sum_ledger(question.problem, question.topology);
    return make_byte_ledger(question.problem, question.topology,
                            question.redundant ? Deliveries::repeated : Deliveries::once);
}

/// Replays one trace.
class Replay {
public:
    Replay(TraceReader& reader, const TraceQuestion& question, const JudgeOptions& options)
        : reader_(reader), options_(options), topology_(question.topology), failing_(question.failing),
          link_bound_(question.problem.link.bound()), ledger_(make_ledger(question)),
          messages_(question.problem, question.topology), rules_(question.topology, question.ports, question.problem),
          verdict_(lower_bounds(question))
    {
        if (link_bound_ && !options.schedule)
            times_.emplace(question.problem.link, question.topology);
    }

    Verdict operator()()
    {
        Record record;
        while (reader_.next(record)) {
            try {
                replay(record);
            } catch (const TraceError&) {
                const std::vector<Record> rest = rest_of_step(record);
                if (options_.rejected)
                    options_.rejected(transmission(record), false);
                for (const Record& one : rest)
                    options_.rejected(transmission(one), true);
                throw;
            }
        }
        ledger_->end_step();
        ledger_->require_complete(
            [this](NodeId node) { return has_failed(failing_, node, static_cast<Step>(verdict_.steps)); });
        verdict_.lines = verdict_.transmissions;
        if (times_)
            verdict_.virtual_time_ns = times_->last();
        return verdict_;
    }

private:
    void replay(Record& record)
    {
        complete_line(record, topology_, messages_);
        for (const Piece& piece : record.pieces)
            messages_.require_valid(record, piece);
        rules_.require_kept(record);
        require_possible_fate(record);
        if (verdict_.transmissions == 0 && !record.start_ns && !record.end_ns)
            times_.reset();  // it tells none
        if (times_)
            times_->require_kept(record);
        else
            record.start = record.end = record.step;
        if (!times_ && !options_.schedule)
            warn_of_times(record);
        if (record.step != verdict_.steps)
            ledger_->end_step();
        for (const Piece& piece : record.pieces)
            ledger_->carry(record, piece);
        verdict_.steps = record.step;
        ++verdict_.transmissions;
        verdict_.lost += record.lost;
        verdict_.bytes += record.bytes;
        if (options_.accepted)
            options_.accepted(transmission(record));
    }

    [[nodiscard]] Transmission transmission(const Record& record) const
    {
        const bool timed = times_.has_value();
        return {record.step,
                record.from,
                record.to,
                record.port,
                record.bytes,
                timed ? record.start : 0,
                timed ? record.end : 0,
                record.pieces,
                record.phase,
                record.lost};
    }

    /// What is sent over a link that has failed is lost.
    void require_possible_fate(const Record& record) const
    {
        if (record.lost && options_.schedule)
            throw TraceError(record.line, "\"lost\" is true: no packet of a schedule that is still to be run is lost");
        const Failing* const cause = failed_between(failing_, record.from, record.to, record.step);
        if (cause && !record.lost)
            throw TraceError(record.line,
                             fmt::format("the packet from node {} to node {} is not said to be lost, and {}",
                                         record.from, record.to, describe(*cause)));
    }

    /// What follows the rejected line in its step, for those who want to see it. If a line goes back in time, that is
    /// the reason: what this step needs stands too late.
    std::vector<Record> rest_of_step(const Record& rejected)
    {
        constexpr std::uint64_t most_lines = 1'000'000;
        std::vector<Record> rest;
        Record record = rejected;
        for (std::uint64_t line = 0; line < most_lines; ++line) {
            const Step before = record.step;
            if (!reader_.next_readable(record))
                break;
            if (record.step < before && rejected.step >= verdict_.steps)
                throw TraceError(record.line, out_of_order(record.step, before));
            if (record.step == rejected.step && options_.rejected && makes_sense(record))
                rest.push_back(record);
        }
        return rest;
    }

    /// Whether it can be completed, and its pieces are stretches of messages.
    [[nodiscard]] bool makes_sense(Record& record) const
    {
        try {
            complete_line(record, topology_, messages_);
            for (const Piece& piece : record.pieces)
                messages_.require_valid(record, piece);
        } catch (const TraceError&) {
            return false;
        }
        return true;
    }

    void warn_of_times(const Record& record)
    {
        if (warned_ || (!record.start_ns && !record.end_ns))
            return;
        warned_ = true;
        options_.warn(record.line, fmt::format("start_ns and end_ns are ignored {}",
                                               link_bound_ ? "where the first line has none" : "in the unit model"));
    }

    TraceReader& reader_;
    const JudgeOptions& options_;
    Topology topology_;
    std::vector<Failing> failing_;
    bool link_bound_;
    bool warned_ = false;  // of times that are ignored
    std::unique_ptr<Ledger> ledger_;
    TraceMessages messages_;
    LinkRules rules_;
    std::optional<LinkTimes> times_;  // where the trace tells them
    Verdict verdict_;
};

}  // namespace

TraceError::TraceError(std::uint64_t in_line, const std::string& why)
    : VerificationError(in_line == 0 ? why : fmt::format("line {}: {}", in_line, why)), line(in_line)
{
}

TraceError::TraceError(const std::string& file, const TraceError& error)
    : VerificationError(fmt::format("{}: {}", file, error.what())), line(error.line)
{
}

Verdict judge_trace(std::istream& trace, const JudgeOptions& options)
{
    TraceReader reader(trace, options.warn);
    const std::optional<TraceQuestion> header = parse_trace_header(reader.first_line());
    if (header)
        reader.skip_first_line();
    const TraceQuestion question = options.question(header);
    require_judgeable(question);
    return Replay(reader, question, options)();
}

std::optional<TraceQuestion> question_of(std::istream& trace)
{
    return parse_trace_header(TraceReader(trace).first_line());
}

Verdict judge_trace(std::istream& trace, const Topology& topology, PortModel ports, const Problem& problem)
{
    JudgeOptions options;
    options.question = [&](const std::optional<TraceQuestion>&) { return TraceQuestion{topology, ports, problem}; };
    return judge_trace(trace, options);
}

}  // namespace dcube

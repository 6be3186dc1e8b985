// Judging a trace: it is replayed line by line; link_rules.hpp says what a line may do, and the ledger where the bytes
// are.

#include <dcube/judge.hpp>

#include "judge/books.hpp"
#include "judge/foreign_schedule.hpp"
#include "judge/heard.hpp"
#include "judge/held_bytes.hpp"
#include "judge/link_rules.hpp"
#include "judge/trace_header.hpp"
#include "judge/trace_line.hpp"
#include "judge/trace_messages.hpp"
#include "judge/trace_reader.hpp"

#include <dcube/bounds.hpp>
#include <dcube/matrix.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>

namespace dcube {

namespace {

// The questions that can be judged: the memory that it takes is estimated before a trace is read.

constexpr double most_keys = 1e18;

/// The number of keys that ledgers need: one for each packet of each message at each node.
double keys(const Problem& problem, const Topology& topology)
{
    const TraceMessages messages(problem, topology);
    return static_cast<double>(messages.count()) * static_cast<double>(messages.packets()) * topology.nodes();
}

void require_times(const LinkModel& link)
{
    if (link.tau < Rational{} || link.beta < Rational{})
        throw InvalidArgument(fmt::format("tau {} and beta {} are not possible: expected 0 or more",
                                          to_string(link.tau), to_string(link.beta)));
}

/// Pieces of messages that arrive somewhere if nothing takes a detour; at most.
double arrivals(const Problem& problem, const Topology& topology)
{
    if (!topology.is_uniform())  // at most: everything comes to every node
        return keys(problem, topology);
    if (!is_matrix(problem.collective))
        return static_cast<double>(transmissions_bound(topology, problem).value);
    const double n = topology.nodes();
    const double targets = std::min(n, static_cast<double>(MatrixMove(problem, topology).before().per_node()));
    return n * targets * topology.diameter();
}

/// An estimate of the most memory, in bytes, that the ledger of a trace without superfluous transmissions needs. Works
/// for problems of any size.
double ledger_bytes(const Problem& problem, const Topology& topology)
{
    if (moves_nothing(problem))
        return 0;
    const double n = topology.nodes();
    if (is_barrier(problem.collective))
        return Heard::bytes(topology, static_cast<double>(topology.directed_links()));
    if (is_reduction(problem.collective)) {
        // Few ranges of nodes per sum; the ledger enforces its limit where there are more.
        const double blocks = traits(problem.collective).target == Who::all
                                  ? static_cast<double>(all_packets(problem, topology))
                                  : static_cast<double>(problem.packets);
        return n * blocks * 400;
    }
    // A table that is three eighths to three quarters full, and half as large again while it grows.
    return arrivals(problem, topology) * 8 / 3 * 1.5 * HeldBytes::bytes_per_slot;
}

/// The question with its links as they are on its network and ports. Throws InvalidArgument for a problem that is not
/// valid, for a link model that the ports or its numbers rule out, and where the bookkeeping would take more memory or
/// keys than are allowed.
TraceQuestion checked(TraceQuestion question)
{
    const Topology& topology = question.topology;
    const Problem& problem = question.problem;
    validate(problem, topology);
    require_times(problem.link);
    question.problem.link = topology.links(problem.link, question.ports);
    const double a_link = problem.link.bound() ? 12 : 4;
    const auto groups = groups_of(problem, topology);
    const Topology& network = groups ? groups->network() : topology;
    const double count = groups ? groups->count() : 1;
    const double n = topology.nodes();
    const double links = a_link * static_cast<double>(topology.directed_links()) + 24 * n;
    const double bytes = links + count * ledger_bytes(in_group(problem), network);
    if (bytes > most_ledger_bytes)
        throw InvalidArgument(
            fmt::format("judging {} on {} with {} packets takes about {:.0f} GiB: at most {} GiB are allowed",
                        name(problem.collective), topology.title(), most_packets(problem), bytes / (1 << 30),
                        most_ledger_bytes >> 30));
    if (count * keys(in_group(problem), network) > most_keys)
        throw InvalidArgument(
            fmt::format("judging {} on {} with {} packets must distinguish more than 10^18 packets at "
                        "nodes: fewer are allowed",
                        name(problem.collective), topology.title(), most_packets(problem)));
    return question;
}

// Fields that a line leaves out and that follow from the rest.

constexpr Step most_steps = 0x7ffffffe;

void complete_link(Record& record, const Topology& topology)
{
    if (!record.has_to && !record.has_port)
        throw TraceFormatError(record.line, "the transmission has neither \"to\" nor \"port\": one of them is needed");
    if (record.from >= topology.nodes())
        return;
    const Port ports = topology.ports(record.from);
    if (!record.has_to) {
        record.to = record.port < ports ? topology.neighbour(record.from, record.port) : 0;
        return;
    }
    if (record.has_port || record.to >= topology.nodes())
        return;
    for (record.port = 0; record.port < ports; ++record.port)
        if (topology.neighbour(record.from, record.port) == record.to)
            return;
    throw TraceError(record.line, fmt::format("node {} has no link to node {}", record.from, record.to));
}

bool is_link(const Record& record, const Topology& topology)
{
    return record.from < topology.nodes() && record.port < topology.ports(record.from) &&
           record.to == topology.neighbour(record.from, record.port);
}

/// The bounds of the unit-time model do not hold for packets of any size.
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

/// Transmissions of a list, as lines that say the same.
class ListReader {
public:
    ListReader(std::span<const Transmission> list, const LinkModel& link, const Topology& topology)
        : list_(list), timed_(link.bound() && !list.empty() && list.front().end != 0),
          ticks_per_ns_(timed_ ? topology.links(link).ticks_per_ns() : 1)
    {
    }

    bool next(Record& record)
    {
        if (at_ == list_.size())
            return false;
        const Transmission& one = list_[at_];
        record.line = ++at_;
        record.step = one.step;
        record.from = one.from;
        record.to = one.to;
        record.port = one.port;
        record.has_to = true;
        record.has_port = one.port != port_left_out;
        record.has_pieces = one.pieces.data() != nullptr;
        record.bytes = one.bytes;
        record.start_ns = in_ns(one.start);
        record.end_ns = in_ns(one.end);
        record.pieces.assign(one.pieces.begin(), one.pieces.end());
        record.phase = one.phase;
        record.lost = one.lost;
        return true;
    }

    bool next_readable(Record& record) { return next(record); }

private:
    [[nodiscard]] std::optional<Rational> in_ns(Time ticks) const
    {
        if (!timed_)
            return {};
        const std::uint64_t divisor = std::gcd(ticks, ticks_per_ns_);
        constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
        if (ticks / divisor > most)
            throw TraceError(at_, fmt::format("a time of {} ticks does not fit in 63 bits", ticks));
        return Rational{static_cast<std::int64_t>(ticks / divisor), static_cast<std::int64_t>(ticks_per_ns_ / divisor)};
    }

    std::span<const Transmission> list_;
    std::size_t at_ = 0;
    bool timed_;
    std::uint64_t ticks_per_ns_;
};

/// Lines that were made of another tool's schedule.
class RecordReader {
public:
    explicit RecordReader(std::vector<Record> records) : records_(std::move(records)) {}

    bool next(Record& record)
    {
        if (at_ == records_.size())
            return false;
        record = std::move(records_[at_++]);
        return true;
    }

    bool next_readable(Record& record) { return next(record); }

private:
    std::vector<Record> records_;
    std::size_t at_ = 0;
};

/// Replays one trace: of lines or of a list.
template <class Reader>
class Replay {
public:
    Replay(Reader& reader, const TraceQuestion& question, const JudgeOptions& options)
        : reader_(reader), options_(options), topology_(question.topology), failing_(question.failing),
          link_bound_(question.problem.link.bound()), signals_(is_barrier(question.problem.collective)),
          books_(question, link_bound_ ? Carries::all : Carries::a_packet),
          rules_(question.topology, question.ports, question.problem), verdict_(lower_bounds(question))
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
        books_.end_step();
        books_.require_complete(
            [this](NodeId node) { return has_failed(failing_, node, static_cast<Step>(verdict_.steps)); });
        if (times_)
            verdict_.virtual_time_ns = times_->last();
        return verdict_;
    }

private:
    void replay(Record& record)
    {
        if (verdict_.transmissions == 0 && !record.start_ns && !record.end_ns)
            times_.reset();  // the trace has no times
        if (record.step != verdict_.steps)
            books_.end_step();
        complete(record);
        books_.require_valid(record);
        set_times(record);
        rules_.require_kept(record);
        require_possible_fate(record);
        if (times_)
            times_->require_kept(record);
        if (!times_ && !options_.schedule)
            warn_of_times(record);
        books_.carry(record);
        verdict_.steps = record.step;
        ++verdict_.transmissions;
        verdict_.lost += record.lost;
        verdict_.bytes += record.bytes;
        if (options_.accepted)
            options_.accepted(transmission(record));
    }

    /// Fills in what the line leaves out, as far as the line makes sense; the rules report what does not. Throws
    /// TraceFormatError where both "to" and "port" are missing, TraceError where no link leads to the named node, or
    /// for a step that no run reaches, and what complete_pieces() throws.
    void complete(Record& record) const
    {
        if (record.step > most_steps)
            throw TraceError(record.line, fmt::format("step {}: a run has at most {} steps", record.step, most_steps));
        complete_link(record, topology_);
        const bool in_order = record.step > 0 && record.step >= verdict_.steps;
        if (is_link(record, topology_))
            books_.require_one_group(record);
        if (!record.has_pieces && !signals_ && in_order && is_link(record, topology_)) {
            set_times(record);  // when it leaves
            books_.complete_pieces(record);
        }
        books_.complete_sizes(record);
    }

    void set_times(Record& record) const
    {
        if (times_)
            times_->set_ticks(record);
        else
            record.start = record.end = record.step;
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

    /// Packets sent over a link that has failed are lost.
    void require_possible_fate(const Record& record) const
    {
        if (record.lost && options_.schedule)
            throw TraceError(record.line, "\"lost\" is true: no packet of a schedule that is still to be run is lost");
        const Failing* const cause = failed_between(failing_, record.from, record.to, record.step);
        if (cause && !record.lost)
            throw TraceError(record.line,
                             fmt::format("the packet from node {} to node {} is not marked as lost, but {}",
                                         record.from, record.to, describe(*cause)));
    }

    /// The transmissions after the rejected line in its step, for callers that want to see them. If a later line goes
    /// back in time, that is reported as the reason instead: what this step needs comes too late in the trace.
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
            complete(record);
            books_.require_valid(record);
            set_times(record);
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

    Reader& reader_;
    const JudgeOptions& options_;
    Topology topology_;
    std::vector<Failing> failing_;
    bool link_bound_;
    bool signals_;         // packets are empty
    bool warned_ = false;  // about times that are ignored
    Books books_;
    LinkRules rules_;
    std::optional<LinkTimes> times_;  // where the trace has times
    Verdict verdict_;
};

}  // namespace

TraceError::TraceError(std::uint64_t in_line, std::string why)
    : VerificationError(in_line == 0 ? why : fmt::format("line {}: {}", in_line, why)), line(in_line),
      reason(std::move(why))
{
}

TraceError::TraceError(const std::string& file, const TraceError& error)
    : VerificationError(fmt::format("{}: {}", file, error.what())), line(error.line), reason(error.reason)
{
}

TraceError::TraceError(InList, const TraceError& error)
    : VerificationError(error.line == 0 ? error.reason
                                        : fmt::format("transmission {}: {}", error.line - 1, error.reason)),
      line(error.line), reason(error.reason)
{
}

namespace {

// The schedule, if the trace is one in another tool's format.
std::unique_ptr<ForeignSchedule> foreign_schedule(TraceReader& reader)
{
    if (reader.first_line().starts_with("\x1f\x8b"))
        throw TraceFormatError(1, "the file is compressed: expected text, as of gunzip -c FILE | dcube replay -");
    if (auto goal = read_goal(reader))
        return goal;
    return read_msccl(reader);
}

void require_bytes(const Problem& problem)
{
    if (is_barrier(problem.collective))
        throw TraceFormatError(1, "a barrier has packets of 0 bytes, which only traces of dcube's have");
}

}  // namespace

Verdict judge_trace(std::istream& trace, const JudgeOptions& options)
{
    TraceReader reader(trace, options.warn);
    if (const auto foreign = foreign_schedule(reader)) {
        TraceQuestion asked = options.question(foreign->header());
        require_bytes(asked.problem);
        const TraceQuestion question = checked(std::move(asked));
        RecordReader records(foreign->records(question));
        return Replay(records, question, options)();
    }
    const std::optional<TraceQuestion> header = parse_trace_header(reader.first_line());
    if (header)
        reader.skip_first_line();
    const TraceQuestion question = checked(options.question(header));
    return Replay(reader, question, options)();
}

Verdict judge_list(std::span<const Transmission> list, const TraceQuestion& asked, const JudgeOptions& options)
{
    const TraceQuestion question = checked(asked);
    ListReader reader(list, question.problem.link, question.topology);
    try {
        return Replay(reader, question, options)();
    } catch (const TraceError& error) {
        throw TraceError(TraceError::InList{}, error);
    }
}

std::optional<TraceQuestion> question_of(std::istream& trace)
{
    TraceReader reader(trace);
    const auto foreign = foreign_schedule(reader);
    return foreign ? foreign->header() : parse_trace_header(reader.first_line());
}

Verdict judge_trace(std::istream& trace, const Topology& topology, PortModel ports, const Problem& problem)
{
    JudgeOptions options;
    options.question = [&](const std::optional<TraceQuestion>&) { return TraceQuestion{topology, ports, problem}; };
    return judge_trace(trace, options);
}

}  // namespace dcube

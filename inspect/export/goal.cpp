// GOAL, the schedules of LogGOPSim (Hoefler, Schneider, Lumsdaine 2010): a list of sends and receives for every rank,
// and what each of them waits for. Comments have what GOAL cannot say, and a trace does: what is run, and whose bytes
// are sent. judge/goal_reader.cpp reads them back.

#include "base/numbers.hpp"
#include "inspect/export/dependencies.hpp"
#include "inspect/export/exports.hpp"
#include "run/recording.hpp"
#include "run/trace_lines.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dcube {

namespace {

// LogGOPSim's parameters for a machine of ours, and whether it will find our time.

/// The flags under which LogGOPSim's packets take as long as ours: L = g = tau + beta and G = tau, so that a packet of
/// m bytes takes L + (m - 1) G = tau m + beta; with unit links L = g = 1 and G = 0. Times are in units.
struct GoalParameters {
    std::uint64_t latency = 1;     ///< L, and g
    std::uint64_t per_byte = 0;    ///< G
    std::uint64_t ticks = 1;       ///< our ticks per unit; 1 with unit links, where a unit is a step
    std::optional<Rational> ns{};  ///< per unit

    [[nodiscard]] std::uint64_t duration(std::uint64_t bytes) const { return latency + (bytes - 1) * per_byte; }
    /// "1 step", "7 ns", "3 units of 5/2 ns"
    [[nodiscard]] std::string amount(std::uint64_t units) const
    {
        if (!ns)
            return counted(units, "step");
        return *ns == Rational{1, 1} ? fmt::format("{} ns", units)
                                     : fmt::format("{} of {} ns", counted(units, "unit"), to_string(*ns));
    }
};

/// The relation between the time that LogGOPSim finds and ours, which is in units too.
struct GoalTime {
    enum class Relation : std::uint8_t {
        equal,
        earlier,    ///< packets that wait in our run, though their bytes are there and their link is free, do not wait
        one_by_one  ///< where packets meet at a node LogGOPSim takes them one after the other, as they come
    };
    std::uint64_t ours = 0;
    Relation relation = Relation::equal;
};

constexpr std::uint64_t most_units = std::numeric_limits<std::int32_t>::max();

// A packet of some bytes being taken in by a node, as LogGOPSim sees it: from its first byte's arrival to its last.
struct Reception {
    NodeId node;
    std::uint64_t first;
    std::uint64_t last;
};

struct Departure {
    NodeId node;
    std::uint64_t time;
};

// Whether a node has more to do while it takes something in.
bool collide(std::vector<Reception> receptions, std::vector<Departure> departures)
{
    const auto by_node = [](const auto& a, const auto& b, std::uint64_t x, std::uint64_t y) {
        return a.node != b.node ? a.node < b.node : x < y;
    };
    std::ranges::sort(receptions,
                      [&](const Reception& a, const Reception& b) { return by_node(a, b, a.first, b.first); });
    std::ranges::sort(departures,
                      [&](const Departure& a, const Departure& b) { return by_node(a, b, a.time, b.time); });
    for (std::size_t i = 1; i < receptions.size(); ++i)
        if (receptions[i - 1].node == receptions[i].node && receptions[i].first < receptions[i - 1].last)
            return true;
    auto next = departures.begin();
    for (const Reception& one : receptions) {
        while (next != departures.end() &&
               (next->node < one.node || (next->node == one.node && next->time < one.first)))
            ++next;
        if (next != departures.end() && next->node == one.node && next->time < one.last)
            return true;
    }
    return false;
}

/// Throws InvalidArgument for times that LogGOPSim cannot count.
GoalParameters goal_parameters(const LinkModel& link)
{
    if (!link.bound())
        return {};
    const std::uint64_t scale = link.ticks_per_ns();
    const auto ticks = [&](const Rational& ns) {
        return static_cast<std::uint64_t>(ns.numerator) * (scale / static_cast<std::uint64_t>(ns.denominator));
    };
    const std::uint64_t tau = ticks(link.tau);
    const std::uint64_t beta = ticks(link.beta);
    const std::uint64_t unit = std::max<std::uint64_t>(std::gcd(tau, beta), 1);
    const std::uint64_t common = std::gcd(unit, scale);
    GoalParameters parameters{.latency = tau / unit + beta / unit, .per_byte = tau / unit, .ticks = unit};
    parameters.ns = Rational{static_cast<std::int64_t>(unit / common), static_cast<std::int64_t>(scale / common)};
    if (parameters.latency > most_units)
        throw InvalidArgument(fmt::format("LogGOPSim cannot count tau + beta, {}: at most {} are possible",
                                          parameters.amount(parameters.latency), most_units));
    return parameters;
}

/// "-L 1 -g 1 -G 0 -o 0 -O 0 -S 2000000000"
std::string goal_flags(const GoalParameters& parameters)
{
    return fmt::format("-L {0} -g {0} -G {1} -o 0 -O 0 -S 2000000000", parameters.latency, parameters.per_byte);
}

GoalTime goal_time(const Recording& recording, const Dependencies& dependencies, const GoalParameters& parameters)
{
    const bool one_port = recording.ports == PortModel::one;
    const bool bound = recording.problem.link.bound();
    const Topology& topology = recording.topology;
    const auto& flights = recording.flights;
    std::vector<std::uint64_t> arrived(flights.size());
    std::vector<std::uint64_t> free(one_port ? topology.nodes() : topology.directed_links());
    std::vector<Reception> receptions;
    std::vector<Departure> departures;
    std::uint64_t end = 0;
    bool as_ours = true;  // every packet leaves when ours does
    for (std::size_t i = 0; i < flights.size(); ++i) {
        const Flight& one = flights[i];
        std::uint64_t& sender = free[one_port ? one.from : topology.link(one.from, one.port)];
        std::uint64_t start = sender;
        for (const std::uint32_t before : dependencies.of(i))
            start = std::max(start, arrived[before]);
        sender = arrived[i] = start + parameters.duration(one.bytes);
        end = std::max(end, arrived[i]);
        as_ours = as_ours && start == (bound ? one.start / parameters.ticks : one.step - 1);
        receptions.push_back({one.to, start + parameters.latency, arrived[i]});
        departures.push_back({one.from, start});
    }
    GoalTime time{.ours = bound ? recording.end / parameters.ticks : recording.steps};
    const bool others_order = one_port && !as_ours;
    if (others_order || (parameters.per_byte > 0 && collide(std::move(receptions), std::move(departures))))
        time.relation = GoalTime::Relation::one_by_one;
    else if (end != time.ours)
        time.relation = GoalTime::Relation::earlier;
    return time;
}

constexpr std::uint64_t most_bytes = 2'000'000'000;  // -S: larger ones are sent by another protocol
constexpr std::uint32_t most_nics = 256;             // LogGOPSim counts them in a byte

// A number for every directed link, unique among those that leave its sender and among those that reach its receiver,
// for LogGOPSim has one number for both ends. Ports, if they are such numbers.
std::vector<std::uint32_t> nic_numbers(const Topology& topology)
{
    std::vector<std::uint32_t> numbers(topology.directed_links());
    std::vector<std::vector<bool>> leaving(topology.nodes());
    std::vector<std::vector<bool>> reaching(topology.nodes());
    const auto is_taken = [](const std::vector<bool>& taken, std::uint32_t number) {
        return number < taken.size() && taken[number];
    };
    const auto take = [](std::vector<bool>& taken, std::uint32_t number) {
        taken.resize(std::max<std::size_t>(taken.size(), number + 1));
        taken[number] = true;
    };
    for (NodeId node = 0; node < topology.nodes(); ++node)
        for (Port port = 0; port < topology.ports(node); ++port) {
            const NodeId other = topology.neighbour(node, port);
            std::uint32_t number = port;
            if (is_taken(leaving[node], number) || is_taken(reaching[other], number))
                for (number = 0; is_taken(leaving[node], number) || is_taken(reaching[other], number);)
                    ++number;
            take(leaving[node], number);
            take(reaching[other], number);
            numbers[topology.link(node, port)] = number;
        }
    return numbers;
}

// The flights that each node sends or receives: their indices, in order.
class ByNode {
public:
    ByNode(const Recording& recording, NodeId Flight::*end) : first_(std::size_t{recording.topology.nodes()} + 1)
    {
        for (const Flight& one : recording.flights)
            ++first_[std::size_t{one.*end} + 1];
        for (std::size_t i = 1; i < first_.size(); ++i)
            first_[i] += first_[i - 1];
        flights_.resize(recording.flights.size());
        std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
        for (std::uint32_t i = 0; i < recording.flights.size(); ++i)
            flights_[next[recording.flights[i].*end]++] = i;
    }

    [[nodiscard]] std::span<const std::uint32_t> of(NodeId node) const
    {
        return std::span(flights_).subspan(first_[node], first_[std::size_t{node} + 1] - first_[node]);
    }

private:
    std::vector<std::size_t> first_;
    std::vector<std::uint32_t> flights_;
};

class Goal : public Export {
public:
    explicit Goal(const Recording& recording)
        : recording_(recording), parameters_(goal_parameters(recording.problem.link)), dependencies_(recording),
          sent_(recording, &Flight::from), received_(recording, &Flight::to)
    {
        if (recording.flights.empty())
            throw InvalidArgument("GOAL cannot express a schedule without packets");
        for (const Flight& one : recording.flights)
            if (one.bytes == 0 || one.bytes > most_bytes)
                throw InvalidArgument(
                    fmt::format("GOAL cannot express a packet of {} bytes: expected 1 to {}", one.bytes, most_bytes));
        if (recording.ports == PortModel::all)
            nics_ = nic_numbers(recording.topology);
        const std::uint32_t nics = nics_.empty() ? 1 : *std::ranges::max_element(nics_) + 1;
        if (nics > most_nics)
            throw InvalidArgument(
                fmt::format("GOAL cannot express {}: its links need {} numbers, at most {} are possible",
                            recording.topology.name(), nics, most_nics));
        time_ = goal_time(recording, dependencies_, parameters_);
    }

    void write(TextWriter& text) const override
    {
        if (recording_.report)
            text.add("// {}", trace_header(*recording_.report));
        for (const std::string& note : notes())
            text.add("// {}\n", note);
        text.add("num_ranks {}\n", recording_.topology.nodes());
        for (NodeId node = 0; node < recording_.topology.nodes(); ++node) {
            text.add("\nrank {} {{\n", node);
            write_rank(node, text);
            text.add("}}\n");
        }
    }

    [[nodiscard]] std::vector<std::string> notes() const override
    {
        return {fmt::format("{} on {}, {}: {}", name(recording_.problem.collective), recording_.topology.name(),
                            recording_.ports == PortModel::all ? "all ports" : "one port",
                            counted(recording_.flights.size(), "packet")),
                "txt2bin -i FILE -o FILE.bin && LogGOPSim -f FILE.bin " + goal_flags(parameters_), time_text()};
    }

private:
    [[nodiscard]] std::string time_text() const
    {
        const std::string ours = parameters_.amount(time_.ours);
        switch (time_.relation) {
        case GoalTime::Relation::equal: return fmt::format("LogGOPSim's time equals dcube's: {}", ours);
        case GoalTime::Relation::earlier:
            return fmt::format(
                "LogGOPSim's time is not dcube's, {}: there a packet leaves as soon as its bytes and its link let it",
                ours);
        case GoalTime::Relation::one_by_one:
            return fmt::format("LogGOPSim's time need not equal dcube's, {}: there packets leave as soon as they can, "
                               "and those that meet at a node are taken in one after the other",
                               ours);
        }
        return "";
    }

    // "s3p1" is sent in step 3 over port 1, "r3p0" received at port 0.
    [[nodiscard]] std::string sent_label(const Flight& one) const { return fmt::format("s{}p{}", one.step, one.port); }
    [[nodiscard]] std::string received_label(const Flight& one) const
    {
        return fmt::format("r{}p{}", one.step, recording_.topology.arrival_port(one.from, one.port));
    }
    [[nodiscard]] std::uint32_t nic(const Flight& one) const
    {
        return nics_.empty() ? 0 : nics_[recording_.topology.link(one.from, one.port)];
    }

    void write_send(std::uint32_t flight, TextWriter& text, std::vector<const Flight*>& last) const
    {
        const Flight& one = recording_.flights[flight];
        const std::string label = sent_label(one);
        fmt::memory_buffer pieces;
        append_pieces(pieces, recording_.pieces_of(one));
        text.add("// pieces {}\n", std::string_view(pieces.data(), pieces.size()));
        text.add("{}: send {}b to {} tag {} nic {}\n", label, one.bytes, one.to, one.step, nic(one));
        for (const std::uint32_t before : dependencies_.of(flight))
            text.add("{} requires {}\n", label, received_label(recording_.flights[before]));
        const Flight*& before = last[nics_.empty() ? 0 : one.port];
        if (before != nullptr)
            text.add("{} irequires {}\n", label, sent_label(*before));
        before = &one;
    }

    void write_rank(NodeId node, TextWriter& text) const
    {
        std::vector<const Flight*> last(nics_.empty() ? 1 : recording_.topology.ports(node));
        const auto sent = sent_.of(node);
        auto next = sent.begin();
        for (const std::uint32_t flight : received_.of(node)) {
            const Flight& one = recording_.flights[flight];
            for (; next != sent.end() && recording_.flights[*next].step <= one.step; ++next)
                write_send(*next, text, last);
            text.add("{}: recv {}b from {} tag {} nic {}\n", received_label(one), one.bytes, one.from, one.step,
                     nic(one));
        }
        for (; next != sent.end(); ++next)
            write_send(*next, text, last);
    }

    const Recording& recording_;
    GoalParameters parameters_;
    Dependencies dependencies_;
    ByNode sent_;
    ByNode received_;
    std::vector<std::uint32_t> nics_;  // by link; empty with one port, where a node has one
    GoalTime time_;
};

}  // namespace

std::uint64_t size_of(const Export& what)
{
    std::uint64_t bytes = 0;
    TextWriter text([&](std::string_view piece) { bytes += piece.size(); });
    what.write(text);
    text.flush();
    return bytes;
}

std::unique_ptr<Export> goal_export(const Recording& recording)
{
    return std::make_unique<Goal>(recording);
}

}  // namespace dcube

// GOAL, the schedules of LogGOPSim (Hoefler, Schneider, Lumsdaine 2010): a list of sends and receives for every rank,
// and what each of them waits for.

#include "export/dependencies.hpp"
#include "export/exports.hpp"
#include "export/goal_time.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace dcube {

namespace {

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

// What each node sends or receives: indices of flights, in their order.
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
            throw InvalidArgument("GOAL cannot say a schedule without packets: 1 or more are possible");
        for (const Flight& one : recording.flights)
            if (one.bytes == 0 || one.bytes > most_bytes)
                throw InvalidArgument(
                    fmt::format("GOAL cannot say a packet of {} bytes: 1 to {} are possible", one.bytes, most_bytes));
        if (recording.ports == PortModel::all)
            nics_ = nic_numbers(recording.topology);
        const std::uint32_t nics = nics_.empty() ? 1 : *std::ranges::max_element(nics_) + 1;
        if (nics > most_nics)
            throw InvalidArgument(fmt::format("GOAL cannot say {}: its links need {} numbers, and {} are possible",
                                              recording.topology.name(), nics, most_nics));
        time_ = goal_time(recording, dependencies_, parameters_);
    }

    void write(TextWriter& text) const override
    {
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
        return {fmt::format("{} on {}, {}: {} packets", name(recording_.problem.collective), recording_.topology.name(),
                            recording_.ports == PortModel::all ? "all ports" : "one port", recording_.flights.size()),
                "txt2bin -i FILE -o FILE.bin && LogGOPSim -f FILE.bin " + goal_flags(parameters_), time_text()};
    }

private:
    [[nodiscard]] std::string time_text() const
    {
        const std::string ours = fmt::format("{} {}", time_.ours, parameters_.unit);
        switch (time_.relation) {
        case GoalTime::Relation::equal: return fmt::format("LogGOPSim's time equals dcube's: {}", ours);
        case GoalTime::Relation::earlier:
            return fmt::format(
                "LogGOPSim's time is not dcube's, {}: there a packet leaves as soon as its bytes and its "
                "link let it",
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

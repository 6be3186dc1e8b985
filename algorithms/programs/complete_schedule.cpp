#include "algorithms/programs/complete_schedule.hpp"

#include "algorithms/programs/link_rules.hpp"
#include "algorithms/programs/schedule.hpp"
#include "base/arithmetic.hpp"
#include "base/planning.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace dcube::detail {

namespace {

constexpr Step never = std::numeric_limits<Step>::max();

// A hop of one node, of the copy-th packet of a message; 0 stands for an origin or target that says nothing.
struct Flight {
    NodeId origin;
    NodeId target;
    std::uint32_t copy;
    Step step;
    NodeId from;
    NodeId to;
    Arrival arrival;

    [[nodiscard]] std::tuple<NodeId, NodeId, std::uint32_t> packet() const { return {origin, target, copy}; }
};

class CompletenessCheck {
public:
    CompletenessCheck(const Schedule& schedule, const Topology& topology, PortModel ports, const Problem& problem)
        : schedule_(schedule), topology_(topology), problem_(problem), of_(traits(problem.collective)),
          rules_(topology, ports), when_(topology.nodes(), never)
    {
        for (NodeId node = 0; node < topology.nodes(); ++node)
            members_ += topology.ports(node) > 0 ? 1 : 0;
    }

    void operator()()
    {
        list_flights();
        if (rules_.last_step() != schedule_.steps)
            throw InvalidArgument(
                fmt::format("the schedule claims {} steps but takes {}", schedule_.steps, rules_.last_step()));
        rules_.require_kept();
        std::ranges::sort(flights_, {}, [](const Flight& one) { return std::tuple(one.packet(), one.step); });
        std::uint64_t arrived = 0;
        for (std::size_t begin = 0, end = 0; begin < flights_.size(); begin = end) {
            while (end < flights_.size() && flights_[end].packet() == flights_[begin].packet())
                ++end;
            arrived += follow(std::span(flights_).subspan(begin, end - begin)) ? 1 : 0;
        }
        if (arrived != packets())
            throw InvalidArgument(fmt::format("{} of {} packets are sent", arrived, packets()));
    }

private:
    static constexpr std::size_t flights_between_signs = 4096;

    void list_flights()
    {
        if (schedule_.symmetry == Symmetry::rooted || (schedule_.symmetry == Symmetry::translated && !is_for_all()))
            throw InvalidArgument("the schedule is of a symmetry that it cannot have");
        for (const unsigned digit : schedule_.alternating)
            if (digit >= topology_.dimension())
                throw InvalidArgument("the schedule alternates in a digit that does not exist");
        for (const Hop& hop : schedule_.hops) {
            if (hop.packet.origin >= topology_.nodes() || hop.packet.target >= topology_.nodes())
                throw InvalidArgument("a packet is named by a node that does not exist");
            if (schedule_.symmetry == Symmetry::none)
                add(hop);
            else
                add_translated(hop);
        }
    }

    [[nodiscard]] bool is_for_all() const
    {
        return topology_.symmetric() && !has_root(problem_.collective) && !is_point_to_point(problem_.collective);
    }

    void add_translated(const Hop& hop)
    {
        if (hop.from >= NodeId{1} << schedule_.alternating.size())
            throw InvalidArgument("a hop is of a kind of nodes that does not exist");
        for (NodeId node = 0; node < topology_.nodes(); ++node)
            if (kind_of(topology_, schedule_.alternating, node) == hop.from)
                add(translated(topology_, hop, node));
    }

    void add(const Hop& hop)
    {
        if (flights_.size() % flights_between_signs == 0)
            planning("checking what was kept", 0);
        rules_.add(hop.step, hop.from, hop.port);
        Flight flight{hop.packet.origin, hop.packet.target, hop.packet.copy,
                      hop.step,          hop.from,          topology_.neighbour(hop.from, hop.port),
                      hop.arrival};
        name(flight);
        flights_.push_back(flight);
    }

    // All-reduce names a partial sum by its target, and the whole sum by its origin: the same node.
    void name(Flight& flight) const
    {
        const bool adds = flight.arrival == Arrival::added;
        const bool whole_sums = problem_.collective == Collective::all_reduce && !adds;
        if (adds != (is_reduction(problem_.collective) && !whole_sums))
            throw InvalidArgument(adds ? "what is combined is not a sum" : "a partial sum is not added up");
        if (of_.origin == Who::nobody && !whole_sums)
            flight.origin = 0;
        if (whole_sums)
            flight.target = std::exchange(flight.origin, 0);
        else if (of_.target == Who::nobody && !adds)
            flight.target = 0;
    }

    // How many there are that somebody lacks.
    [[nodiscard]] std::uint64_t packets() const
    {
        const std::uint64_t all = problem_.packets;
        const std::uint64_t others = members_ - std::uint64_t{1};
        if (members_ < 2)
            return 0;
        switch (problem_.collective) {
        case Collective::broadcast:
        case Collective::reduce:
        case Collective::all_reduce: return all;
        case Collective::scatter:
        case Collective::gather: return all * others;
        case Collective::all_gather:
        case Collective::reduce_scatter: return all * members_;
        case Collective::all_to_all: return all * members_ * others;
        case Collective::send: return all;
        case Collective::exchange: return 2 * all;
        case Collective::permute: return all * moved();
        case Collective::matrix_transpose:
        case Collective::matrix_quarter_turn:
        case Collective::matrix_half_turn:
        case Collective::matrix_relayout: break;
        }
        throw InvalidArgument("matrices have no schedules");
    }

    [[nodiscard]] std::uint64_t moved() const
    {
        std::uint64_t moved = 0;
        for (NodeId node = 0; node < topology_.nodes(); ++node)
            moved += problem_.permutation[node] != node ? 1 : 0;
        return moved;
    }

    [[noreturn]] void refuse(const Flight& one, std::string_view what) const
    {
        throw InvalidArgument(fmt::format("step {}, node {} to node {}, packet {} from {} to {}: {}", one.step,
                                          one.from, one.to, one.copy, one.origin, one.target, what));
    }

    // All flights of one packet, by step: whether it is one that the collective has.
    bool follow(std::span<Flight> flights)
    {
        const Flight& first = flights.front();
        if (!exists(first))
            refuse(first, "there is no such packet");
        if (problem_.collective == Collective::all_reduce) {
            const auto is_sum = [](const Flight& one) { return one.arrival == Arrival::added; };
            const auto whole = std::ranges::stable_partition(flights, is_sum).begin();
            const auto sums = flights.first(static_cast<std::size_t>(whole - flights.begin()));
            if (std::uint64_t{first.copy} * topology_.nodes() + first.target >= problem_.packets)
                return false;  // of an incomplete last share
            add_up(sums, first);
            spread(flights.subspan(sums.size()), first, first.target, sums.empty() ? 0 : sums.back().step);
            require_everywhere(first);
        } else if (is_reduction(problem_.collective)) {
            add_up(flights, first);
        } else if (of_.target == Who::nobody) {
            spread(flights, first, first.origin, 0);
            require_everywhere(first);
        } else {
            if (first.origin == first.target)
                return false;
            spread(flights, first, first.origin, 0);
            if (when_[first.target] == never)
                refuse(flights.back(), "it never reaches its target");
        }
        forget();
        return true;
    }

    [[nodiscard]] bool exists(const Flight& one) const
    {
        const std::uint64_t copies = problem_.collective == Collective::all_reduce
                                         ? ceil_div<std::uint64_t>(problem_.packets, topology_.nodes())
                                         : problem_.packets;
        if (one.copy >= copies || (of_.origin == Who::root && one.origin != problem_.root) ||
            (of_.target == Who::root && one.target != problem_.root))
            return false;
        if (has_permutation(problem_.collective))
            return problem_.permutation[one.origin] == one.target;
        if (!has_peer(problem_.collective))
            return true;
        const bool back = problem_.collective == Collective::exchange;
        return (one.origin == problem_.root && one.target == problem_.peer) ||
               (back && one.origin == problem_.peer && one.target == problem_.root);
    }

    // A packet is where it began, and from the step after its first arrival on where it came.
    void spread(std::span<const Flight> flights, const Flight& packet, NodeId start, Step since)
    {
        note(start, since);
        for (const Flight& one : flights) {
            if (when_[one.from] >= one.step)
                refuse(one, "it is not there");
            if (when_[one.to] != never)
                refuse(one, "it is there already");
            note(one.to, one.step);
        }
        if (flights.empty() && members_ > 1)
            refuse(packet, "it is not sent on");
    }

    void require_everywhere(const Flight& packet) const
    {
        if (noted_.size() != members_)
            refuse(packet, fmt::format("{} of {} nodes have it in the end", noted_.size(), members_));
    }

    // Sums flow together: every node but the last sends its share once, after all that comes to it.
    void add_up(std::span<const Flight> flights, const Flight& packet)
    {
        for (const Flight& one : flights) {
            if (one.from == packet.target || when_[one.from] != never)
                refuse(one, "its shares would be counted twice");
            note(one.from, one.step);
        }
        for (const Flight& one : flights)
            if (when_[one.to] <= one.step)
                refuse(one, "it comes after that node has sent its sum");
        if (flights.size() + 1 != members_)
            refuse(packet, fmt::format("{} of {} shares are added up", flights.size() + 1, members_));
        forget();
    }

    void note(NodeId node, Step step)
    {
        when_[node] = step;
        noted_.push_back(node);
    }

    void forget()
    {
        for (const NodeId node : noted_)
            when_[node] = never;
        noted_.clear();
    }

    const Schedule& schedule_;
    const Topology& topology_;
    const Problem& problem_;
    const CollectiveTraits& of_;
    LinkRules rules_;
    NodeId members_ = 0;
    std::vector<Flight> flights_{};
    std::vector<Step> when_;  // of the packet that is followed
    std::vector<NodeId> noted_{};
};

}  // namespace

void require_complete(const Schedule& schedule, const Topology& topology, PortModel ports, const Problem& problem)
{
    validate(problem, topology);
    CompletenessCheck(schedule, topology, ports, problem)();
}

}  // namespace dcube::detail

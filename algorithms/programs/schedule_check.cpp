// Whether a schedule can be carried out: every hop is of a packet that is there, over a port that is there.

#include <dcube/error.hpp>
#include <dcube/schedule.hpp>

#include "algorithms/programs/schedule.hpp"
#include "base/arithmetic.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace dcube {

namespace {

using detail::ceil_div;
using detail::PacketAt;

class ScheduleCheck {
public:
    ScheduleCheck(const Schedule& schedule, const Topology& topology, const Problem& problem)
        : schedule_(schedule), topology_(topology), problem_(problem), of_(traits(problem.collective)),
          translated_(schedule.symmetry == Symmetry::translated),
          root_(schedule.symmetry == Symmetry::rooted ? 0 : problem.root), nodes_(topology.nodes())
    {
    }

    void operator()()
    {
        require_symmetry();
        for (hop_ = 0; hop_ < schedule_.hops.size(); ++hop_) {
            require_link(schedule_.hops[hop_]);
            require_packet(schedule_.hops[hop_]);
            note_arrival(schedule_.hops[hop_]);
        }
        for (hop_ = 0; hop_ < schedule_.hops.size(); ++hop_)
            require_held(schedule_.hops[hop_]);
    }

private:
    [[noreturn]] void refuse(const std::string& what) const
    {
        const Hop& hop = schedule_.hops[hop_];
        throw InvalidArgument(fmt::format("hop {} of the schedule (step {}, from {}, port {}): {}", hop_, hop.step,
                                          hop.from, hop.port, what));
    }

    void require_below(std::string_view what, std::uint64_t number, std::uint64_t end) const
    {
        if (number >= end)
            refuse(fmt::format("{} {} is not possible: expected 0 to {}", what, number, end - 1));
    }

    void require_symmetry() const
    {
        if (is_matrix(problem_.collective))
            throw InvalidArgument(fmt::format("{} has no packets of equal size, which schedules are of: it needs a "
                                              "program",
                                              name(problem_.collective)));
        const bool one_for_all = !has_root(problem_.collective) && !is_point_to_point(problem_.collective);
        if (translated_ && !one_for_all)
            throw InvalidArgument(fmt::format("a translated schedule is not possible for {}, in which not all nodes "
                                              "do the same: expected rooted or none",
                                              name(problem_.collective)));
        if (schedule_.symmetry == Symmetry::rooted && is_point_to_point(problem_.collective))
            throw InvalidArgument(
                fmt::format("a rooted schedule is not possible for {}: expected none", name(problem_.collective)));
        if (!problem_.counts.empty() && schedule_.symmetry != Symmetry::none)
            throw InvalidArgument("messages of different lengths have no symmetry: a schedule of symmetry none is "
                                  "possible");
        if (!topology_.symmetric() && (translated_ || (schedule_.symmetry == Symmetry::rooted && problem_.root != 0)))
            throw InvalidArgument(fmt::format("{} has no symmetry that takes node 0 to every node: a schedule of "
                                              "symmetry none is possible",
                                              topology_.name()));
        for (const unsigned digit : schedule_.alternating)
            if (digit >= topology_.dimension())
                throw InvalidArgument(fmt::format("the schedule alternates in digit {}: {} has digits 0 to {}", digit,
                                                  topology_.name(), topology_.dimension() - 1));
    }

    void require_link(const Hop& hop) const
    {
        if (hop.step == 0 || hop.step > schedule_.steps)
            refuse(fmt::format("the schedule has steps 1 to {}", schedule_.steps));
        const NodeId places = translated_ ? NodeId{1} << schedule_.alternating.size() : nodes_;
        require_below(translated_ ? "kind" : "node", hop.from, places);
        require_below("port", hop.port, topology_.ports(translated_ ? 0 : hop.from));
    }

    [[nodiscard]] std::uint64_t copies(NodeId origin, NodeId target) const
    {
        return problem_.collective == Collective::all_reduce
                   ? ceil_div<std::uint64_t>(problem_.packets, topology_.nodes())
                   : packets_between(problem_, topology_, origin, target);
    }

    void require_packet(const Hop& hop) const
    {
        const auto& [origin, target, copy] = hop.packet;
        require_below("origin", origin, nodes_);
        require_below("target", target, nodes_);
        if (copies(origin, target) == 0)
            refuse(fmt::format("the message from node {} to node {} has no packets", origin, target));
        require_below("copy", copy, copies(origin, target));
        const bool adds = hop.arrival == Arrival::added;
        if (adds && !is_reduction(problem_.collective))
            refuse(fmt::format("{} adds nothing up", name(problem_.collective)));
        if (!adds && is_reduction(problem_.collective) && problem_.collective != Collective::all_reduce)
            refuse(fmt::format("{} moves partial sums, which are added on arrival", name(problem_.collective)));
        if (of_.origin == Who::root && origin != root_)
            refuse(fmt::format("the packet comes from node {}, where the root is {}", origin, root_));
        if (of_.target == Who::root && target != root_)
            refuse(fmt::format("the packet goes to node {}, where the root is {}", target, root_));
        if (is_point_to_point(problem_.collective) && !is_pair(origin, target))
            refuse(fmt::format("{} has no message from node {} to node {}", name(problem_.collective), origin, target));
    }

    [[nodiscard]] bool is_pair(NodeId origin, NodeId target) const
    {
        if (has_permutation(problem_.collective))
            return problem_.permutation[origin] == target;
        const bool back = problem_.collective == Collective::exchange;
        return (origin == problem_.root && target == problem_.peer) ||
               (back && origin == problem_.peer && target == problem_.root);
    }

    // The packet's name; where all nodes get a packet, its target has no meaning.
    [[nodiscard]] PacketName named(PacketName packet) const
    {
        if (of_.target == Who::nobody)
            packet.target = 0;
        return packet;
    }

    [[nodiscard]] PacketAt arrival_of(const Hop& hop) const
    {
        if (!translated_)
            return {topology_.neighbour(hop.from, hop.port), named(hop.packet)};
        const NodeId sender = detail::least_of_kind(topology_, schedule_.alternating, hop.from);
        const NodeId at = topology_.neighbour(sender, hop.port);
        return {detail::kind_of(topology_, schedule_.alternating, at), named(detail::name_at_receiver(topology_, hop))};
    }

    void note_arrival(const Hop& hop)
    {
        if (hop.arrival == Arrival::added)
            return;
        const auto [place, is_new] = arrived_.try_emplace(arrival_of(hop), hop.step);
        if (!is_new && hop.step < place->second)
            place->second = hop.step;
    }

    // Every node has a share of every sum from the start.
    void require_held(const Hop& hop) const
    {
        const NodeId self = translated_ ? 0 : hop.from;
        if (hop.arrival == Arrival::added || hop.packet.origin == self)
            return;
        const auto found = arrived_.find({hop.from, named(hop.packet)});
        if (found == arrived_.end() || found->second >= hop.step)
            refuse(fmt::format("packet {} from node {} to node {} is sent, but {}", hop.packet.copy, hop.packet.origin,
                               hop.packet.target,
                               found == arrived_.end() ? "never comes there"
                                                       : fmt::format("comes there in step {}", found->second)));
    }

    const Schedule& schedule_;
    const Topology& topology_;
    const Problem& problem_;
    const CollectiveTraits& of_;
    bool translated_;
    NodeId root_;
    NodeId nodes_;
    std::size_t hop_ = 0;                                                 // the hop being checked
    std::unordered_map<PacketAt, Step, detail::PacketAtHash> arrived_{};  // the first step
};

}  // namespace

void require_possible(const Schedule& schedule, const Topology& topology, const Problem& problem)
{
    validate(problem, topology);
    if (!problem.within.empty())
        throw InvalidArgument("within", "", "is not possible for a schedule of packets: give each group's");
    if (is_barrier(problem.collective))
        throw InvalidArgument("the packets of a barrier are empty, and have no names: expected a schedule in pieces, "
                              "of packets without any");
    if (is_scan(problem.collective))
        throw InvalidArgument(
            fmt::format("a schedule of packets does not say which nodes' shares a sum has, as {} needs: "
                        "expected a schedule in pieces",
                        name(problem.collective)));
    ScheduleCheck(schedule, topology, problem)();
}

}  // namespace dcube

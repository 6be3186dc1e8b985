#include "tests/support/exchange_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace dcube::test {

namespace {

class Fault : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

// One hop of one node: what a hop of the schedule means for it.
struct Move {
    Step step;
    NodeId from;
    Port port;
    NodeId origin;
    NodeId target;
};

[[noreturn]] void fail(const Move& move, std::string_view what)
{
    throw Fault(fmt::format("step {}, node {}, port {}, packet ({}, {}): {}", move.step, move.from, move.port,
                            move.origin, move.target, what));
}

// In which step something was last used.
class LastUse {
public:
    explicit LastUse(std::size_t things) : steps_(things) {}

    // False if it was used in this step already.
    bool use(std::size_t thing, Step step) { return std::exchange(steps_[thing], step) != step; }

private:
    std::vector<Step> steps_;
};

class Exchange {
public:
    Exchange(const Topology& topology, PortModel ports)
        : topology_(topology), ports_(ports), packets_(std::size_t{topology.nodes()} * topology.nodes()),
          links_(std::size_t{topology.nodes()} * topology.max_ports()), senders_(topology.nodes()),
          receivers_(topology.nodes())
    {
        for (std::size_t i = 0; i < packets_.size(); ++i)
            packets_[i].at = static_cast<NodeId>(i / topology.nodes());
    }

    // A packet that has arrived in this step has moved in it, so it moves no further.
    void make(const Move& move)
    {
        if (move.port >= topology_.ports(move.from))
            fail(move, "no such port");
        if (move.origin == move.target)
            fail(move, "no packet of the exchange");
        PacketState& packet = packet_of(move.origin, move.target);
        if (packet.moved == move.step)
            fail(move, "the packet moves twice in the step");
        if (packet.at != move.from)
            fail(move, fmt::format("the packet is at node {}", packet.at));
        const NodeId to = topology_.neighbour(move.from, move.port);
        use_link(move, to);
        packet = {to, move.step, packet.hops + 1};
    }

    void check_delivery(Routes routes) const
    {
        for (NodeId origin = 0; origin < topology_.nodes(); ++origin)
            for (NodeId target = 0; target < topology_.nodes(); ++target)
                check_packet(origin, target, routes);
    }

private:
    struct PacketState {
        NodeId at = 0;
        Step moved = 0;
        unsigned hops = 0;
    };

    PacketState& packet_of(NodeId origin, NodeId target)
    {
        return packets_[std::size_t{origin} * topology_.nodes() + target];
    }

    void use_link(const Move& move, NodeId to)
    {
        if (!links_.use(std::size_t{move.from} * topology_.max_ports() + move.port, move.step))
            fail(move, "the link is used twice in the step");
        if (ports_ == PortModel::all)
            return;
        if (!senders_.use(move.from, move.step))
            fail(move, "the node sends twice in the step");
        if (!receivers_.use(to, move.step))
            fail(move, fmt::format("node {} receives twice in the step", to));
    }

    void check_packet(NodeId origin, NodeId target, Routes routes) const
    {
        const PacketState& packet = packets_[std::size_t{origin} * topology_.nodes() + target];
        if (packet.at != target)
            throw Fault(fmt::format("packet ({}, {}) ends at node {}", origin, target, packet.at));
        if (routes == Routes::shortest && packet.hops != topology_.distance(origin, target))
            throw Fault(fmt::format("packet ({}, {}) takes {} hops, not {}", origin, target, packet.hops,
                                    topology_.distance(origin, target)));
    }

    const Topology& topology_;
    PortModel ports_;
    std::vector<PacketState> packets_;
    LastUse links_;
    LastUse senders_;
    LastUse receivers_;
};

// The images of nodes under all translations, kept for the nodes that were asked for.
class Translations {
public:
    explicit Translations(const Topology& topology) : topology_(topology), images_(topology.nodes()) {}

    // By the node that 0 is taken to.
    std::span<const NodeId> of(NodeId node)
    {
        std::vector<NodeId>& images = images_[node];
        if (images.empty())
            for (NodeId origin = 0; origin < topology_.nodes(); ++origin)
                images.push_back(topology_.translate(node, origin));
        return images;
    }

private:
    const Topology& topology_;
    std::vector<std::vector<NodeId>> images_;
};

void check_steps(const Schedule& schedule)
{
    Step last = 1;
    for (const Hop& hop : schedule.hops) {
        if (hop.step < last)
            throw Fault(fmt::format("a hop of step {} stands behind step {}", hop.step, last));
        last = hop.step;
    }
    if (!schedule.hops.empty() && last > schedule.steps)
        throw Fault(fmt::format("there is a step {}, but the schedule has {}", last, schedule.steps));
    if (schedule.hops.empty() ? schedule.steps != 0 : last < schedule.steps)
        throw Fault(fmt::format("step {}, the last one, is empty", schedule.steps));
}

void check_names(const Topology& topology, const Schedule& schedule)
{
    if (schedule.symmetry == Symmetry::rooted)
        throw Fault("an exchange has no root");
    for (const unsigned digit : schedule.alternating)
        if (schedule.symmetry != Symmetry::translated || digit >= topology.dimension())
            throw Fault("alternates where it cannot");
    const bool translated = schedule.symmetry == Symmetry::translated;
    const NodeId senders = translated ? NodeId{1} << schedule.alternating.size() : topology.nodes();
    for (const Hop& hop : schedule.hops) {
        if (hop.from >= senders || std::max(hop.packet.origin, hop.packet.target) >= topology.nodes())
            throw Fault(fmt::format("no such node, in step {}", hop.step));
        if (hop.packet.copy != 0 || hop.arrival != Arrival::kept)
            throw Fault(fmt::format("a copy or a sum, in step {}", hop.step));
    }
}

void check_moves(const Topology& topology, PortModel ports, const Schedule& schedule, Routes routes)
{
    Exchange exchange(topology, ports);
    Translations translations(topology);
    for (const Hop& hop : schedule.hops) {
        const auto& [origin, target, copy] = hop.packet;
        if (schedule.symmetry == Symmetry::none) {
            exchange.make({hop.step, hop.from, hop.port, origin, target});
            continue;
        }
        const std::span<const NodeId> origins = translations.of(origin);
        const std::span<const NodeId> targets = translations.of(target);
        for (NodeId node = 0; node < topology.nodes(); ++node)
            if (detail::kind_of(topology, schedule.alternating, node) == hop.from)
                exchange.make({hop.step, node, hop.port, origins[node], targets[node]});
    }
    exchange.check_delivery(routes);
}

}  // namespace

std::string exchange_fault(const Topology& topology, PortModel ports, const Schedule& schedule, Routes routes)
{
    try {
        check_names(topology, schedule);
        check_steps(schedule);
        check_moves(topology, ports, schedule, routes);
    } catch (const Fault& fault) {
        return fault.what();
    }
    return {};
}

}  // namespace dcube::test

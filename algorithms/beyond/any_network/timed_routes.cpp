// Negotiated congestion (McMurchie & Ebeling 1995), in the network unrolled in time. Every packet takes its cheapest
// path through places (a link in a step; one port: a sender, or a receiver, in a step). At first several packets may
// take the same place. Round after round those that do are routed again, and places that several packets wanted cost
// more, until no place is shared. Unlike routes that are chosen first and then dealt out to steps, this method knows
// when a place is free.

#include "algorithms/beyond/any_network/route_scheduling.hpp"

#include "base/planning.hpp"

#include <dcube/random.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

namespace dcube::detail {

namespace {

class Negotiation {
public:
    Negotiation(const Arcs& arcs, PortModel ports, std::span<const Message> messages, Step steps)
        : arcs_(arcs), ports_(ports), messages_(messages), steps_(steps),
          users_(ports == PortModel::all ? arcs.size() : std::size_t{2} * arcs.nodes()), taken_(users_ * steps),
          history_(users_ * steps), cost_((steps + std::size_t{1}) * arcs.nodes()), came_by_(cost_.size()),
          hops_(arcs.nodes())
    {
        for (std::uint32_t message = 0; message < messages.size(); ++message)
            for (std::uint64_t packet = 0; packet < messages[message].packets; ++packet)
                packets_.push_back({message, {}});
    }

    bool find(std::uint64_t most_looks)
    {
        std::vector<std::uint32_t> to_route(packets_.size());
        for (std::uint32_t i = 0; i < to_route.size(); ++i)
            to_route[i] = i;
        for (sharing_ = 1; !to_route.empty(); sharing_ += 1 + sharing_ / 4) {
            random_.shuffle(to_route);
            for (const std::uint32_t packet : to_route) {
                planning("routes in time", static_cast<double>(looks_) / static_cast<double>(most_looks));
                if (looks_ > most_looks || !route(packets_[packet]))
                    return false;
            }
            to_route = sharers();
        }
        return true;
    }

    ScheduledRoutes take() const
    {
        ScheduledRoutes all;
        all.schedule.steps = steps_;
        for (std::uint32_t packet = 0; packet < packets_.size(); ++packet) {
            Route route{packets_[packet].message, {}};
            for (const TimedMove& hop : packets_[packet].hops) {
                route.arcs.push_back(hop.arc);
                all.schedule.moves.push_back({hop.step, hop.arc, packet});
            }
            all.routes.routes.push_back(std::move(route));
        }
        std::ranges::stable_sort(all.schedule.moves, {}, &TimedMove::step);
        RouteLoad load(arcs_, ports_);
        for (const Route& route : all.routes.routes)
            load.add(route.arcs);
        all.routes.top = load.top();
        return all;
    }

private:
    using Cost = std::uint64_t;
    static constexpr Cost cost_of_a_hop = 64;
    static constexpr Cost most_chance = 8;
    static constexpr Cost unreached = std::numeric_limits<Cost>::max();
    static constexpr ArcId waits = ~ArcId{0};

    struct Packet {
        std::uint32_t message;
        std::vector<TimedMove> hops;
    };

    template <class Work>
    void for_each_place(ArcId arc, Step step, const Work& work) const
    {
        const std::size_t row = (step - 1) * users_;
        if (ports_ == PortModel::all) {
            work(row + arc);
        } else {
            work(row + arcs_.from(arc));
            work(row + arcs_.nodes() + arcs_.to(arc));
        }
    }

    [[nodiscard]] Cost cost_of(ArcId arc, Step step) const
    {
        Cost sum = cost_of_a_hop;
        for_each_place(arc, step,
                       [&](std::size_t place) { sum += history_[place] + cost_of_a_hop * sharing_ * taken_[place]; });
        return sum;
    }

    void count(const Packet& packet, std::uint32_t change)
    {
        for (const TimedMove& hop : packet.hops)
            for_each_place(hop.arc, hop.step, [&](std::size_t place) { taken_[place] += change; });
    }

    // Off its old path, on to the cheapest one; false where steps do not suffice.
    bool route(Packet& packet)
    {
        count(packet, ~std::uint32_t{0});
        packet.hops.clear();
        const Message& message = messages_[packet.message];
        measure_hops(message.to);
        if (hops_[message.from] > steps_)
            return false;
        search(message);
        NodeId at = message.to;
        for (Step step = steps_; step > 0; --step)
            if (const ArcId arc = came_by_[step * std::size_t{arcs_.nodes()} + at]; arc != waits) {
                packet.hops.push_back({step, arc, 0});
                at = arcs_.from(arc);
            }
        std::ranges::reverse(packet.hops);
        count(packet, 1);
        return true;
    }

    void measure_hops(NodeId target)
    {
        if (target != hops_to_ || hops_.empty())
            hops_ = hops_from(arcs_, std::span(&target, 1));
        hops_to_ = target;
    }

    void search(const Message& message)
    {
        const std::size_t n = arcs_.nodes();
        std::ranges::fill(cost_, unreached);
        cost_[message.from] = 0;
        for (Step step = 1; step <= steps_; ++step) {
            const std::size_t before = (step - 1) * n;
            const std::size_t here = step * n;
            for (const NodeId node : arcs_.members()) {
                const Cost so_far = cost_[before + node];
                if (so_far == unreached || hops_[node] > steps_ + 1 - step)
                    continue;
                reach(here + node, so_far, waits);
                for_each_out(arcs_, node, [&](ArcId arc) {
                    if (hops_[arcs_.to(arc)] <= steps_ - step)
                        reach(here + arcs_.to(arc), so_far + cost_of(arc, step) + random_.below(most_chance), arc);
                });
                looks_ += arcs_.degree(node) + std::uint64_t{1};
            }
        }
    }

    void reach(std::size_t place, Cost cost, ArcId arc)
    {
        if (cost < cost_[place]) {
            cost_[place] = cost;
            came_by_[place] = arc;
        }
    }

    // The packets that share a place with others; those places become dearer.
    std::vector<std::uint32_t> sharers()
    {
        for (std::size_t place = 0; place < taken_.size(); ++place)
            if (taken_[place] > 1)
                history_[place] += cost_of_a_hop * (taken_[place] - 1);
        std::vector<std::uint32_t> all;
        for (std::uint32_t packet = 0; packet < packets_.size(); ++packet) {
            bool shares = false;
            for (const TimedMove& hop : packets_[packet].hops)
                for_each_place(hop.arc, hop.step, [&](std::size_t place) { shares = shares || taken_[place] > 1; });
            if (shares)
                all.push_back(packet);
        }
        return all;
    }

    const Arcs& arcs_;
    PortModel ports_;
    std::span<const Message> messages_;
    Step steps_;
    std::size_t users_;
    std::vector<Packet> packets_;
    std::vector<std::uint32_t> taken_;  // by step and user: packets
    std::vector<Cost> history_;
    std::vector<Cost> cost_;  // by step and node
    std::vector<ArcId> came_by_;
    std::vector<std::uint32_t> hops_;  // to the target
    NodeId hops_to_ = ~NodeId{0};
    Cost sharing_ = 1;
    std::uint64_t looks_ = 0;
    Random random_{31};
};

}  // namespace

std::optional<ScheduledRoutes> timed_routes(const Arcs& arcs, PortModel ports, std::span<const Message> messages,
                                            Step steps, std::uint64_t most_looks)
{
    Negotiation negotiation(arcs, ports, messages, steps);
    if (!negotiation.find(most_looks))
        return std::nullopt;
    return negotiation.take();
}

}  // namespace dcube::detail

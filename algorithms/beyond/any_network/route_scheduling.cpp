#include "algorithms/beyond/any_network/route_scheduling.hpp"

#include "algorithms/beyond/any_network/tighten.hpp"
#include "base/planning.hpp"
#include "base/sizes.hpp"
#include "collectives/graphs/ordered_matching.hpp"

#include <dcube/random.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>

namespace dcube::detail {

namespace {

using RouteScore = std::int64_t;

// Of more packets that wait for a link some are looked at, others in every step.
constexpr std::size_t most_looks_at_a_queue = 64;

class RouteTry {
public:
    // `foresight`, in thousandths, is how much what lies before a packet counts beside a hop to go.
    RouteTry(const Arcs& arcs, PortModel ports, std::span<const Route> routes, RouteScore foresight, std::uint64_t seed)
        : arcs_(arcs), ports_(ports), routes_(routes), foresight_(foresight), random_(seed), gone_(routes.size()),
          waiting_(arcs.size()), arriving_(arcs.size()), left_(arcs.size()),
          left_at_(ports == PortModel::one ? std::size_t{2} * arcs.nodes() : 0),
          matching_(arcs, OrderedMatching::Takes::first), ends_(left_at_.size()), rank_(left_at_.size()), ties_(seed)
    {
        std::iota(ends_.begin(), ends_.end(), OrderedMatching::End{0});
        for (std::uint32_t packet = 0; packet < routes.size(); ++packet) {
            if (routes[packet].arcs.empty())
                continue;
            waiting_[routes[packet].arcs.front()].push_back(packet);
            for (const ArcId arc : routes[packet].arcs)
                count(arc, 1);
            hops_ += routes[packet].arcs.size();
        }
    }

    // The schedule, if it takes fewer than `steps` steps.
    std::optional<MovePlan> run(Step steps)
    {
        while (hops_ != 0) {
            if (schedule_.steps + busiest() >= steps)
                return std::nullopt;
            make_step();
        }
        return std::move(schedule_);
    }

    [[nodiscard]] std::uint64_t looks() const { return looks_; }

private:
    void count(ArcId arc, std::uint32_t change)
    {
        left_[arc] += change;
        if (ports_ == PortModel::one) {
            left_at_[arcs_.from(arc)] += change;
            left_at_[std::size_t{arcs_.nodes()} + arcs_.to(arc)] += change;
        }
    }

    [[nodiscard]] std::uint32_t busiest() const { return std::ranges::max(left_at_.empty() ? left_ : left_at_); }

    void make_step()
    {
        ++schedule_.steps;
        usable_.clear();
        for (ArcId arc = 0; arc < arcs_.size(); ++arc)
            if (!waiting_[arc].empty())
                usable_.push_back(arc);
        const std::size_t first = schedule_.moves.size();
        for (const ArcId arc : ports_ == PortModel::one ? matched() : usable_)
            send_over(arc);
        for (std::size_t i = first; i < schedule_.moves.size(); ++i)
            arrive(schedule_.moves[i]);
        looks_ += usable_.size();
        if (looks_ > next_call_) {
            next_call_ = looks_ + 100'000;
            planning("schedule", 0);
        }
    }

    // One port: those with most left to do first, of their partners too. Where several have as much left, chance
    // decides: the same ones first in every step takes more steps.
    std::span<const ArcId> matched()
    {
        ties_.shuffle(ends_);
        std::ranges::stable_sort(ends_, std::greater{}, [&](OrderedMatching::End end) { return left_at_[end]; });
        for (std::uint32_t rank = 0; rank < ends_.size(); ++rank)
            rank_[ends_[rank]] = rank;
        matching_.begin(usable_);
        for (const OrderedMatching::End end : matching_.ends())
            std::ranges::sort(matching_.choices(end), {},
                              [&](ArcId arc) { return rank_[matching_.partner(end, arc)]; });
        matching_.ask(ends_);
        return matching_.chosen();
    }

    void send_over(ArcId arc)
    {
        std::vector<std::uint32_t>& queue = waiting_[arc];
        const std::size_t looked_at = std::min(queue.size(), most_looks_at_a_queue);
        const std::size_t first = looked_at < queue.size() ? as_size(random_.below(queue.size())) : 0;
        std::size_t best = 0;
        RouteScore most = -1;
        for (std::size_t i = first; i < first + looked_at; ++i)
            if (const RouteScore here = score(queue[i % queue.size()]); here > most) {
                most = here;
                best = i % queue.size();
            }
        looks_ += looked_at;
        const std::uint32_t packet = queue[best];
        queue[best] = queue.back();
        queue.pop_back();
        if (const std::optional<ArcId> next = next_of(packet))
            ++arriving_[*next];
        count(arc, ~std::uint32_t{0});
        schedule_.moves.push_back({schedule_.steps, arc, packet});
    }

    void arrive(const TimedMove& move)
    {
        const std::optional<ArcId> next = next_of(move.packet);
        ++gone_[move.packet];
        --hops_;
        if (next) {
            --arriving_[*next];
            waiting_[*next].push_back(move.packet);
        }
    }

    // The arc behind the one that the packet waits for.
    [[nodiscard]] std::optional<ArcId> next_of(std::uint32_t packet) const
    {
        const std::vector<ArcId>& route = routes_[packet].arcs;
        const std::size_t next = gone_[packet] + std::size_t{1};
        return next < route.size() ? std::optional(route[next]) : std::nullopt;
    }

    // A packet's urgency, in thousandths of a hop. First come packets that a link or node with much left to do waits
    // for, counting the farthest behind; then those that feed an arc that has nothing else to send; then those with far
    // to go; then chance decides.
    RouteScore score(std::uint32_t packet)
    {
        const std::vector<ArcId>& route = routes_[packet].arcs;
        const std::size_t gone = gone_[packet];
        const RouteScore sum =
            1000 * static_cast<RouteScore>(route.size() - gone) + static_cast<RouteScore>(random_.below(300));
        if (gone + 1 == route.size())
            return sum;
        const ArcId next = route[gone + 1];
        const std::size_t there = waiting_[next].size() + arriving_[next];
        const RouteScore starving = there == 0 ? 4 : there == 1 ? 2 : 0;
        return sum + foresight_ * (starving + behind(route, gone + 1));
    }

    // About the least number of steps until everything that the route uses from there on has finished its work.
    [[nodiscard]] RouteScore behind(const std::vector<ArcId>& route, std::size_t from) const
    {
        std::size_t most = 0;
        for (std::size_t hop = from; hop < route.size(); ++hop)
            most = std::max(most, left_by_users(route[hop]) + route.size() - hop);
        return static_cast<RouteScore>(most);
    }

    [[nodiscard]] std::size_t left_by_users(ArcId arc) const
    {
        return ports_ == PortModel::all
                   ? left_[arc]
                   : std::max(left_at_[arcs_.from(arc)], left_at_[std::size_t{arcs_.nodes()} + arcs_.to(arc)]);
    }

    const Arcs& arcs_;
    PortModel ports_;
    std::span<const Route> routes_;
    RouteScore foresight_;
    Random random_;
    std::vector<std::uint32_t> gone_;                  // hops of each packet
    std::vector<std::vector<std::uint32_t>> waiting_;  // packets, by arc
    std::vector<std::uint32_t> arriving_;              // packets in this step, by the arc that they wait for then
    std::vector<std::uint32_t> left_;                  // hops over each arc
    std::vector<std::uint32_t> left_at_;               // one port: hops from and to each end of the matching
    OrderedMatching matching_;                         // one port
    std::vector<OrderedMatching::End> ends_;           // by the hops they have left
    std::vector<std::uint32_t> rank_;                  // by end, its place among them
    Random ties_;
    std::uint64_t hops_ = 0;  // left, of all
    std::vector<ArcId> usable_;
    std::uint64_t looks_ = 0;  // at packets and arcs
    std::uint64_t next_call_ = 0;
    MovePlan schedule_{};
};

constexpr std::uint64_t least_route_tries = 4;
constexpr std::uint64_t most_route_tries = 24;
constexpr std::uint64_t looks_of_route_tries = 50'000'000;  // at packets, beyond the least tries

// Routes with fewer detours are tried where all packets, and for each all arcs and nodes, are no more than that.
constexpr std::uint64_t looks_of_detours = 4'000'000;
constexpr std::uint64_t route_hop_costs[] = {1, 20, 5, 100};

// Routes in time are tried if least_rounds_in_time rounds are no more looks than that; and for at most as many rounds
// as would have shown that it can be done.
constexpr std::uint64_t most_looks_in_time = 60'000'000;
constexpr std::uint64_t least_rounds_in_time = 20;
constexpr std::uint64_t most_rounds_in_time = 60;

std::uint64_t looks_of_a_round_in_time(const Arcs& arcs, std::uint64_t packets, Step steps)
{
    return packets * steps * (std::uint64_t{arcs.size()} + arcs.nodes());
}

std::uint64_t packets_of(std::span<const Message> messages)
{
    std::uint64_t packets = 0;
    for (const Message& message : messages)
        packets += message.packets;
    return packets;
}

// At all arcs and nodes, for every packet.
std::uint64_t looks_of_a_search(NodeId nodes, std::uint64_t arcs, std::uint64_t packets)
{
    return packets * (arcs + nodes);
}

// Bisection: every try halves the distance to the bound, whether it finds something or not.
void search_in_time(const Arcs& arcs, PortModel ports, std::span<const Message> messages, std::uint64_t bound,
                    ScheduledRoutes& best)
{
    auto above = static_cast<Step>(std::max<std::uint64_t>(bound, 1));  // fewer are not to be had
    while (above < best.schedule.steps) {
        const Step steps = above + (best.schedule.steps - above) / 2;
        const std::uint64_t round = looks_of_a_round_in_time(arcs, best.routes.routes.size(), steps);
        if (round * least_rounds_in_time > most_looks_in_time)
            return;
        const std::uint64_t looks = std::min(most_looks_in_time, most_rounds_in_time * round);
        if (auto found = timed_routes(arcs, ports, messages, steps, looks))
            best = std::move(*found);
        else
            above = steps + 1;
    }
}

}  // namespace

MovePlan schedule_routes(const Arcs& arcs, PortModel ports, std::span<const Route> routes, std::uint64_t bound)
{
    constexpr RouteScore foresights[] = {1500, 4000, 1000, 700};
    MovePlan best{~Step{0}, {}};
    std::uint64_t looks = 0;
    for (std::uint64_t number = 0; number < most_route_tries && best.steps > bound; ++number) {
        if (number >= least_route_tries && looks > looks_of_route_tries)
            break;
        RouteTry one(arcs, ports, routes, foresights[number % std::size(foresights)], number);
        if (auto found = one.run(best.steps))
            best = std::move(*found);
        looks += one.looks();
    }
    return best;
}

ScheduledRoutes schedule_messages(const Arcs& arcs, PortModel ports, std::span<const Message> messages,
                                  std::uint64_t bound, FirstRoutes first)
{
    ScheduledRoutes best{{}, {~Step{0}, {}}};
    const auto schedule = [&](Routes routes) {
        MovePlan plan = schedule_routes(arcs, ports, routes.routes, std::max<std::uint64_t>(bound, routes.top));
        if (plan.steps < best.schedule.steps)
            best = {std::move(routes), std::move(plan)};
    };
    if (first == FirstRoutes::shortest)
        schedule(shortest_priced_routes(arcs, ports, messages, bound));
    const std::uint64_t packets = packets_of(messages);
    if (best.schedule.steps > bound &&
        (first == FirstRoutes::cheapest || !are_many_packets(arcs.nodes(), arcs.size(), packets)))
        for (const std::uint64_t hop_cost : route_hop_costs) {
            schedule(priced_routes(arcs, ports, messages, bound, hop_cost));
            if (best.schedule.steps <= std::max<std::uint64_t>(bound, best.routes.top) ||
                looks_of_a_search(arcs.nodes(), arcs.size(), packets) > looks_of_detours)
                break;
        }
    if (best.schedule.steps > bound)
        best.schedule.steps = tighten(arcs, ports, best.schedule.moves, static_cast<Step>(bound));
    search_in_time(arcs, ports, messages, bound, best);
    return best;
}

std::uint64_t schedule_messages_work(NodeId nodes, std::uint64_t arcs, std::uint64_t packets, std::uint64_t hops,
                                     FirstRoutes first)
{
    if (hops == 0)
        return 0;
    constexpr std::uint64_t of_a_hop = 10;
    constexpr std::uint64_t of_a_look = 8;               // at all that lies before a packet
    const std::uint64_t waiting = packets / (2 * arcs);  // for a link, about
    const std::uint64_t looks = 1 + hops * std::min<std::uint64_t>(waiting, most_looks_at_a_queue);
    const std::uint64_t tries = std::clamp(looks_of_route_tries / looks, least_route_tries, most_route_tries);
    const std::uint64_t of_a_schedule = tries * (of_a_look * looks + of_a_hop * hops);
    std::uint64_t work = 0;
    if (first == FirstRoutes::shortest)
        work += shortest_priced_routes_work(nodes, arcs, packets, hops) + of_a_schedule;
    if (first == FirstRoutes::cheapest || !are_many_packets(nodes, arcs, packets)) {
        const std::uint64_t looks_of_all = looks_of_a_search(nodes, arcs, packets);
        const std::uint64_t routings = looks_of_all <= looks_of_detours ? std::size(route_hop_costs) : 1;
        work += routings * (priced_routes_work(nodes, arcs, packets) + of_a_schedule);
        if (least_rounds_in_time * looks_of_all <= most_looks_in_time)
            work += 3 * most_looks_in_time * of_a_look;  // three numbers of steps
    }
    return work;
}

}  // namespace dcube::detail

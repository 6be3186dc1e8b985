#include "algorithms/beyond/any_network/priced_route_plan.hpp"

#include "algorithms/beyond/any_network/priced_routes.hpp"
#include "algorithms/beyond/any_network/route_scheduling.hpp"
#include "algorithms/beyond/cubes/staircase.hpp"
#include "algorithms/programs/kept_schedule.hpp"
#include "base/arithmetic.hpp"
#include "base/memo.hpp"
#include "base/plan_files.hpp"

#include <dcube/bounds.hpp>

#include <algorithm>
#include <cmath>

namespace dcube::detail {

namespace {

// The most hops of one plan: more take long, and gain little where messages are long.
constexpr std::uint64_t hops_of_a_route_round = 1 << 20;

std::vector<Message> messages_to_route(const Arcs& arcs, const Problem& problem, std::uint64_t packets)
{
    std::vector<Message> messages;
    const auto add = [&](NodeId from, NodeId to) {
        if (from != to)
            messages.push_back({from, to, packets});
    };
    if (has_permutation(problem.collective)) {
        for (const NodeId node : arcs.members())
            add(node, problem.permutation[node]);
    } else if (has_peer(problem.collective)) {
        add(problem.root, problem.peer);
        add(problem.peer, problem.root);
    } else {
        for (const NodeId from : arcs.members())
            for (const NodeId to : arcs.members())
                add(from, to);
    }
    if (problem.counts.empty())
        return messages;
    for (Message& message : messages)
        message.packets = problem.counts[std::size_t{message.from} * arcs.nodes() + message.to];
    std::erase_if(messages, [](const Message& message) { return message.packets == 0; });
    return messages;
}

// The k-th packet of a message is copy first_copy + k.
void append_round(Schedule& all, const Arcs& arcs, const std::vector<Message>& messages, const Routes& routes,
                  const MovePlan& round, std::uint32_t first_copy)
{
    std::vector<std::uint32_t> next_copy(messages.size(), first_copy);
    std::vector<PacketName> names;
    for (const Route& route : routes.routes)
        names.push_back({messages[route.message].from, messages[route.message].to, next_copy[route.message]++});
    for (const TimedMove& move : round.moves)
        all.hops.push_back(
            {all.steps + move.step, arcs.from(move.arc), arcs.port(move.arc), names[move.packet], Arrival::kept});
    all.steps += round.steps;
}

UnitQuestion of_one_packet_each(const Topology& topology, PortModel ports, const Problem& problem)
{
    UnitQuestion question = question_of(topology, ports, problem);
    question.packets = 1;
    return question;
}

// The bound by prices if every message is one packet. With more packets the best prices are the same, so they are
// looked for only once when a plan is made for several numbers of packets.
double steps_of_one_packet_each(const Arcs& arcs, const Topology& topology, const Problem& problem, PortModel ports)
{
    static Memo<UnitQuestion, double> kept(16);
    return *kept.get(of_one_packet_each(topology, ports, problem),
                     [&] { return priced_bound(arcs, ports, messages_to_route(arcs, problem, 1)).value; });
}

// No prices give a larger bound than this for one packet each.
double load_of_one_packet_each(const Arcs& arcs, const Topology& topology, const Problem& problem, PortModel ports)
{
    static Memo<UnitQuestion, double> kept(16);
    return *kept.get(of_one_packet_each(topology, ports, problem),
                     [&] { return load_in_parts(arcs, ports, messages_to_route(arcs, problem, 1)); });
}

// The least steps of `part`. Prices are looked for only where they may give more than the other bounds.
std::uint64_t least_steps(const Arcs& arcs, const Topology& topology, const Problem& part, PortModel ports)
{
    const std::uint64_t bound = steps_bound(topology, ports, part).value;
    const auto packets = static_cast<double>(part.packets);
    if (load_of_one_packet_each(arcs, topology, part, ports) * packets <= static_cast<double>(bound))
        return bound;
    const double by_prices = steps_of_one_packet_each(arcs, topology, part, ports);
    return std::max(bound, static_cast<std::uint64_t>(std::ceil(by_prices * packets)));
}

// All-to-all of many packets is done in rounds, one after the other, so that no plan gets too large: in each round some
// packets of every message. One round for the other collectives.
struct RouteRounds {
    std::uint32_t rounds;
    std::uint32_t packets;  // per message in a round, at most
};

RouteRounds route_rounds(const Topology& topology, const Problem& problem)
{
    if (problem.collective != Collective::all_to_all)
        return {1, static_cast<std::uint32_t>(problem.packets)};
    const std::uint64_t at_once =
        std::max<std::uint64_t>(1, hops_of_a_route_round / std::max<std::uint64_t>(1, topology.sum_of_statuses()));
    const std::uint64_t rounds = ceil_div(std::uint64_t{problem.packets}, at_once);
    return {static_cast<std::uint32_t>(rounds),
            static_cast<std::uint32_t>(ceil_div(std::uint64_t{problem.packets}, rounds))};
}

// Rounds of `packets` of every message, and one of what is left.
RoutePlan make_even_plan(const Topology& topology, const Problem& problem, PortModel ports)
{
    const Arcs arcs(topology);
    RoutePlan plan;
    const std::uint32_t at_once = route_rounds(topology, problem).packets;
    const auto all = static_cast<std::uint32_t>(problem.packets);
    for (std::uint32_t done = 0; done < all;) {
        const std::uint32_t packets = std::min(at_once, all - done);
        const std::vector<Message> messages = messages_to_route(arcs, problem, packets);
        if (messages.empty())
            break;
        Problem part = problem;
        part.packets = packets;
        const auto [routes, round] = schedule_messages(arcs, ports, messages, least_steps(arcs, topology, part, ports));
        for (; done + packets <= all; done += packets) {
            append_round(plan.schedule, arcs, messages, routes, round, done);
            plan.top += routes.top;
        }
    }
    return plan;
}

// ---- Uneven messages ----

// Hypercubes: the packets that every message has at least.
std::uint32_t uniform_packets(const Topology& topology, const Problem& problem, PortModel ports)
{
    if (!topology.is_hypercube() || ports != PortModel::all || topology.nodes() == 1)
        return 0;
    std::uint32_t least = ~std::uint32_t{0};
    for (NodeId from = 0; from < topology.nodes(); ++from)
        for (NodeId to = 0; to < topology.nodes(); ++to)
            if (from != to)
                least = std::min(least, problem.counts[std::size_t{from} * topology.nodes() + to]);
    return least;
}

Problem without_uniform_packets(const Topology& topology, Problem problem, std::uint32_t packets)
{
    for (NodeId from = 0; from < topology.nodes(); ++from)
        for (NodeId to = 0; to < topology.nodes(); ++to)
            if (from != to)
                problem.counts[std::size_t{from} * topology.nodes() + to] -= packets;
    return problem;
}

// The elementary operations of routing and scheduling all that an uneven problem has, about.
std::uint64_t uneven_route_work(const Topology& topology, const Problem& problem)
{
    const NodeId nodes = topology.nodes();
    const std::uint64_t arcs = topology.directed_links();
    return priced_bound_work(nodes, arcs, nodes) + schedule_messages_work(nodes, arcs, all_packets(problem, topology),
                                                                          least_hops(topology, problem),
                                                                          FirstRoutes::shortest);
}

// More is not routed packet by packet where there is a uniform part.
constexpr std::uint64_t most_work_of_whole = 20'000'000'000;

// The packets of every message that the staircase takes in front: all that are uniform where the whole is too large,
// and where it is large and nothing is lost by that, because the bounds of both parts add up to that of the whole.
// Elsewhere none: then links that the uniform part leaves to a busy node are of use to it from the beginning.
std::uint32_t packets_in_front(const Topology& topology, const Problem& problem, PortModel ports)
{
    const std::uint32_t uniform = uniform_packets(topology, problem, ports);
    if (uniform == 0 || uneven_route_work(topology, problem) > most_work_of_whole)
        return uniform;
    if (!are_many_packets(topology.nodes(), topology.directed_links(), all_packets(problem, topology)))
        return 0;
    const auto bound = [&](const Problem& part) { return steps_bound(topology, ports, part).value; };
    Problem even = problem;
    even.counts.clear();
    even.packets = uniform;
    const bool adds_up = bound(even) + bound(without_uniform_packets(topology, problem, uniform)) <= bound(problem);
    return adds_up ? uniform : 0;
}

// The total exchange of `packets` packets, written down for every node.
void append_staircase(RoutePlan& plan, const Topology& topology, std::uint32_t packets)
{
    const Schedule one = staircase(topology.dimension(), packets);
    plan.schedule.hops.reserve(one.hops.size() * topology.nodes());
    for (const Hop& hop : one.hops)
        for (NodeId node = 0; node < topology.nodes(); ++node)
            plan.schedule.hops.push_back(translated(topology, hop, node));
    plan.schedule.steps = one.steps;
    plan.in_front = packets;
    plan.top = one.steps;
}

RoutePlan make_uneven_plan(const Topology& topology, const Problem& problem, PortModel ports)
{
    const Arcs arcs(topology);
    RoutePlan plan;
    const std::uint32_t front = packets_in_front(topology, problem, ports);
    if (front > 0)
        append_staircase(plan, topology, front);
    const Problem rest = front > 0 ? without_uniform_packets(topology, problem, front) : problem;
    const std::vector<Message> messages = messages_to_route(arcs, rest, 1);
    if (messages.empty())
        return plan;
    const auto [routes, round] =
        schedule_messages(arcs, ports, messages, least_steps(arcs, topology, rest, ports), FirstRoutes::shortest);
    append_round(plan.schedule, arcs, messages, routes, round, front);
    plan.top += routes.top;
    return plan;
}

RoutePlan make_route_plan(const Topology& topology, const Problem& problem, PortModel ports)
{
    return problem.counts.empty() ? make_even_plan(topology, problem, ports)
                                  : make_uneven_plan(topology, problem, ports);
}

std::string bytes_of_routes(const RoutePlan& plan)
{
    ByteWriter bytes;
    bytes.number(plan.top);
    bytes.number(plan.in_front);
    write_schedule(bytes, plan.schedule);
    return bytes.take();
}

RoutePlan routes_in(std::string_view plan, const UnitQuestion& question)
{
    ByteReader bytes(plan);
    const auto top = bytes.number_to<std::uint32_t>();
    const auto in_front = bytes.number_to<std::uint32_t>();
    RoutePlan routes{read_schedule_for(bytes, question), top, in_front};
    bytes.end();
    return routes;
}

}  // namespace

std::shared_ptr<const RoutePlan> priced_route_plan(const Topology& topology, const Problem& problem, PortModel ports)
{
    static Memo<UnitQuestion, RoutePlan> kept(16);
    const UnitQuestion question = question_of(topology, ports, problem);
    return kept.get(question, [&] {
        return kept_in_file(
            "priced-routes", priced_route_work(topology, problem, ports), [&] { return key_of(question); },
            [&] { return make_route_plan(topology, problem, ports); }, bytes_of_routes,
            [&](std::string_view bytes) { return routes_in(bytes, question); });
    });
}

std::uint64_t least_hops(const Topology& topology, const Problem& problem)
{
    return transmissions_bound(topology, problem).value;
}

std::uint64_t priced_route_work(const Topology& topology, const Problem& problem, PortModel ports)
{
    const NodeId nodes = topology.nodes();
    const std::uint64_t arcs = topology.directed_links();
    if (!problem.counts.empty()) {
        const std::uint64_t whole = uneven_route_work(topology, problem);
        const std::uint32_t uniform = whole > most_work_of_whole ? uniform_packets(topology, problem, ports) : 0;
        return uniform == 0 ? whole : uneven_route_work(topology, without_uniform_packets(topology, problem, uniform));
    }
    const std::uint64_t sources = has_peer(problem.collective) ? 2 : nodes;
    const std::uint64_t rounds = route_rounds(topology, problem).rounds;
    const std::uint64_t hops = least_hops(topology, problem) / rounds;
    const std::uint64_t messages = has_peer(problem.collective)          ? 2
                                   : has_permutation(problem.collective) ? nodes
                                                                         : nodes * (nodes - std::uint64_t{1});
    return priced_bound_work(nodes, arcs, sources) +
           schedule_messages_work(nodes, arcs, messages * problem.packets / rounds, hops);
}

}  // namespace dcube::detail

#include "algorithms/programs/entry.hpp"

#include "algorithms/programs/cut.hpp"
#include "algorithms/programs/cut_messages.hpp"
#include "algorithms/programs/in_place.hpp"
#include "algorithms/programs/link_costs.hpp"
#include "algorithms/programs/matrix_program.hpp"
#include "algorithms/programs/members.hpp"
#include "algorithms/programs/plan.hpp"
#include "base/arithmetic.hpp"
#include "base/memo.hpp"

#include <algorithm>
#include <utility>

namespace dcube::detail {

namespace {

// Each node's pipeline; which packets it holds and, on a link-bound machine, since when; and sums, or what is only
// passed on.
std::uint64_t stream_storage(const Topology& topology, const Problem& problem, const Stream& stream)
{
    const std::uint64_t pipelines = topology.directed_links() * 64;
    const std::uint64_t packets = stream.cut.packets();
    const std::uint64_t times = problem.link.kind == LinkKind::link_bound ? packets * sizeof(Time) : 0;
    const std::uint64_t held = topology.nodes() * (packets / 8 + times);
    const bool none = problem.collective == Collective::broadcast;
    return pipelines + held + (none ? 0 : topology.nodes() * (std::uint64_t{Layout(problem, topology).message} + 64));
}

constexpr std::size_t most_kept = 32;

using Storage = std::function<std::uint64_t(const Topology&, const Problem&)>;

// Whether the plan of a schedule is small enough to be made just to find its time, or what is in transit. The storage
// is asked for with packets as small as possible, so that nearly all of it is the plan.
bool is_walkable(const Storage& storage, const Topology& topology, Problem problem)
{
    problem.bytes = unit_of(problem);
    return storage(topology, problem) <= plan_bytes(most_walked);
}

// The time of a schedule's packets, all of one size, on any links.
RunTime run_time(const Entry& head, const MakeSchedule& schedule, const Rounds& rounds)
{
    using PacketTimes = Memo<WalkKey, std::optional<std::uint64_t>>;
    return [=, known = std::make_shared<PacketTimes>(most_kept)](const Topology& topology,
                                                                 const Problem& problem) -> std::optional<Rational> {
        if (!is_walkable(head.storage, topology, problem))
            return std::nullopt;
        const auto times = known->get(packet_times_key(topology, problem), [&] {
            return walked_packet_times(schedule(topology, problem), rounds(topology, problem), topology, problem);
        });
        if (!*times)
            return std::nullopt;
        return to_rational(LinkCosts(problem.link).packets(**times, problem.bytes));
    };
}

CollectiveProgram program_by(std::shared_ptr<const Plan> plan)
{
    return [plan = std::move(plan)](Node& me, NodeData data) { return run_plan(me, *plan, data); };
}

std::shared_ptr<const MessagePlaces> places_of(const Topology& topology, const Problem& problem)
{
    if (is_matrix(problem.collective))
        return std::make_shared<MatrixPacking>(problem, topology);
    return message_places(problem, topology);
}

}  // namespace

RunTime kept(RunTime time)
{
    return [time = std::move(time), known = std::make_shared<Memo<WalkKey, std::optional<Rational>>>(most_kept)](
               const Topology& topology, const Problem& problem) {
        return *known->get(walk_key(topology, problem), [&] { return time(topology, problem); });
    };
}

RunTime run_time(MakeRouting routing, RoutingKind kind)
{
    return kept([routing = std::move(routing),
                 kind = std::move(kind)](const Topology& topology, const Problem& problem) -> std::optional<Rational> {
        if (kind.pieces && kind.pieces(topology, problem) > most_walked)
            return std::nullopt;
        return walked_time(routing(topology, problem), *places_of(topology, problem), kind.acting, topology, problem);
    });
}

std::function<Rational(const Topology&, const Problem&)> busy_at_root(MakeRouting routing)
{
    return [routing = std::move(routing)](const Topology& topology, const Problem& problem) {
        const Routing made = routing(topology, problem);
        const LinkCosts costs(problem.link);
        Exact busiest = 0;
        const auto look_at = [&](NodeId from, Port port) {
            std::uint64_t packets = 0;
            std::size_t bytes = 0;
            Fragments fragments;
            for (Step stage = 0; stage < made.stages; ++stage) {
                fragments.clear();
                made.packet(stage, from, port, fragments);
                packets += !fragments.empty();
                bytes += length(fragments);
            }
            busiest = std::max<Exact>(busiest, costs.tau * bytes + costs.beta * packets);
        };
        for (Port port = 0; port < topology.ports(problem.root); ++port) {
            look_at(problem.root, port);
            look_at(topology.neighbour(problem.root, port), topology.arrival_port(problem.root, port));
        }
        return to_rational(busiest);
    };
}

// Bytes under way, and a word or two for every stretch that is held.
std::uint64_t routing_storage(const Topology& topology, const Problem& problem)
{
    constexpr std::size_t per_link = 512;
    const Layout layout(problem, topology);
    return std::uint64_t{2} * std::max(layout.input_bytes, layout.output_bytes) + topology.directed_links() * per_link;
}

std::uint32_t one_round(const Topology&, const Problem&)
{
    return 1;
}

std::uint32_t round_per_packet(const Topology&, const Problem& problem)
{
    return static_cast<std::uint32_t>(problem.packets);
}

Entry plan_entry(Entry head, MakeSchedule schedule, Rounds rounds)
{
    if (!head.run_time)
        head.run_time = run_time(head, schedule, rounds);
    const MakeSchedule named = [schedule = of_members(std::move(schedule))](const Topology& topology,
                                                                            const Problem& problem) {
        return renamed(schedule(topology, problem), topology);
    };
    rounds = of_members(std::move(rounds));
    const auto make = [named, rounds](const Topology& topology, const Problem& problem) {
        return std::make_shared<const Plan>(topology, problem, named(topology, problem), rounds(topology, problem));
    };
    const auto in_transit = std::make_shared<Memo<WalkKey, std::size_t>>(most_kept);
    head.prepare = [make, in_transit](const Topology& topology, const Problem& problem) -> CollectiveProgram {
        const std::shared_ptr<const Plan> plan = make(topology, problem);
        in_transit->get(walk_key(topology, problem), [&] { return plan->in_transit(); });
        return plan->safe() ? program_by(plan) : aside(program_by(make(topology, out_of_place(problem))));
    };
    using enum Collective;
    head.in_place = head.collective == all_to_all || head.collective == all_gather ||
                    head.collective == reduce_scatter || head.collective == all_reduce;
    head = restricted_to_members(std::move(head));
    if (!head.in_transit)
        head.in_transit = [make, in_transit, storage = head.storage](const Topology& topology, const Problem& problem) {
            return is_walkable(storage, topology, problem)
                       ? std::optional<std::uint64_t>(*in_transit->get(
                             walk_key(topology, problem), [&] { return make(topology, problem)->in_transit(); }))
                       : std::nullopt;
        };
    if (head.networks == Networks::hypercubes)
        return head;
    return cutting(std::move(head),
                   [named, rounds](const Topology& topology, const Problem& cut, const Problem& whole) {
                       return cut_pieces(named(topology, cut), rounds(topology, cut), topology, cut, whole);
                   });
}

Entry routing_entry(Entry head, MakeRouting routing, RoutingKind kind)
{
    if (!head.run_time)
        head.run_time = run_time(routing, std::move(kind));
    if (!head.cost)
        head.cost = [routing](const Topology& topology, const Problem& problem) {
            const Routing made = routing(topology, problem);
            return Cost{made.stages, packets(made, topology)};
        };
    if (!head.storage)
        head.storage = routing_storage;
    head.in_place = is_matrix(head.collective);  // all that is sent is packed first
    head.phases = [phases = std::move(head.phases), routing](const Topology& topology, const Problem& problem) {
        return topology.nodes() == 1 ? Phases() : within(phases(topology, problem), routing(topology, problem).stages);
    };
    if (!head.prepare)
        head.prepare = [routing](const Topology& topology, const Problem& problem) -> CollectiveProgram {
            const auto made = std::make_shared<const Routing>(routing(topology, problem));
            const auto places = message_places(problem, topology);
            return [=](Node& me, NodeData data) {
                return me.topology().is_switch(me.id()) ? pass_on(me, *made)
                                                        : run_routing(me, *made, *places, problem, data);
            };
        };
    return head;
}

Entry stream_entry(Entry head, MakeStream stream)
{
    if (!head.run_time)
        head.run_time = kept([stream](const Topology& topology, const Problem& problem) {
            return walked_time(stream(topology, problem), topology, problem);
        });
    if (!head.cost)
        head.cost = [stream](const Topology& topology, const Problem& problem) {
            const Stream made = stream(topology, problem);
            return Cost{made.steps, made.transmissions};
        };
    head.phases = [phases = std::move(head.phases)](const Topology& topology, const Problem& problem) {
        return topology.nodes() == 1 ? Phases() : phases(topology, problem);
    };
    if (!head.storage)
        head.storage = [stream](const Topology& topology, const Problem& problem) {
            return stream_storage(topology, problem, stream(topology, problem));
        };
    head.prepare = [stream](const Topology& topology, const Problem& problem) -> CollectiveProgram {
        const Stream made = stream(topology, problem);
        const auto program = problem.collective == Collective::reduce ? run_reduce_stream : run_broadcast_stream;
        return [=](Node& me, NodeData data) { return program(me, made, problem, data); };
    };
    return head;
}

Entry packet_stream_entry(Entry head,
                          std::unique_ptr<Pipeline> (*make)(unsigned d, NodeId label, std::uint32_t packets),
                          Phases (*phases)(unsigned d, std::uint64_t packets))
{
    head.phases = [phases, cost = head.cost](const Topology& topology, const Problem& problem) {
        Phases there = phases(topology.dimension(), problem.packets);
        return problem.collective == Collective::broadcast ? there
                                                           : mirrored(std::move(there), cost(topology, problem).steps);
    };
    head.storage = [](const Topology& topology, const Problem& problem) {
        const std::uint64_t pipelines = std::uint64_t{topology.nodes()} * (topology.dimension() + 1) * 64;
        const std::uint64_t sums = problem.collective == Collective::broadcast
                                       ? 0
                                       : std::uint64_t{problem.packets} * (std::uint64_t{problem.bytes} + 1);
        return pipelines + topology.nodes() * sums;
    };
    const auto stream = [make, cost = head.cost](const Topology& topology, const Problem& problem) {
        const auto packets = static_cast<std::uint32_t>(problem.packets);
        return Stream{[=](unsigned d, NodeId label) { return make(d, label, packets); },
                      static_cast<Step>(cost(topology, problem).steps), PacketCut::equal(problem.bytes, packets)};
    };
    return stream_entry(std::move(head), stream);
}

std::vector<Entry> on_all_ports_and_on_one(std::span<const EntryWords> words,
                                           Entry (*entry)(const EntryWords&, PortModel))
{
    std::vector<Entry> family;
    for (const EntryWords& of_one : words)
        for (const PortModel ports : {PortModel::all, PortModel::one})
            family.push_back(entry(of_one, ports));
    return family;
}

RunTime in_ns(std::function<Exact(const Topology&, const Problem&)> time)
{
    return [time = std::move(time)](const Topology& topology, const Problem& problem) -> std::optional<Rational> {
        return topology.nodes() == 1 ? Rational{} : to_rational(time(topology, problem));
    };
}

std::uint64_t steps_over_links(std::uint64_t packets, const Topology& topology)
{
    return topology.dimension() == 0 ? 0 : ceil_div(packets, topology.dimension());
}

}  // namespace dcube::detail

#include "algorithms/papers/stout_wagar/send_case.hpp"

#include "algorithms/formulas.hpp"
#include "algorithms/papers/stout_wagar/groups.hpp"
#include "algorithms/programs/entry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace dcube::detail {

namespace {

std::vector<SendCase> directions(const Topology& topology, const Problem& problem)
{
    const std::size_t bytes = message_bytes(problem);
    std::vector<SendCase> sends{{problem.root, problem.peer, 0, bytes, topology.dimension()}};
    if (problem.collective == Collective::exchange)
        sends.push_back({problem.peer, problem.root, 1, bytes, topology.dimension()});
    return sends;
}

// A packet's entry in the table, its fragments, and what the map needs besides.
constexpr std::size_t bytes_per_packet = 128;

// Every byte may be a stretch of its own on every level, but for the packets that are only passed on.
double pieces_of(const Cost& cost, const Topology& topology, const Problem& problem)
{
    return 2.0 * (topology.dimension() + 2) * static_cast<double>(message_bytes(problem)) +
           static_cast<double>(cost.transmissions);
}

// The time of a run by sizes alone, or on the lockstep clock by the fragments.
RunTime run_time(const SendMethod& method, const RunTime& closed_form, const RunTime& by_fragments)
{
    if (!method.walked)
        return closed_form;
    return [by_fragments, by_sizes = kept([walked = method.walked](const Topology& topology, const Problem& problem) {
                              return walked(send_case(topology, problem), problem, problem.link);
                          })](const Topology& topology, const Problem& problem) {
        return (problem.link.clock == LinkClock::lockstep ? by_fragments : by_sizes)(topology, problem);
    };
}

}  // namespace

Phases one_path_phases(const std::vector<Port>& dims)
{
    PhaseLine line;
    for (std::size_t k = 0; k < dims.size(); ++k)
        line.add(1, text_of_dimension(
                        dims[k], fmt::format("The whole message crosses dimension {}: hop {} of {} on its one path.",
                                             dims[k], k + 1, dims.size())));
    return line.take();
}

Phases spreading_phases(unsigned n)
{
    PhaseLine line;
    for (unsigned k = 0; k < n; ++k)
        line.add(1, {fmt::format("distance {} to {}", k, k + 1),
                     fmt::format("{} in {}, over every link nearer to the target.",
                                 k == 0 ? std::string("The source sends the message")
                                        : fmt::format("Between the two nodes, {} from the source send on what has come "
                                                      "to them",
                                                      nodes_at(k, n)),
                                 counted(n - k, "packet"))});
    return line.take();
}

Phases spreading_groups_phases(unsigned n, std::size_t m, std::size_t groups)
{
    const std::size_t g = std::min(m, groups);
    const TextOf text = [=](std::uint64_t q) {
        return PhaseText{
            fmt::format("group {}", q + 1),
            fmt::format("Group {} of {} spreads over the {}-cube between the two nodes, one link per step, and "
                        "comes together again at the target.",
                        q + 1, g, n)};
    };
    return group_phases(g, n, g == 0 ? 0 : g - 1 + n, text,
                        {"the source sends", fmt::format("The source sends another of {} groups in every step.", g)},
                        {"the last groups arrive", "The source has sent all groups; the last ones come together at the "
                                                   "target."});
}

Phases detour_phases(unsigned n, unsigned detours, std::size_t m, std::size_t groups)
{
    const std::size_t filled = std::min(m, groups);
    if (filled == 0)
        return {};
    const auto g = static_cast<Step>(filled);
    const std::string what = g == 1 ? "what goes this way" : fmt::format("{} groups, one behind the other,", g);
    const std::string dimensions = counted(detours, "dimension");
    return {
        {1, g, "out",
         fmt::format("The source sends {} over {} in which the two nodes agree, into as many parallel subcubes.", what,
                     dimensions)},
        {2, n + g, "through",
         fmt::format("There everything spreads through the {}-cube parallel to the two nodes' and comes together "
                     "again, one link per step.",
                     n)},
        {n + 2, n + 1 + g, "back", fmt::format("Beside the target {} comes back over the same {}.", what, dimensions)}};
}

SendCase send_case(const Topology& topology, const Problem& problem)
{
    return directions(topology, problem).front();
}

std::vector<Entry> send_and_exchange(Entry head, const SendMethod& method)
{
    head.link = LinkKind::link_bound;
    if (method.time)
        head.time = in_ns([method](const Topology& topology, const Problem& problem) {
            return method.time(send_case(topology, problem), problem, LinkCosts(problem.link));
        });
    else
        head = costed_by_formula(std::move(head));
    if (method.limit)
        head.time_limit = in_ns([method](const Topology& topology, const Problem& problem) {
            return method.limit(send_case(topology, problem), problem, LinkCosts(problem.link));
        });
    head.cost = [method](const Topology& topology, const Problem& problem) {
        Cost cost = method.cost(send_case(topology, problem), problem);
        cost.transmissions *= directions(topology, problem).size();
        return cost;
    };
    head.phases = [method](const Topology& topology, const Problem& problem) {
        return method.phases(send_case(topology, problem), problem);
    };
    head.storage = [cost = head.cost](const Topology& topology, const Problem& problem) {
        return routing_storage(topology, problem) + cost(topology, problem).transmissions * bytes_per_packet;
    };
    const auto routing = [method](const Topology& topology, const Problem& problem) {
        RoutingTable table(topology);
        for (const SendCase& direction : directions(topology, problem))
            method.write(table, direction, problem);
        return std::move(table).routing();
    };
    const auto pieces = [cost = head.cost](const Topology& topology, const Problem& problem) {
        return pieces_of(cost(topology, problem), topology, problem);
    };
    head.run_time = run_time(method, head.time, detail::run_time(routing, {.pieces = pieces}));
    Entry send = routing_entry(std::move(head), routing);
    Entry exchange = send;
    exchange.collective = Collective::exchange;
    return {std::move(send), std::move(exchange)};
}

}  // namespace dcube::detail

#include "algorithms/stout_wagar/send_case.hpp"

#include "algorithms/programs/entry.hpp"

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

// By sizes alone, or on the lockstep clock by the fragments.
RunTime run_time(const SendMethod& method, const RunTime& closed_form, const RunTime& by_fragments)
{
    if (!method.walked)
        return closed_form;
    return [by_fragments, by_sizes = kept([walked = method.walked](const Topology& topology, const Problem& problem) {
                              return walked(send_case(topology, problem), problem);
                          })](const Topology& topology, const Problem& problem) {
        return (problem.link.clock == LinkClock::lockstep ? by_fragments : by_sizes)(topology, problem);
    };
}

}  // namespace

SendCase send_case(const Topology& topology, const Problem& problem)
{
    return directions(topology, problem).front();
}

std::vector<Algorithm> send_and_exchange(Algorithm head, const SendMethod& method)
{
    head.link = LinkKind::link_bound;
    head.time = in_ns([method](const Topology& topology, const Problem& problem) {
        return method.time(send_case(topology, problem), problem, LinkCosts(problem.link));
    });
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
    Algorithm send = routing_entry(std::move(head), routing);
    Algorithm exchange = send;
    exchange.collective = Collective::exchange;
    return {std::move(send), std::move(exchange)};
}

}  // namespace dcube::detail

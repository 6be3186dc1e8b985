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
    Algorithm send = routing_entry(std::move(head), [method](const Topology& topology, const Problem& problem) {
        RoutingTable table(topology);
        for (const SendCase& direction : directions(topology, problem))
            method.write(table, direction, problem);
        return std::move(table).routing();
    });
    Algorithm exchange = send;
    exchange.collective = Collective::exchange;
    return {std::move(send), std::move(exchange)};
}

}  // namespace dcube::detail

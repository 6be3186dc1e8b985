// All-to-all: every node has a different message for every other node. m packets a message.
// Bertsekas et al. 1991, section 4 (total exchange).
//
//   dimension-exchange   one port    m d 2^(d-1) steps   m d 2^(2d-1) transmissions   both optimal
//   local-rules          all ports   m 2^(d-1) steps     m d 2^(2d-1) transmissions   both optimal
//   optimal              all ports   the same, hop by hop, from a table

#include "algorithms/bertsekas/all_to_all.hpp"

#include "algorithms/bertsekas/all_to_all_local_rules.hpp"
#include "algorithms/families.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/plan.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <numeric>

namespace dcube::detail {

namespace {

// Paper section 4 in closed form: in step t port k carries the packet of origin S = ((t-1) >> k) << (k+1) to
// destination T_k[(t-1) mod 2^k], both relative to the sender. With S = 0 these are the node's own packets.
Schedule optimal(const Topology& topology)
{
    const unsigned d = topology.dimension();
    const std::vector<std::vector<NodeId>> tables = order_tables(d);
    Schedule schedule{Symmetry::translated, d == 0 ? 0 : bit(d - 1), {}};
    schedule.hops.reserve(std::size_t{schedule.steps} * d);
    for (Step t = 1; t <= schedule.steps; ++t)
        for (Port k = 0; k < d; ++k)
            schedule.hops.push_back({t, 0, k, {(t - 1) >> k << (k + 1), tables[k][(t - 1) & (bit(k) - 1)], 0}});
    return schedule;
}

// Dimension by dimension: after phase k a node holds the packets whose origins agree with it above bit k, and whose
// destinations agree with it up to bit k.
Schedule dimension_exchange(const Topology& topology)
{
    const unsigned d = topology.dimension();
    Schedule schedule{Symmetry::translated, 0, {}};
    for (Port k = 0; k < d; ++k)
        for (NodeId origin = 0; origin < bit(k); ++origin)
            for (NodeId high = 0; high < bit(d - 1 - k); ++high)
                schedule.hops.push_back({++schedule.steps, 0, k, {origin, high << (k + 1) | bit(k), 0}});
    return schedule;
}

std::uint64_t steps(const Topology& topology, PortModel ports)
{
    return topology.nodes() / 2 * (ports == PortModel::all ? 1 : std::uint64_t{topology.dimension()});
}

std::size_t storage(const Topology& topology, const Problem& problem, PortModel ports)
{
    const std::size_t n = topology.nodes();
    const std::size_t hops = n / 2 * topology.dimension();
    const std::size_t slots = ports == PortModel::all ? all_to_all_slots(topology.dimension()) : n / 2 + 1;
    return hops * (2 * sizeof(Action) + 3 * sizeof(Hop)) + slots * n * problem.bytes;
}

CollectiveProgram prepare_plan(const Topology& topology, const Problem& problem, PortModel ports)
{
    const auto plan = std::make_shared<const Plan>(topology, problem, all_to_all_schedule(topology, ports),
                                                   static_cast<std::uint32_t>(problem.packets));
    return [plan](Node& me, NodeData data) { return run_plan(me, *plan, data); };
}

CollectiveProgram prepare_local_rules(const Topology& topology, const Problem& problem)
{
    const auto tables = std::make_shared<const std::vector<std::vector<NodeId>>>(order_tables(topology.dimension()));
    return [tables, problem](Node& me, NodeData data) { return local_rules(me, *tables, problem, data); };
}

Algorithm entry(PortModel ports, std::string_view name, std::vector<std::string_view> aliases, std::string_view paper,
                std::string_view summary, std::function<CollectiveProgram(const Topology&, const Problem&)> prepare)
{
    return {
        .collective = Collective::all_to_all,
        .name = name,
        .aliases = std::move(aliases),
        .paper = paper,
        .summary = summary,
        .ports = ports,
        .cost =
            [ports](const Topology& topology, const Problem& problem) {
                const std::uint64_t n = topology.nodes();
                return Cost{problem.packets * steps(topology, ports),
                            problem.packets * n * n / 2 * topology.dimension()};
            },
        .storage = [ports](const Topology& topology,
                           const Problem& problem) { return storage(topology, problem, ports); },
        .prepare = std::move(prepare),
    };
}

}  // namespace

// Paper Fig. 6: read the smaller tables side by side, row by row, and set bit k; the neighbour itself comes last.
std::vector<std::vector<NodeId>> order_tables(unsigned d)
{
    std::vector<std::vector<NodeId>> tables;
    std::vector<std::uint32_t> row(bit(d), 0);  // of every destination in its table
    for (unsigned k = 0; k < d; ++k) {
        std::vector<NodeId> table(bit(k) - 1);
        std::iota(table.begin(), table.end(), NodeId{1});
        std::sort(table.begin(), table.end(), [&row](NodeId a, NodeId b) {
            return std::pair(row[a], std::bit_width(a)) < std::pair(row[b], std::bit_width(b));
        });
        table.push_back(0);
        for (std::uint32_t at = 0; at < table.size(); ++at) {
            table[at] |= bit(k);
            row[table[at]] = at;
        }
        tables.push_back(std::move(table));
    }
    return tables;
}

Schedule all_to_all_schedule(const Topology& topology, PortModel ports)
{
    return ports == PortModel::all ? optimal(topology) : dimension_exchange(topology);
}

std::size_t all_to_all_slots(unsigned d)
{
    constexpr std::size_t small[] = {0, 0, 1, 4};
    return d < 4 ? small[d] : (std::size_t{1} << (d - 2)) + 2 * d - 5;
}

std::vector<Algorithm> all_to_all_family()
{
    return {
        entry(PortModel::one, "dimension-exchange", {}, "Bertsekas et al. 1991, section 1 (one port)",
              "dimension by dimension, half of all packets a dimension",
              [](const Topology& topology, const Problem& problem) {
                  return prepare_plan(topology, problem, PortModel::one);
              }),
        entry(PortModel::all, "optimal", {"total exchange"}, "Bertsekas et al. 1991, section 4",
              "a table that keeps every link busy in every step",
              [](const Topology& topology, const Problem& problem) {
                  return prepare_plan(topology, problem, PortModel::all);
              }),
        entry(PortModel::all, "local-rules", {}, "Bertsekas et al. 1991, section 4 (Implementation)",
              "the same hops from order tables and a queue a port, with headers", prepare_local_rules),
    };
}

}  // namespace dcube::detail

// All-reduce: every node gets the sum of all nodes' vectors, element by element. m blocks a vector.
// Bertsekas et al. 1991, sections 1 and 2, and what follows from them. k = ceil(m/N).
//
//   exchange                    all ports   d ceil(m/d) steps        m d N transmissions    1..d blocks: steps optimal
//   exchange-one-port           one port    m d steps                m d N transmissions    1 block: steps optimal
//   reduce-scatter-all-gather   all ports   2 ceil(k(N-1)/d) steps   2m(N-1) transmissions  transmissions optimal
//   halving-doubling            one port    2k(N-1) steps            2m(N-1) transmissions  m = kN: both optimal
//   two-centre                  all ports   2 ceil((N-1)/d)-1 steps  2N(N-1) transmissions  m = N, (N-1) mod d = 1:
//   both optimal

#include "algorithms/bertsekas/all_gather.hpp"
#include "algorithms/bertsekas/all_reduce_two_centre.hpp"
#include "algorithms/families.hpp"
#include "algorithms/programs/arrival_times.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/own_block.hpp"
#include "algorithms/programs/plan.hpp"

#include "base/arithmetic.hpp"

#include <algorithm>
#include <memory>

namespace dcube::detail {

namespace {

// Block b of a group exchanges over port (s + b) mod d in step s + 1, and adds. The partner reads this node's sum while
// it receives, so sums alternate between two places; the last one goes to the output. `lanes` blocks at a time: d on
// machines with all ports, 1 on one-port machines.
Task exchange(Node& me, Port lanes, const Problem& problem, NodeData data)
{
    const Port d = me.ports();
    const Combine combine = combiner(problem.operation, problem.type);
    const std::span<std::byte> spare = me.allocate(std::min<std::size_t>(lanes, problem.packets) * problem.bytes);
    ArrivalTimes since;
    copy_own_block(me, problem, data);
    for (std::size_t first = 0; first < problem.packets && d > 0; first += lanes) {
        const auto blocks = static_cast<Port>(std::min<std::size_t>(lanes, problem.packets - first));
        const auto output = [&](Port b) { return data.output.subspan((first + b) * problem.bytes, problem.bytes); };
        const auto sum_after = [&](Port s,
                                   Port b) {  // step s of this group: the last one, d - 1, leaves it in the output
            return (d - 1 - s) % 2 == 0 ? output(b) : spare.subspan(b * problem.bytes, problem.bytes);
        };
        for (Port s = 0; s < d; ++s) {
            const auto sum_before = [&](Port b) -> std::span<const std::byte> {
                if (s > 0)
                    return sum_after(s - 1, b);
                return data.input.subspan((first + b) * problem.bytes, problem.bytes);
            };
            for (Port b = 0; b < blocks; ++b)
                me.send((s + b) % d, since.packet(sum_before(b)));
            co_await me.next_step();
            for (Port b = 0; b < blocks; ++b)
                since.set_sum(me.receive((s + b) % d, sum_after(s, b), sum_before(b), combine), sum_before(b));
        }
    }
}

std::uint64_t shares(const Topology& topology, const Problem& problem)
{
    return ceil_div(problem.packets, topology.nodes());
}

// The cost of reduce-scatter followed by all-gather; blocks that are missing from the last share are not sent.
Cost two_phase_cost(const Topology& topology, const Problem& problem, PortModel ports)
{
    const std::uint64_t packets = shares(topology, problem) * (topology.nodes() - 1);
    return {2 * (ports == PortModel::all ? steps_over_links(packets, topology) : packets),
            2 * problem.packets * (topology.nodes() - 1)};
}

CollectiveProgram prepare_two_phases(const Topology& topology, const Problem& problem, PortModel ports)
{
    const Schedule gather = all_gather_schedule(topology, ports, static_cast<std::uint32_t>(shares(topology, problem)));
    const Schedule both = followed_by(reversed(topology, gather, Arrival::added), gather);
    const auto plan = std::make_shared<const Plan>(topology, problem, both);
    return [plan](Node& me, NodeData data) { return run_plan(me, *plan, data); };
}

Algorithm exchange_entry(PortModel ports, std::string_view name, std::string_view summary)
{
    const auto lanes = [ports](const Topology& topology) {
        return ports == PortModel::all ? std::max(1U, topology.dimension()) : 1U;
    };
    return {
        .collective = Collective::all_reduce,
        .name = name,
        .aliases = {},
        .paper = "Bertsekas et al. 1991, section 1",
        .summary = summary,
        .ports = ports,
        .cost =
            [lanes](const Topology& topology, const Problem& problem) {
                const std::uint64_t d = topology.dimension();
                return Cost{d * ceil_div(problem.packets, lanes(topology)), problem.packets * d * topology.nodes()};
            },
        .storage =
            [lanes](const Topology& topology, const Problem& problem) {
                return std::size_t{topology.nodes()} * std::min<std::size_t>(lanes(topology), problem.packets) *
                       problem.bytes;
            },
        .prepare = [lanes](const Topology& topology, const Problem& problem) -> CollectiveProgram {
            return [lanes = lanes(topology), problem](Node& me, NodeData data) {
                return exchange(me, lanes, problem, data);
            };
        },
    };
}

Algorithm two_phase_entry(PortModel ports, std::string_view name, std::string_view paper, std::string_view summary)
{
    return {
        .collective = Collective::all_reduce,
        .name = name,
        .aliases = {},
        .paper = paper,
        .summary = summary,
        .ports = ports,
        .cost = [ports](const Topology& topology,
                        const Problem& problem) { return two_phase_cost(topology, problem, ports); },
        .storage =
            [](const Topology& topology, const Problem& problem) {
                return shares(topology, problem) * topology.nodes() * (4 * sizeof(Action) + 4 * sizeof(Hop));
            },
        .prepare = [ports](const Topology& topology,
                           const Problem& problem) { return prepare_two_phases(topology, problem, ports); },
    };
}

Algorithm two_centre_entry()
{
    return {
        .collective = Collective::all_reduce,
        .name = "two-centre",
        .aliases = {},
        .paper = "Bertsekas et al. 1991, section 2 (extended)",
        .summary = "every block is gathered at two neighbours, which exchange, and is spread again",
        .ports = PortModel::all,
        .obstacle = two_centre_obstacle,
        .cost =
            [](const Topology& topology, const Problem& problem) {
                return Cost{2 * steps_over_links(topology.nodes() - 1, topology) - 1,
                            2 * problem.packets * (topology.nodes() - 1)};
            },
        .storage =
            [](const Topology& topology, const Problem& problem) {
                const std::size_t n = topology.nodes();
                return n * (2 * problem.bytes + n / 8) + n * sizeof(CentreLink) * 4;
            },
        .prepare = [](const Topology& topology, const Problem& problem) -> CollectiveProgram {
            const auto table = std::make_shared<const SpreadTable>(spread_table(topology.dimension()));
            return [table, problem](Node& me, NodeData data) { return two_centre(me, *table, problem, data); };
        },
    };
}

}  // namespace

std::vector<Algorithm> all_reduce_family()
{
    return {
        exchange_entry(PortModel::one, "exchange-one-port",
                       "a block at a time, exchanged over every port in turn and added"),
        exchange_entry(PortModel::all, "exchange", "d blocks at a time, each over another port in every step"),
        two_phase_entry(PortModel::one, "halving-doubling", "Bertsekas et al. 1991, section 1 (one port)",
                        "reduce-scatter by recursive halving, then all-gather by recursive doubling"),
        two_phase_entry(PortModel::all, "reduce-scatter-all-gather", "Bertsekas et al. 1991, section 2",
                        "the optimal reduce-scatter, then the optimal all-gather"),
        two_centre_entry(),
    };
}

}  // namespace dcube::detail

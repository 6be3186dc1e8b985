// The entries of all_reduce.cpp, with their costs and phases.

#include "algorithms/beyond/cubes/all_reduce.hpp"

#include "algorithms/beyond/cubes/all_reduce_two_centre.hpp"
#include "algorithms/beyond/cubes/one_port.hpp"
#include "algorithms/families.hpp"
#include "algorithms/formulas.hpp"
#include "algorithms/papers/bertsekas/all_gather.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/link_costs.hpp"
#include "algorithms/programs/plan.hpp"
#include "base/arithmetic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace dcube::detail {

namespace {

// The phases of the exchange of one group of blocks.
Phases exchange_phases(unsigned d, std::uint64_t blocks)
{
    PhaseLine line;
    for (Port s = 0; s < d; ++s) {
        const std::string terms =
            fmt::format("{} {} {}", counted(bit(s), "term"), s == 0 ? "becomes" : "become", bit(s + 1));
        line.add(1, blocks == 1
                        ? text_of_dimension(
                              s, fmt::format("Partners across dimension {} swap their sums and add: {}.", s, terms))
                        : PhaseText{terms, fmt::format("Partners swap their sums of {} and add, each block over "
                                                       "another dimension: {}.",
                                                       counted(blocks, "block"), terms)});
    }
    return line.take();
}

Phases grouped_exchange_phases(unsigned d, std::uint64_t packets, std::uint64_t lanes)
{
    const auto last = [=](std::uint64_t group) { return std::min(packets, (group + 1) * lanes); };
    return in_rounds(
        ceil_div(packets, lanes), d,
        [=](std::uint64_t group) {
            const std::uint64_t first = group * lanes + 1;
            return first == last(group) ? fmt::format("block {}", first)
                                        : fmt::format("blocks {} to {}", first, last(group));
        },
        [=](std::uint64_t group) { return exchange_phases(d, last(group) - group * lanes); });
}

Phases two_halves(const Topology& topology, PortModel ports, std::uint64_t share, std::uint64_t steps)
{
    const auto phases = ports == PortModel::all ? all_gather_phases : one_port_all_gather_phases;
    return followed_by(part_of("reduce-scatter", phases(topology, share, Direction::backwards)), steps / 2,
                       part_of("all-gather", phases(topology, share, Direction::forwards)));
}

Phases two_centre_phases(const Topology& topology)
{
    const std::uint64_t q = steps_over_links(topology.nodes() - std::uint64_t{1}, topology);
    return PhaseLine()
        .add(q - 1, {std::string(to_centres),
                     "The partial sums of every block move towards its two centres, which are neighbours, and are "
                     "added on the way."})
        .add(1, {std::string(between_centres),
                 "The two centres of every block send each other what they have, so that both know the whole sum."})
        .add(q - 1, {std::string(from_centres),
                     fmt::format("The whole sums spread from their centres to all {} nodes, over the same links the "
                                 "other way round in time.",
                                 topology.nodes())})
        .take();
}

// Where links take time and blocks go one by one, a block's first exchange need not wait for the last one of the block
// before: its link is free. Groups of d blocks keep all links busy.
Rational exchange_time(const Topology& topology, const Problem& problem, PortModel ports, std::uint64_t steps)
{
    const bool one_by_one =
        ports == PortModel::one && problem.link.clock == LinkClock::data_driven && !problem.link.one_port();
    return to_rational(LinkCosts(problem.link)
                           .packets(one_by_one ? problem.packets + topology.dimension() - 1 : steps, problem.bytes));
}

Entry exchange_entry(Entry head)
{
    const auto lanes = [ports = head.ports](const Topology& topology) {
        return ports == PortModel::all ? std::max(1U, topology.dimension()) : 1U;
    };
    head = costed_by_formula(std::move(head));
    head.run_time = [ports = head.ports, cost = head.cost](const Topology& topology, const Problem& problem) {
        return exchange_time(topology, problem, ports, cost(topology, problem).steps);
    };
    head.storage = [lanes](const Topology& topology, const Problem& problem) {
        return topology.nodes() * std::min<std::uint64_t>(lanes(topology), problem.packets) * problem.bytes;
    };
    head.phases = [lanes](const Topology& topology, const Problem& problem) {
        return grouped_exchange_phases(topology.dimension(), problem.packets, lanes(topology));
    };
    head.prepare = [lanes](const Topology& topology, const Problem& problem) -> CollectiveProgram {
        return [lanes = lanes(topology), problem](Node& me, NodeData data) {
            return all_reduce_exchange(me, lanes, problem, data);
        };
    };
    return head;
}

// Blocks that are missing from the last share are not sent.
Entry two_phase_entry(Entry head)
{
    const PortModel ports = head.ports;
    head = costed_by_formula(std::move(head));
    head.storage = [](const Topology& topology, const Problem& problem) {
        return plan_bytes(2 * blocks_per_share(topology, problem) * topology.nodes());
    };
    head.phases = [ports, cost = head.cost](const Topology& topology, const Problem& problem) {
        return two_halves(topology, ports, blocks_per_share(topology, problem), cost(topology, problem).steps);
    };
    return plan_entry(std::move(head), [ports](const Topology& topology, const Problem& problem) {
        return reduce_scatter_all_gather(topology, problem, ports);
    });
}

Entry two_centre_entry(Entry head)
{
    head.obstacle = two_centre_obstacle;
    head = costed_by_formula(std::move(head));
    head.storage = [](const Topology& topology, const Problem& problem) {
        const std::uint64_t n = topology.nodes();
        return n * (2 * std::uint64_t{problem.bytes} + n / 8) + n * sizeof(CentreLink) * 4;
    };
    head.phases = [](const Topology& topology, const Problem&) { return two_centre_phases(topology); };
    head.prepare = [](const Topology& topology, const Problem& problem) -> CollectiveProgram {
        const auto table = std::make_shared<const SpreadTable>(spread_table(topology.dimension()));
        return [table, problem](Node& me, NodeData data) { return two_centre(me, *table, problem, data); };
    };
    return head;
}

}  // namespace

std::vector<Entry> all_reduce_family()
{
    constexpr Collective all_reduce = Collective::all_reduce;
    constexpr std::string_view textbook = "textbook";
    constexpr std::string_view from_all_gather = "Bertsekas et al. 1991, section 2 (its all-gather)";
    return {
        exchange_entry(
            {{.collective = all_reduce, .name = "exchange-one-port", .ports = PortModel::one, .same_bits = true},
             {.paper = textbook,
              .origin = Origin::dcube,
              .summary = "a block at a time, exchanged over every port in turn and added",
              .idea =
                  "Partners over port k send each other their sums and both add, for k = 0, 1, .., d - 1. After port k "
                  "every node has the sum of its subcube. It is fast and not frugal: all nodes do all the work at "
                  "once.",
              .formula = {.steps = "m d", .transmissions = "m d N"},
              .paper_note = "None of the papers has an all-reduce."}}),
        exchange_entry({{.collective = all_reduce, .name = "exchange", .same_bits = true},
                        {.paper = textbook,
                         .origin = Origin::dcube,
                         .summary = "d blocks at a time, each over another port in every step",
                         .idea = "As with one port, but d blocks at a time: block b begins at dimension b and goes "
                                 "round from there, so in every step each of the d blocks has a port of its own. Full "
                                 "links prove nothing here: they carry d N packets a block where 2 (N - 1) would do.",
                         .formula = {.steps = "d ceil(m/d)", .transmissions = "m d N"},
                         .paper_note = "None of the papers has an all-reduce. For one block it is the usual algorithm; "
                                       "d blocks side by side are dcube's."}}),
        two_phase_entry(
            {{.collective = all_reduce, .name = "halving-doubling", .ports = PortModel::one, .same_bits = true},
             {.paper = textbook,
              .origin = Origin::dcube,
              .summary = "reduce-scatter by recursive halving, then all-gather by recursive doubling",
              .idea = "Each node is made responsible for a share of the blocks: reduce-scatter by recursive "
                      "halving brings it their sums, all-gather by recursive doubling spreads them again.",
              .formula = {.steps = "2 ceil(m/N) (N - 1)", .transmissions = "2 m (N - 1)"},
              .paper_note = "None of the papers has an all-reduce."}}),
        two_phase_entry(
            {{.collective = all_reduce, .name = "reduce-scatter-all-gather", .same_bits = true},
             {.paper = from_all_gather,
              .origin = Origin::dcube,
              .summary = "the optimal reduce-scatter, then the optimal all-gather",
              .idea = "The optimal reduce-scatter, then the optimal all-gather: every block is summed up at one node "
                      "and spread from there. It makes the fewest transmissions there can be. Where (N - 1) mod d is "
                      "small, d - 1 ports are idle twice: in the first step of the one and the last step of the other.",
              .formula = {.steps = "2 ceil(ceil(m/N) (N - 1)/d)", .transmissions = "2 m (N - 1)"},
              .paper_note =
                  "That, backwards and then forwards, takes 2 ceil((N - 1)/d) steps for N blocks. None of the "
                  "papers has an all-reduce."}}),
        two_centre_entry(
            {{.collective = all_reduce, .name = "two-centre", .same_bits = true},
             {.paper = from_all_gather,
              .origin = Origin::dcube,
              .summary = "every block is gathered at two neighbours, which exchange, and is spread again",
              .idea = "Reduce-scatter followed by all-gather leaves ports idle twice. So each block gets two "
                      "neighbouring centres instead of one home: it is gathered to both in q - 1 steps, q = ceil((N - "
                      "1)/d); in step q they exchange what they have; then it is spread in q - 1 steps. Nothing meets: "
                      "links fall in two halves by the parity of two bits of their start, and the table of one block "
                      "uses each (step, half, port) at most once.",
              .formula = {.steps = "2 ceil((N - 1)/d) - 1", .transmissions = "2 m (N - 1)"},
              .paper_note =
                  "That and its reverse take 2 ceil((N - 1)/d) steps for N blocks. This takes one less, which "
                  "is the bound, where (N - 1) mod d is 1; docs/results.md has the proof."}}),
    };
}

}  // namespace dcube::detail

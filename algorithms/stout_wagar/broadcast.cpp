// Broadcast: the root's message reaches every node. Reduce: backwards. Stout & Wagar 1990, section 3; EDST is Johnsson
// & Ho 1989. m bytes, g groups.
//
//   recursive-doubling   d (tau m + beta)
//   rotated              d (tau ceil(m/d) + beta)
//   wave                 (d+1)(tau ceil(m/d) + beta)
//   two-waves            d (tau ceil(m/d) + beta)
//   pipelined, -pruned   (d+g-1)(tau ceil(m/(dg)) + beta)      exact if dg divides m, else at most
//   edge-disjoint-trees  (d+g)(tau ceil(m/(dg)) + beta)
//   scatter-all-gather   at most the scatter of N parts, then the all-gather

#include "algorithms/stout_wagar/broadcast.hpp"
#include "algorithms/families.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/tree_pipeline.hpp"
#include "algorithms/stout_wagar/complete.hpp"
#include "algorithms/stout_wagar/scatter.hpp"

#include "base/arithmetic.hpp"

#include <algorithm>
#include <bit>

namespace dcube::detail {

Port wave_index(unsigned d, NodeId node, Port port)
{
    if (node == 0)
        return port;
    while (!has_bit(node, port))
        port = port + 1 == d ? 0 : port + 1;
    return port;
}

WaveRule pipelined_waves(std::uint32_t groups)
{
    return [groups](unsigned d, NodeId node, Port port, Step stage) -> std::optional<std::uint32_t> {
        const auto level = static_cast<Step>(std::popcount(node));
        if (stage < level)
            return std::nullopt;
        const Step q = stage - level;
        if (q < groups)
            return q * d + wave_index(d, node, port);
        if (q == groups && level + 2 <= d)
            return (groups - 1) * d + (wave_index(d, node, port) + 1) % d;
        return std::nullopt;
    };
}

namespace {

std::optional<std::uint32_t> doubling(unsigned, NodeId node, Port port, Step stage)
{
    return port == stage && node < bit(port) ? std::optional<std::uint32_t>(0) : std::nullopt;
}

// d copies of the doubling, rotated: packet i is on link j in stage j - i (mod d).
std::optional<std::uint32_t> rotated_doubling(unsigned d, NodeId node, Port port, Step stage)
{
    const Port i = (port + d - stage) % d;
    return rotated(node, (d - i) % d, d) < bit(stage) ? std::optional<std::uint32_t>(i) : std::nullopt;
}

std::optional<std::uint32_t> one_wave(unsigned d, NodeId node, Port port, Step stage)
{
    return stage == static_cast<Step>(std::popcount(node)) ? std::optional<std::uint32_t>(wave_index(d, node, port))
                                                           : std::nullopt;
}

// Groups in d edge-disjoint trees; nothing goes to the root.
WaveRule tree_groups(std::uint32_t groups)
{
    return [groups](unsigned d, NodeId node, Port port, Step stage) -> std::optional<std::uint32_t> {
        const auto level = static_cast<Step>(std::popcount(node));
        if (stage < level || stage - level >= groups || node == bit(port))
            return std::nullopt;
        return (stage - level) * d + wave_index(d, node, port);
    };
}

struct Message {
    unsigned d;
    std::size_t units;  // bytes, or elements of a reduction
    std::size_t unit;

    Message(const Topology& topology, const Problem& problem)
        : d(topology.dimension()), units(problem.bytes * problem.packets), unit(1)
    {
        if (is_reduction(problem.collective)) {
            unit = size_of(problem.type);
            units /= unit;
        }
    }
    // ceil(m / p), in bytes
    [[nodiscard]] std::size_t largest_part(std::size_t p) const { return ceil_div(units, p) * unit; }
};

Stream waves(const Topology& topology, const Problem& problem, Step steps, std::uint32_t groups, const WaveRule& rule)
{
    const Message message(topology, problem);
    return {[rule](unsigned d, NodeId label) { return wave_pipeline(d, label, rule); }, steps,
            PacketCut::groups(message.units, message.unit, groups, std::max(1U, message.d))};
}

using GroupsTime = Exact (*)(const Message& message, std::size_t groups, const LinkCosts& costs);

// The best g, near g (g + 1) = factor tau m / beta; or the one that is asked for.
std::size_t chosen_groups(const Message& message, const Problem& problem, const Exact& factor, GroupsTime time)
{
    if (problem.tuning.groups != 0)
        return problem.tuning.groups;
    if (message.d < 2)
        return 1;
    const LinkCosts costs(problem.link);
    const std::size_t most = std::max<std::size_t>(1, message.units / message.d);
    const Exact bytes = message.units * message.unit;
    const std::size_t near = costs.beta == 0 ? most : least_groups(factor * costs.tau * bytes / costs.beta);
    return best_groups(near, most, message.units, message.d,
                       [&](std::size_t groups) { return time(message, groups, costs); });
}

Exact pipelined_time(const Message& message, std::size_t groups, const LinkCosts& costs)
{
    return costs.packets(message.d + groups - 1, message.largest_part(message.d * groups));
}

std::size_t pipelined_groups(const Topology& topology, const Problem& problem)
{
    const Message message(topology, problem);
    return chosen_groups(message, problem, message.d < 2 ? Exact(0) : Exact(message.d - 1) / message.d, pipelined_time);
}

Exact tree_time(const Message& message, std::size_t groups, const LinkCosts& costs)
{
    const std::size_t stages = message.d == 1 ? groups : message.d + groups;
    return costs.packets(stages, message.largest_part(message.d * groups));
}

std::size_t tree_group_count(const Topology& topology, const Problem& problem)
{
    return chosen_groups(Message(topology, problem), problem, 1, tree_time);
}

Stream pruned_groups(const Topology& topology, const Problem& problem)
{
    const Message message(topology, problem);
    const auto groups = static_cast<std::uint32_t>(pipelined_groups(topology, problem));
    const auto packets = static_cast<std::uint32_t>(groups * message.d);
    return {[packets](unsigned d, NodeId label) { return tree_pipeline(d, label, packets); }, message.d + groups - 1,
            PacketCut::groups(message.units, message.unit, groups, std::max(1U, message.d))};
}

// The scatter of N parts of the message, then the all-gather of them; the fragments are stretches of the one message.
Routing scatter_all_gather(const Topology& topology, const Problem& problem)
{
    const unsigned d = topology.dimension();
    const std::size_t n = topology.nodes();
    const std::size_t bytes = problem.bytes * problem.packets;
    const LinkCosts costs(problem.link);
    const auto share = [bytes, n](NodeId target) { return balanced_part(bytes, n, target); };
    const auto length_of = [share](NodeId target) { return share(target).length; };
    const Routing scatter = wave_routing(topology, best_wave_plan(d, Exact(bytes) / n, costs), length_of);
    Routing both = followed_by(scatter, gathering(topology, length_of, 1));
    both.packet = [packet = std::move(both.packet), share](Step stage, NodeId from, Port port, Fragments& fragments) {
        packet(stage, from, port, fragments);
        for (Fragment& fragment : fragments)
            fragment = {0, share(static_cast<NodeId>(fragment.message)).offset + fragment.offset, fragment.length};
    };
    return translated(std::move(both), problem.root, false);
}

Exact scatter_all_gather_time(const Topology& topology, const Problem& problem)
{
    const unsigned d = topology.dimension();
    const LinkCosts costs(problem.link);
    const Exact share = Exact(problem.bytes * problem.packets) / topology.nodes();
    const Exact longest = Exact(ceiling(share));
    return wave_plan_time(best_wave_plan(d, share, costs), d, longest, costs) +
           costs.tau * Exact(ceiling(longest / d)) * (topology.nodes() - 1) + costs.beta * d;
}

Algorithm entry(Collective collective, std::string_view name, std::vector<std::string_view> aliases,
                std::string_view summary, std::function<Exact(const Message&, const Problem&, const LinkCosts&)> time)
{
    Algorithm head = titled(collective, name, std::move(aliases), "Stout & Wagar 1990, broadcast", summary);
    head.time = in_ns([time = std::move(time)](const Topology& topology, const Problem& problem) {
        return time(Message(topology, problem), problem, LinkCosts(problem.link));
    });
    return head;
}

Algorithm trees(Algorithm head)
{
    head.paper = "Johnsson & Ho 1989 (edge-disjoint spanning binomial trees)";
    return streamed(std::move(head), [](const Topology& topology, const Problem& problem) {
        const Message message(topology, problem);
        const auto groups = static_cast<std::uint32_t>(tree_group_count(topology, problem));
        const Step steps = message.d == 1 ? groups : message.d + groups;
        Stream stream = waves(topology, problem, steps, groups, tree_groups(groups));
        stream.cut = PacketCut::trees(message.units, message.unit, groups, std::max(1U, message.d));
        return stream;
    });
}

std::vector<Algorithm> pipelined_entries(Collective collective)
{
    const auto time = [](const Message& message, const Problem& problem, const LinkCosts& costs) {
        return pipelined_time(message, pipelined_groups(Topology::hypercube(message.d), problem), costs);
    };
    Algorithm pruned = streamed(
        entry(collective, "pipelined-pruned", {"B4 pruned"}, "the same without packets that bring nothing new", time),
        pruned_groups);
    if (collective == Collective::reduce) {
        pruned.name = "pipelined";
        pruned.aliases = {"RD", "B4 reversed"};
        pruned.summary = "the pipelined broadcast backwards, sums on the way";
        return {pruned};
    }
    Algorithm whole = streamed(
        entry(collective, "pipelined", {"B4", "BROADCAST 4"}, "waves of packets a stage apart", time),
        [](const Topology& topology, const Problem& problem) {
            const auto groups = static_cast<std::uint32_t>(pipelined_groups(topology, problem));
            return waves(topology, problem, topology.dimension() + groups - 1, groups, pipelined_waves(groups));
        });
    return {whole, pruned};
}

}  // namespace

std::vector<Algorithm> link_broadcast_family()
{
    constexpr Collective broadcast = Collective::broadcast;
    const auto in_stages = [](unsigned more) {
        return [more](const Message& message, const Problem&, const LinkCosts& costs) {
            return costs.packets(message.d + more, message.largest_part(message.d));
        };
    };
    std::vector<Algorithm> all;
    Algorithm whole = entry(broadcast, "recursive-doubling", {"B1", "BROADCAST 1"}, "the whole message, link by link",
                            [](const Message& message, const Problem&, const LinkCosts& costs) {
                                return costs.packets(message.d, message.units * message.unit);
                            });
    all.push_back(streamed(std::move(whole), [](const Topology& topology, const Problem& problem) {
        Stream stream = waves(topology, problem, topology.dimension(), 1, doubling);
        stream.cut = PacketCut::equal(problem.bytes * problem.packets, 1);
        return stream;
    }));
    all.push_back(streamed(entry(broadcast, "rotated", {"B2", "BROADCAST 2"},
                                 "d parts, each doubling in its own order of links", in_stages(0)),
                           [](const Topology& topology, const Problem& problem) {
                               return waves(topology, problem, topology.dimension(), 1, rotated_doubling);
                           }));
    all.push_back(streamed(
        entry(broadcast, "wave", {"B3A", "BROADCAST 3A"}, "d parts that leave the root as one wave", in_stages(1)),
        [](const Topology& topology, const Problem& problem) {
            return waves(topology, problem, topology.dimension() + 1, 1, one_wave);
        }));
    all.push_back(streamed(entry(broadcast, "two-waves", {"B3B", "BROADCAST 3B"},
                                 "a second wave, relabelled, saves the last stage", in_stages(0)),
                           [](const Topology& topology, const Problem& problem) {
                               return waves(topology, problem, topology.dimension(), 1, pipelined_waves(1));
                           }));
    for (Algorithm& algorithm : pipelined_entries(broadcast))
        all.push_back(std::move(algorithm));
    all.push_back(trees(entry(broadcast, "edge-disjoint-trees", {"EDST"}, "groups of packets in d trees",
                              [](const Message& message, const Problem& problem, const LinkCosts& costs) {
                                  return tree_time(message, tree_group_count(Topology::hypercube(message.d), problem),
                                                   costs);
                              })));
    Algorithm two_phases =
        titled(broadcast, "scatter-all-gather", {"SAG"}, "Stout & Wagar 1990, distribute and complete broadcast",
               "the scatter in waves of N parts, then the all-gather of them");
    two_phases.time = in_ns(scatter_all_gather_time);
    all.push_back(routed(std::move(two_phases), scatter_all_gather));
    for (Algorithm& algorithm : pipelined_entries(Collective::reduce))
        all.push_back(std::move(algorithm));
    return all;
}

}  // namespace dcube::detail

// Broadcast in two phases, ours: DISTRIBUTE 2 deals N parts of the message out, COMPLETE BROADCAST gives all of them to
// all nodes (Stout & Wagar 1990, sections 5 and 6). For d >= 6 and messages of medium length it beats BROADCAST 4.
//
//   scatter-all-gather   at most the time of the best wave plan for parts of ceil(m/N) bytes, and then
//                        (2^d - 1) tau ceil(ceil(m/N)/d) + d beta
//
// Transmissions are counted by asking the routing. Planning: the search of the wave plan, and a table of the scatter's
// packets, O(d 2^d) and more for its pieces; the all-gather is worked out by every node.

#include "algorithms/families.hpp"
#include "algorithms/papers/stout_wagar/all_gather.hpp"
#include "algorithms/papers/stout_wagar/scatter.hpp"
#include "algorithms/papers/stout_wagar/wave_plan.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/cut.hpp"
#include "algorithms/programs/entry.hpp"
#include "base/arithmetic.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace dcube::detail {

namespace {

WavePlan scatter_plan(const Topology& topology, const Problem& problem)
{
    return best_wave_plan(topology.dimension(), Exact(message_bytes(problem)) / topology.nodes(),
                          LinkCosts(problem.link));
}

// The part of the message that a node gets first.
auto shares(const Topology& topology, const Problem& problem)
{
    return [bytes = message_bytes(problem), n = std::size_t{topology.nodes()}](NodeId target) {
        return balanced_part(bytes, n, target);
    };
}

Routing scatter(const Topology& topology, const Problem& problem)
{
    return distribute_2(topology, scatter_plan(topology, problem),
                        [share = shares(topology, problem)](NodeId target) { return share(target).length; });
}

// The bytes of the largest packet in each stage of the all-gather, added up. As a part i of a message doubles through
// dimensions i, i + 1, .., the packets with such parts double: each joins that of the partner.
std::size_t largest_packets(unsigned d, const LengthOf& length_of, Stagger first_longer)
{
    std::vector<std::size_t> largest(d);
    std::vector<std::size_t> packets(bit(d));  // by sender
    for (unsigned i = 0; i < d; ++i) {
        for (NodeId node = 0; node < bit(d); ++node)
            packets[node] = staggered_part(length_of(node), d, i, first_longer(node, d)).length;
        for (unsigned k = 0; k < d; ++k) {
            largest[k] = std::max(largest[k], std::ranges::max(packets));
            for (NodeId node = 0; node < bit(d); ++node)
                if (const NodeId partner = node ^ bit((i + k) % d); node < partner)
                    packets[node] = packets[partner] = packets[node] + packets[partner];
        }
    }
    return std::accumulate(largest.begin(), largest.end(), std::size_t{0});
}

// The stagger for messages of one size is the better one for nearly all sizes, but the shares may be of two.
Stagger best_stagger(unsigned d, const LengthOf& length_of)
{
    return largest_packets(d, length_of, stagger) < largest_packets(d, length_of, doubling_stagger) ? stagger
                                                                                                    : doubling_stagger;
}

// Both phases move parts with their target's number; as fragments they are stretches of the one message.
Routing scatter_all_gather(const Topology& topology, const Problem& problem)
{
    const auto share = shares(topology, problem);
    const auto length_of = [share](NodeId target) { return share(target).length; };
    Routing both =
        followed_by(scatter(topology, problem),
                    complete_broadcast(topology, length_of, 1, best_stagger(topology.dimension(), length_of)));
    both.packet = [packet = std::move(both.packet), share](Step stage, NodeId from, Port port, Fragments& fragments) {
        packet(stage, from, port, fragments);
        for (Fragment& fragment : fragments) {
            const auto target = static_cast<NodeId>(fragment.message);
            fragment = {0, share(target).offset + fragment.offset, fragment.length};
        }
    };
    return translated(std::move(both), problem.root, false);
}

Phases both_phases(const Topology& topology, const Problem& problem)
{
    const unsigned d = topology.dimension();
    const Step scattered = scatter(topology, problem).stages;
    return followed_by(
        part_of("scatter",
                within(distribute_2_phases(d, scatter_plan(topology, problem), Direction::forwards), scattered)),
        scattered, part_of("all-gather", complete_broadcast_phases(d)));
}

Exact scatter_all_gather_time(const Topology& topology, const Problem& problem)
{
    const unsigned d = topology.dimension();
    const LinkCosts costs(problem.link);
    const Exact share = Exact(message_bytes(problem)) / topology.nodes();
    const Exact longest = Exact(ceiling(share));
    return wave_plan_time(best_wave_plan(d, share, costs), d, longest, costs) +
           costs.tau * Exact(ceiling(longest / d)) * (topology.nodes() - 1) + costs.beta * d;
}

Exact scatter_all_gather_limit(const Topology& topology, const Problem& problem)
{
    const LinkCosts costs(problem.link);
    const std::size_t longest = ceil_div<std::size_t>(message_bytes(problem), topology.nodes());
    return waves_limit(scatter_plan(topology, problem), topology.dimension(), longest, costs) +
           complete_broadcast_limit(topology, longest, 1, costs);
}

std::optional<CaseFormula> scatter_all_gather_formula(const Topology& topology, const Problem& problem)
{
    const std::size_t part = ceil_div<std::size_t>(message_bytes(problem), topology.nodes());
    return CaseFormula{.text = "S + (N - 1) tau ceil(p/d) + d beta",
                       .letters = {{"p", part}},
                       .parts = {{"S", "waves", Collective::scatter, part}}};
}

double two_phase_pieces(const Topology& topology, const Problem&)
{
    const double n = topology.nodes();
    return spread_pieces(topology.dimension()) + n * n * topology.dimension();
}

}  // namespace

std::vector<Entry> scatter_all_gather_family()
{
    Entry two_phases{{.collective = Collective::broadcast, .name = "scatter-all-gather", .link = LinkKind::link_bound},
                     {.aliases = {"SAG"},
                      .paper = "Stout & Wagar 1990, sections 5 and 6",
                      .origin = Origin::dcube,
                      .summary = "the scatter in waves of N parts, then the all-gather of them",
                      .idea = "Scatter N parts of the message, then all-gather them. It moves about 2 m/d bytes "
                              "over a link, which is more than needed, but with few start-ups: best for messages of "
                              "medium size on cubes of six dimensions and more.",
                      .formula = {.words = "Here p is the bytes of a node's part, m/N; S is the time of `waves`, "
                                           "the scatter, of such parts, for which the waves are searched"},
                      .paper_note =
                          "Stout & Wagar have both halves, DISTRIBUTE 2 (section 5) and COMPLETE BROADCAST (section "
                          "6). To broadcast by them is dcube's, in their terms; elsewhere it is well known.",
                      .time = in_ns(scatter_all_gather_time),
                      .time_limit = in_ns(scatter_all_gather_limit),
                      .case_formula = scatter_all_gather_formula,
                      .phases = both_phases}};
    return {routing_entry(std::move(two_phases), scatter_all_gather, {.pieces = two_phase_pieces})};
}

}  // namespace dcube::detail

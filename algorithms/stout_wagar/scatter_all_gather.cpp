// Broadcast in two phases, ours: DISTRIBUTE 2 deals N parts of the message out, COMPLETE BROADCAST gives all of them to
// all nodes (Stout & Wagar 1990, sections 5 and 6). For d >= 6 and messages of medium length it beats BROADCAST 4.
//
//   scatter-all-gather   at most the time of the best wave plan for parts of ceil(m/N) bytes, and then
//                        (2^d - 1) tau ceil(ceil(m/N)/d) + d beta
//
// Transmissions are counted by asking the routing. Planning: the search of the wave plan, and a table of the scatter's
// packets, O(d 2^d) and more for its pieces; the all-gather is worked out by every node.

#include "algorithms/families.hpp"
#include "algorithms/programs/cut.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/stout_wagar/all_gather.hpp"
#include "algorithms/stout_wagar/scatter.hpp"
#include "algorithms/stout_wagar/wave_plan.hpp"

namespace dcube::detail {

namespace {

// Both phases move parts with their target's number; as fragments they are stretches of the one message.
Routing scatter_all_gather(const Topology& topology, const Problem& problem)
{
    const std::size_t n = topology.nodes();
    const std::size_t bytes = message_bytes(problem);
    const auto share = [bytes, n](NodeId target) { return balanced_part(bytes, n, target); };
    const auto length_of = [share](NodeId target) { return share(target).length; };
    const WavePlan plan = best_wave_plan(topology.dimension(), Exact(bytes) / n, LinkCosts(problem.link));
    Routing both = followed_by(distribute_2(topology, plan, length_of), complete_broadcast(topology, length_of, 1));
    both.packet = [packet = std::move(both.packet), share](Step stage, NodeId from, Port port, Fragments& fragments) {
        packet(stage, from, port, fragments);
        for (Fragment& fragment : fragments) {
            const auto target = static_cast<NodeId>(fragment.message);
            fragment = {0, share(target).offset + fragment.offset, fragment.length};
        }
    };
    return translated(std::move(both), problem.root, false);
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

}  // namespace

std::vector<Algorithm> scatter_all_gather_family()
{
    Algorithm two_phases{.collective = Collective::broadcast,
                         .name = "scatter-all-gather",
                         .aliases = {"SAG"},
                         .paper = "Stout & Wagar 1990, sections 5 and 6",
                         .origin = Origin::dcube,
                         .summary = "the scatter in waves of N parts, then the all-gather of them",
                         .link = LinkKind::link_bound,
                         .time = in_ns(scatter_all_gather_time)};
    return {routing_entry(std::move(two_phases), scatter_all_gather)};
}

}  // namespace dcube::detail

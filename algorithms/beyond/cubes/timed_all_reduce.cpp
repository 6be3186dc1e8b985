// All-reduce: every node gets the sum of all vectors. Ours: HISTOGRAM and COMPLETE BROADCAST (Stout & Wagar 1990,
// sections 8 and 6) with exchanges of whole sums between. M bytes per vector on a d-cube, q halvings, 0 <= q <= d.
//
//   halving-doubling   2(1-2^-q) tau M/d + (d-q) tau M/(d 2^q) + (d+q) beta     d N (d+q) transmissions
//
// Part r of the vector uses the dimensions r, r + 1, .., cyclically. q times half of what a node holds goes over the
// next dimension and is added there; over the other d - q dimensions partners exchange whole sums; then the halves come
// back. Exact if d 2^q divides the elements. The time is convex in q, and the best q is found by going up while it
// falls; q = d never is, for q = d - 1 carries the same bytes in a packet less. Nothing is planned.

#include "algorithms/beyond/cubes/timed_all_reduce.hpp"

#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/cut.hpp"
#include "algorithms/programs/link_costs.hpp"

#include <algorithm>

namespace dcube::detail {

namespace {

class HalvingDoubling {
public:
    HalvingDoubling(const Topology& topology, const Problem& problem, unsigned halvings)
        : d_(topology.dimension()), q_(halvings), unit_(element_size(problem)), units_(message_bytes(problem) / unit_)
    {
    }

    [[nodiscard]] Routing routing() const
    {
        const unsigned exchanges = d_ - q_;
        return {d_ + q_,
                [plan = *this](Step stage, NodeId from, Port port, Fragments& fragments) {
                    plan.packet(stage, from, port, fragments);
                },
                d_, q_, exchanges % 2 == 1};
    }

private:
    void packet(Step stage, NodeId from, Port port, Fragments& fragments) const
    {
        const Step k = stage < d_ ? stage : d_ + q_ - 1 - stage;  // dimension r + k
        const unsigned r = (port + d_ - k) % d_;
        const bool halving = stage < q_;
        // A halving gives away the partner's half of k + 1 halvings, a doubling its own.
        Stretch held = balanced_part(units_, d_, r);
        for (Step s = 0; s < std::min(k + 1, q_); ++s) {
            const bool other = halving && s == k;
            const Stretch half = balanced_part(held.length, 2, has_bit(from, (r + s) % d_) != other ? 1 : 0);
            held = {held.offset + half.offset, half.length};
        }
        append(fragments, {0, held.offset * unit_, held.length * unit_});
    }

    unsigned d_;
    unsigned q_;
    std::size_t unit_;
    std::size_t units_;
};

}  // namespace

Exact halving_doubling_time(unsigned d, unsigned q, const Exact& bytes, const LinkCosts& costs)
{
    const Exact share = costs.tau * bytes / d;
    const Exact least = Exact(1) / (Integer(1) << q);
    return 2 * (1 - least) * share + (d - q) * share * least + costs.beta * (d + q);
}

unsigned halvings_for(const Topology& topology, const Problem& problem)
{
    const unsigned d = topology.dimension();
    if (problem.tuning.halvings)
        return std::min(d, *problem.tuning.halvings);
    const LinkCosts costs(problem.link);
    const Exact bytes = message_bytes(problem);
    unsigned q = 0;
    while (q < d && halving_doubling_time(d, q + 1, bytes, costs) < halving_doubling_time(d, q, bytes, costs))
        ++q;
    return q;
}

Routing halving_doubling(const Topology& topology, const Problem& problem)
{
    return HalvingDoubling(topology, problem, halvings_for(topology, problem)).routing();
}

}  // namespace dcube::detail

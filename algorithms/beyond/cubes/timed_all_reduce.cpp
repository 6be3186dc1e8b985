// All-reduce: every node gets the sum of all vectors. Ours: HISTOGRAM and COMPLETE BROADCAST (Stout & Wagar 1990,
// sections 8 and 6) with exchanges of whole sums between. M bytes a vector on a d-cube, q halvings, 0 <= q <= d.
//
//   halving-doubling   2(1-2^-q) tau M/d + (d-q) tau M/(d 2^q) + (d+q) beta     d N (d+q) transmissions
//
// Part r of the vector uses the dimensions r, r + 1, .., cyclically. q times half of what a node holds goes over the
// next dimension and is added there; over the other d - q dimensions partners exchange whole sums; then the halves come
// back. Exact if d 2^q divides the elements. The time is convex in q, and the best q is found by going up while it
// falls; q = d never is, for q = d - 1 carries the same bytes in a packet less. Nothing is planned.

#include "algorithms/families.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/cut.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/link_costs.hpp"
#include "algorithms/programs/phases.hpp"
#include "base/arithmetic.hpp"

#include <fmt/format.h>

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

Exact time_of(unsigned d, unsigned q, const Exact& bytes, const LinkCosts& costs)
{
    const Exact share = costs.tau * bytes / d;
    const Exact least = Exact(1) / (Integer(1) << q);
    return 2 * (1 - least) * share + (d - q) * share * least + costs.beta * (d + q);
}

// The same with every cut rounded up to whole elements, which is the most that it takes.
Exact limit_of(unsigned d, unsigned q, std::size_t bytes, std::size_t unit, const LinkCosts& costs)
{
    const auto largest = [&](unsigned halvings) { return ceil_div(bytes / unit, std::size_t{d} << halvings) * unit; };
    Exact time = costs.packets(d - q, largest(q));
    for (unsigned k = 1; k <= q; ++k)
        time += costs.packets(2, largest(k));
    return time;
}

unsigned halvings_for(const Topology& topology, const Problem& problem)
{
    const unsigned d = topology.dimension();
    if (problem.tuning.halvings)
        return std::min(d, *problem.tuning.halvings);
    const LinkCosts costs(problem.link);
    const Exact bytes = message_bytes(problem);
    unsigned q = 0;
    while (q < d && time_of(d, q + 1, bytes, costs) < time_of(d, q, bytes, costs))
        ++q;
    return q;
}

// Part r of d goes over dimension (r + k) mod d when the others go over their k-th.
Phases phases_of(unsigned d, unsigned q)
{
    PhaseLine line;
    const auto over = [d](unsigned k) { return "part r over dimension " + cyclic("r", k, d); };
    for (unsigned k = 0; k < q; ++k)
        line.add(1, {fmt::format("halving {}", k + 1),
                     fmt::format("Partners give each other half of what they hold, {}, and add: each goes on with 1/{} "
                                 "of every part.",
                                 over(k), bit(k + 1))});
    for (unsigned k = q; k < d; ++k)
        line.add(1, {fmt::format("exchange {}", k - q + 1),
                     fmt::format("Partners swap all that they hold, {}, and add: {} {} {}.", over(k),
                                 counted(bit(k), "term"), k == 0 ? "becomes" : "become", bit(k + 1))});
    for (unsigned k = q; k-- > 0;)
        line.add(1, {fmt::format("doubling {}", q - k),
                     fmt::format("Partners swap the whole sums that they hold, {}: each has {} of every part again.",
                                 over(k), k == 0 ? "all" : fmt::format("1/{}", bit(k)))});
    return line.take();
}

}  // namespace

std::vector<Entry> link_all_reduce_family()
{
    Entry halving_doubling{
        {.collective = Collective::all_reduce,
         .name = "halving-doubling",
         .link = LinkKind::link_bound,
         .same_bits = true},
        {.aliases = {"AR"},
         .paper = "Stout & Wagar 1990, sections 6 and 8",
         .origin = Origin::dcube,
         .summary = "q halvings, d - q full exchanges, q doublings, in d rotations",
         .idea = "In each of d rotations: q halvings, in which a node hands over half of what it is responsible for; d "
                 "- q full exchanges of the rest; q doublings that bring the halves back. Large q moves few bytes, "
                 "small q has few start-ups.",
         .formula = {.time = "2 (1 - 1/2^q) tau m/d + (d - q) tau m/(d 2^q) + (d + q) beta"},
         .paper_note =
             "Stout & Wagar have both halves: HISTOGRAM (section 8) and COMPLETE BROADCAST (section 6), which "
             "together are q = d. q < d, with fewer start-ups, is dcube's.",
         .tunable = {.halvings = true},
         .time = in_ns([](const Topology& topology, const Problem& problem) {
             return time_of(topology.dimension(), halvings_for(topology, problem), message_bytes(problem),
                            LinkCosts(problem.link));
         }),
         .time_limit = in_ns([](const Topology& topology, const Problem& problem) {
             return limit_of(topology.dimension(), halvings_for(topology, problem), message_bytes(problem),
                             element_size(problem), LinkCosts(problem.link));
         }),
         .phases = [](const Topology& topology, const Problem& problem) {
             return phases_of(topology.dimension(), halvings_for(topology, problem));
         }}};
    return {routing_entry(std::move(halving_doubling), [](const Topology& topology, const Problem& problem) {
        return HalvingDoubling(topology, problem, halvings_for(topology, problem)).routing();
    })};
}

}  // namespace dcube::detail

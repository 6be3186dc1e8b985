#include "explain/texts/texts.hpp"

#include <algorithm>
#include <iterator>

// What is said first, whose it is and where it stands, comes from the catalogue. Errata are those of docs/errata.md.

namespace dcube::explain {

namespace {

using enum Collective;
constexpr LinkKind unit = LinkKind::unit;

std::vector<PaperText> of_unit_cubes()
{
    return {
        {{broadcast},
         "recursive-doubling",
         unit,
         "Stout & Wagar have it as BROADCAST 1: d stages, each of the whole message. In steps, for one packet, it is "
         "optimal with one port and with all: d."},
        {{broadcast},
         "pipelined",
         unit,
         "Bertsekas et al. pose the broadcast of one packet, in section 1. m packets with one port in m + d - 1 steps "
         "are dcube's."},
        {{broadcast},
         "pipelined-trees",
         unit,
         "BROADCAST 4 of Stout & Wagar has d + g - 1 stages for g groups of d packets, but brings some packets to "
         "nodes that have them. Without these, and for any number of packets, it is dcube's: as many steps, and the "
         "fewest transmissions."},
        {{broadcast},
         "independent-trees",
         unit,
         "Bertsekas et al. pose the broadcast, on links that do not fail. That all packets go down all of d trees, and "
         "what that survives, is dcube's."},
        {{reduce},
         "pipelined",
         unit,
         "Bertsekas et al. name the problem (single node accumulation). The schedule is dcube's."},
        {{reduce},
         "pipelined-trees",
         unit,
         "BROADCAST 4 of Stout & Wagar, without the packets that bring nothing new, and backwards. The paper has no "
         "reduce."},
        {{scatter}, "farthest-first", unit, "There: N - 1 steps if a node uses one link at a time."},
        {{scatter},
         "balanced-tree",
         unit,
         "Bertsekas et al. prove ceil((N - 1)/d) steps and d 2^(d-1) transmissions in section 3 and Table I, for one "
         "packet a node: that is this. m packets a node, with the tree rotated from one to the next, are dcube's. The "
         "\"longest run of 0s\" by which a node finds its parent must not wrap round (errata, 15)."},
        {{gather}, "nearest-first", unit, "It is the scatter backwards."},
        {{gather},
         "balanced-tree",
         unit,
         "Bertsekas et al. say in section 1 that a gather is a scatter backwards; the schedule of section 3, reversed, "
         "is this."},
        {{all_gather}, "recursive-doubling", unit, "There: N - 1 steps if a node uses one link at a time."},
        {{all_gather},
         "rotated-trees",
         unit,
         "Bertsekas et al. prove ceil((N - 1)/d) steps and N (N - 1) transmissions in section 2 and Table I, and in "
         "the appendix that d never divides 2^d - 1 for d > 1. m packets a node are dcube's. The paper's argument by "
         "distances leaves out the class R_21 and d = 3 and 4, where it is true because whole classes fill steps "
         "(errata, 15)."},
        {{reduce_scatter}, "recursive-halving", unit, "It reverses the all-gather by recursive doubling."},
        {{reduce_scatter},
         "rotated-trees",
         unit,
         "The multinode broadcast of Bertsekas et al., section 2, backwards: as many steps and transmissions. "
         "Bertsekas et al. call it multinode accumulation."},
        {{all_reduce}, "exchange-one-port", unit, "None of the papers has an all-reduce."},
        {{all_reduce},
         "exchange",
         unit,
         "None of the papers has an all-reduce. For one block it is what everybody does; d blocks side by side are "
         "dcube's."},
        {{all_reduce}, "halving-doubling", unit, "None of the papers has an all-reduce."},
        {{all_reduce},
         "reduce-scatter-all-gather",
         unit,
         "That, backwards and then forwards, takes 2 ceil((N - 1)/d) steps for N blocks. None of the papers has an "
         "all-reduce."},
        {{all_reduce},
         "two-centre",
         unit,
         "That and its reverse take 2 ceil((N - 1)/d) steps for N blocks. This takes one less, which is the bound, "
         "where (N - 1) mod d is 1; docs/optimality.md has the proof."},
        {{all_reduce},
         "two-kinds",
         unit,
         "That and its reverse take 2 ceil((N - 1)/d) steps for N blocks. This takes one less, which is the bound, "
         "where "
         "2 ((N - 1) mod d) is at most d."},
        {{all_reduce}, "fold-one", unit, "None of the papers has an all-reduce."},
        {{all_reduce}, "fold", unit, "None of the papers has an all-reduce."},
        {{all_reduce}, "cores-one", unit, "None of the papers has an all-reduce."},
        {{all_reduce}, "cores", unit, "None of the papers has an all-reduce."},
        {{all_to_all}, "dimension-exchange", unit, "There: d 2^(d-1) steps if a node uses one link at a time."},
        {{all_to_all},
         "optimal",
         unit,
         "Bertsekas et al. prove 2^(d-1) steps and d 2^(2d-1) transmissions in section 4 and Table I, by the same "
         "three phases. Several packets a pair, one exchange after the other, are dcube's."},
        {{all_to_all},
         "local-rules",
         unit,
         "\"Implementation\" there. Its \"ordered by j xor i\" is a priority among all packets that wait, not only "
         "among those that have come together (errata, 15)."},
    };
}

std::vector<PaperText> of_networks()
{
    return {
        {{all_to_all},
         "row-by-row",
         unit,
         "It gives these steps: n_A S_B + n_B T_A. It is the simple one, with which A2 is compared."},
        {{all_to_all},
         "factor-by-factor",
         unit,
         "It gives these steps: N times the sum of T_i/n_i. It is optimal where every factor takes its average status, "
         "as Cayley graphs do."},
        {{all_to_all},
         "mixed-routes",
         unit,
         "Dimakopoulos & Dimopoulos have no one-port algorithm that meets a bound on meshes: theirs are at 1.5 times "
         "L1 on large ones."},
        {{all_to_all},
         "edge-colouring",
         unit,
         "Dimakopoulos & Dimopoulos call homogeneous tori optimal under A3 by the cut bound. That holds only where a "
         "ring meets it before it is rounded up; this meets it for every ring (errata, 16)."},
        {{all_to_all},
         "class-matching",
         unit,
         "Dimakopoulos & Dimopoulos treat Cayley graphs with one port. With all ports they leave them open."},
        {{all_to_all},
         "digit-rounds",
         unit,
         "Dimakopoulos & Dimopoulos state A3 for 2, 4, 8, .. equal factors. This does any number of them in as many "
         "steps."},
        {{all_to_all},
         "homogeneous",
         unit,
         "It gives these steps: n T for two equal factors. It is called optimal on all tori, but ring:6 takes 5 steps "
         "and its cut is 4.5: on torus:6x6 it takes 30, and 27 are possible (errata, 16)."},
        {{all_to_all},
         "interleaved",
         unit,
         "Dimakopoulos & Dimopoulos leave open what to do with factors of different sizes."},
        {{all_to_all},
         "grouped",
         unit,
         "Dimakopoulos & Dimopoulos leave open what to do with factors of different sizes, and with rings of n = 2 mod "
         "4."},
        {{all_to_all}, "farthest-first", unit, "A rule that is often used, in none of the papers."},
        {{broadcast, reduce, scatter, gather, all_gather, reduce_scatter, all_reduce, send, exchange, permute,
          matrix_transpose, matrix_quarter_turn, matrix_half_turn, matrix_relayout},
         "shortest-paths",
         unit,
         "Nothing says that it meets a bound; each run is compared with them."},
        {{broadcast, reduce, scatter, gather, all_gather, reduce_scatter, all_reduce, send, exchange, permute,
          matrix_transpose, matrix_quarter_turn, matrix_half_turn, matrix_relayout},
         "shortest-paths-one",
         unit,
         "Nothing says that it meets a bound; each run is compared with them."},
        {{broadcast, reduce, all_gather, reduce_scatter},
         "spread",
         unit,
         "In none of the papers: sending the rarest first is how peers share files; the matchings are ours."},
        {{broadcast, reduce, all_gather, reduce_scatter},
         "spread-one",
         unit,
         "In none of the papers: sending the rarest first is how peers share files; the matchings are ours."},
        {{send, exchange},
         "quickest-flow",
         unit,
         "In none of the papers: the flow over time of Ford and Fulkerson (1958), which no algorithm beats."},
        {{send}, "single-path-one", unit, "In none of the papers: a pipeline, which is optimal with one port."},
        {{exchange},
         "two-paths-one",
         unit,
         "In none of the papers: two paths that are short together are Suurballe's (1974), the turns are ours."},
        {{scatter, gather},
         "unrolled-flow",
         unit,
         "In none of the papers: networks unrolled in time are Ford and Fulkerson's; how loads are dealt out is ours."},
        {{scatter, gather},
         "farthest-first-one",
         unit,
         "In none of the papers for other networks than cubes: well known, and optimal with one port."},
        {{all_to_all, permute},
         "priced-routes",
         unit,
         "In none of the papers: prices that grow with the load are known from multicommodity flows."},
        {{all_to_all, permute, exchange},
         "priced-routes-one",
         unit,
         "In none of the papers: prices that grow with the load are known from multicommodity flows."},
        {{all_reduce}, "window-sums", unit, "In none of the papers: sums over growing windows are ours."},
        {{all_reduce}, "by-dimensions", unit, "In none of the papers: summing up by dimensions is well known."},
        {{all_reduce},
         "trees-up-and-down",
         unit,
         "In none of the papers: trees that share links evenly come near the number of Nash-Williams and Tutte "
         "(1961)."},
        {{all_reduce},
         "trees-up-and-down-one",
         unit,
         "In none of the papers: the trees share nodes as evenly as they can."},
        {{all_reduce},
         "periodic-trees",
         unit,
         "In none of the papers: rhythms of this kind are known from cyclic scheduling."},
        {{all_reduce},
         "periodic-trees-one",
         unit,
         "In none of the papers: the colouring is Koenig's (1916), the rhythm is known from cyclic scheduling."},
        {{all_reduce}, "spread-twice", unit, "In none of the papers: a spread and its mirror image, ours."},
        {{all_reduce}, "spread-twice-one", unit, "In none of the papers: a spread and its mirror image, ours."},
    };
}

}  // namespace

const std::vector<PaperText>& paper_texts()
{
    static const std::vector<PaperText> all = [] {
        std::vector<PaperText> texts = of_unit_cubes();
        for (auto family : {of_networks, papers_of_link_bound, papers_of_sends_and_matrices})
            std::ranges::move(family(), std::back_inserter(texts));
        return texts;
    }();
    return all;
}

const PaperText& paper_text_of(const Algorithm& algorithm)
{
    return matching(paper_texts(), algorithm);
}

}  // namespace dcube::explain

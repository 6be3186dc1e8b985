#include "explain/texts/texts.hpp"

namespace dcube::explain {

namespace {

using enum Collective;
constexpr LinkKind timed = LinkKind::link_bound;

}  // namespace

std::vector<PaperText> papers_of_link_bound()
{
    return {
        {{broadcast}, "recursive-doubling", timed, "It gives this time."},
        {{broadcast},
         "rotated",
         timed,
         "It gives this time. After stage k a packet fills a subcube of k + 1 dimensions, not of k (errata, 7)."},
        {{broadcast}, "wave", timed, "It gives this time."},
        {{broadcast}, "two-waves", timed, "It gives this time."},
        {{broadcast},
         "pipelined",
         timed,
         "It gives this time; no broadcast with packets of one size is faster. The best g is near g (g + 1) = (d - 1) "
         "tau m/(d beta); the paper takes a real number, dcube a whole one (errata, 14)."},
        {{broadcast},
         "pipelined-pruned",
         timed,
         "Stout & Wagar's BROADCAST 4 makes 232 transmissions with g = 3 on the 4-cube. Only d g (N - 1) = 180 of them "
         "bring something new; to leave out the others is dcube's."},
        {{broadcast},
         "edge-disjoint-trees",
         timed,
         "Johnsson & Ho's, with this time. It is here to be compared with BROADCAST 4."},
        {{broadcast},
         "scatter-all-gather",
         timed,
         "Stout & Wagar have both halves, DISTRIBUTE 2 (section 5) and COMPLETE BROADCAST (section 6). To broadcast by "
         "them is dcube's, in their terms; elsewhere it is well known."},
        {{reduce},
         "pipelined",
         timed,
         "Stout & Wagar have no reduce. This is their BROADCAST 4 backwards, in as much time."},
        {{scatter, gather},
         "farthest-first",
         timed,
         "It gives this time. On the paths of O.C. SEND 2 the inner links have uneven loads, but never more than the "
         "root's (errata, 10). COLLECT, their gather, is it backwards."},
        {{scatter, gather},
         "farthest-first-even",
         timed,
         "Stout & Wagar's DISTRIBUTE 1 with the spreading of O.C. SEND 3 instead of the rotated paths of O.C. SEND 2."},
        {{scatter, gather},
         "waves",
         timed,
         "It gives this time for large m; section 9 proves that then nothing is faster. Their plan of waves has slips "
         "at d = 2, 5 and 10 (errata, 11 and 12). The search among other plans, which shorter messages need, is "
         "dcube's."},
        {{all_gather},
         "rotated",
         timed,
         "It gives this time. A node serves 2^k sources a rotation in stage k, not C(d, k) (errata, 8)."},
        {{reduce_scatter},
         "rotated",
         timed,
         "HISTOGRAM, with this time, where the blocks are each node's share of the counts."},
        {{all_reduce},
         "halving-doubling",
         timed,
         "Stout & Wagar have both halves: HISTOGRAM (section 8) and COMPLETE BROADCAST (section 6), which together are "
         "q = d. q < d, with fewer start-ups, is dcube's."},
        {{all_to_all},
         "rotated",
         timed,
         "Stout & Wagar's COMPLETE EXCHANGE (section 6) spreads each message evenly. Cut in d rotated parts instead it "
         "takes the same time, with simpler paths."},
        {{all_to_all},
         "distribute-everywhere",
         timed,
         "It gives this time. Stage k starts the messages of distance d - k, not k (errata, 9). Section 9 prints the "
         "bytes of one link for those over the cut; the bound holds (errata, 5)."},
        {{permute}, "nothing", timed, "Stout & Wagar mention it in section 9."},
        {{permute},
         "inversion",
         timed,
         "INVERSION is for the complement, where h = d: tau m + d beta. For any other XOR it is dcube's. It completes "
         "O.C. SEND 2, not 1 as the section once says (errata, 9)."},
        {{permute}, "two-exchanges", timed, "PERMUTED SEND, with this time."},
    };
}

std::vector<PaperText> papers_of_sends_and_matrices()
{
    const std::vector<Collective> both{send, exchange};
    constexpr std::string_view corner =
        "It gives this time for opposite corners, h = d. Within the subcube of any two nodes it is the same.";
    return {
        {both, "one-path", timed, corner},
        {both, "rotated-paths", timed, corner},
        {both, "spreading", timed,
         "It gives this time for opposite corners, h = d. K for five dimensions is 13/5; printed is 2 2/3 (errata, "
         "4)."},
        {both, "spreading-groups", timed,
         "It gives this time for opposite corners, h = d. The paper takes g as a real number (errata, 14)."},
        {both, "subcube", timed, "ARBITRARY SEND 1, with this time."},
        {both, "detour", timed, "It gives this time."},
        {both, "detour-groups", timed,
         "It gives this time. Its analysis follows that of O.C. SEND 4, not 2 (errata, 9)."},
        {both, "subcubes", timed,
         "It gives these times. The parallel subcubes begin at the nodes 2^h, .., 2^(d-1); beginning at 2^(h+1), as "
         "printed, there is one too few (errata, 2)."},
        {both, "subcubes-balanced", timed,
         "Stout & Wagar's ARBITRARY SEND 3 divides the message h to d - h. To divide it so that both kinds of subcubes "
         "take equally long is dcube's, and never slower."},
        {{send}, "waves", timed, "It prints h + g - 1 stages; there are h + g + 1, which its times use (errata, 1)."},
        {{send},
         "waves-relabelled",
         timed,
         "Stout & Wagar's ARBITRARY SEND 2 takes h + g + 1 stages. One less, for d <= 2 h, is dcube's."},
        {{matrix_transpose}, "all-to-all", timed, "It gives this time, p bytes for each pair of nodes."},
        {{matrix_quarter_turn}, "all-to-all", timed, "A turn of a matrix stored by rows is a COMPLETE EXCHANGE there."},
        {{matrix_relayout}, "all-to-all", timed, "It is an even exchange only if N^2 divides the rows (errata, 13)."},
        {{matrix_transpose},
         "logical-cubes",
         timed,
         "L.C. INVERSION, with this time. A logical cube also needs the bits fixed in which row and column agree "
         "(errata, 3), and a pipeline needs X >= 2 (errata, 14)."},
        {{matrix_quarter_turn},
         "one-way",
         timed,
         "Stout & Wagar mention turns in section 10. The algorithm is dcube's."},
        {{matrix_quarter_turn},
         "three-to-one",
         timed,
         "Stout & Wagar mention turns in section 10. The algorithm is dcube's, and so is the bound that it nears: 3 "
         "tau m/4 + beta."},
        {{matrix_quarter_turn},
         "two-halves",
         timed,
         "Stout & Wagar mention turns and Gray codes. The algorithm is dcube's, made of their L.C. INVERSION."},
        {{matrix_half_turn}, "inversion", timed, "A half turn is an INVERSION (section 6) there: tau m + d beta."},
    };
}

}  // namespace dcube::explain

#include "explain/texts/texts.hpp"

namespace dcube::explain {

using enum Collective;

std::vector<AlgorithmText> send_texts()
{
    constexpr LinkKind timed = LinkKind::link_bound;
    const std::vector<Collective> both{send, exchange};
    return {
        {.collectives = both,
         .name = "one-path",
         .link = timed,
         .idea = "The whole message along one shortest path, of h links.",
         .time = "h (tau m + beta)"},
        {.collectives = both,
         .name = "rotated-paths",
         .link = timed,
         .idea = "h parts, on h shortest paths that share no link: part i corrects the differing bits i, i + 1, .. in "
                 "turn.",
         .time = "h (tau ceil(m/h) + beta)"},
        {.collectives = both,
         .name = "spreading",
         .link = timed,
         .idea = "All links between the two nodes are used: a node at distance k from the sender joins what has come "
                 "and cuts it again, a part for each of its h - k links ahead. Near the middle there are many links, "
                 "so packets are small there. K is the sum of 1/C(h-1, k).",
         .time = "K tau m/h + h beta"},
        {.collectives = both,
         .name = "spreading-groups",
         .link = timed,
         .idea = "Groups that spread one behind the other: while the first ones are in the middle, the sender's links "
                 "carry the next. K is the sum of 1/C(h-1, k).",
         .time = "(g - 1) (tau m/(h g) + beta) + K tau m/(h g) + h beta"},
        {.collectives = both,
         .name = "subcube",
         .link = timed,
         .idea = "Between any two nodes: groups that spread within the subcube of the h dimensions in which the two "
                 "differ. The other links of the sender stay idle. K is the sum of 1/C(h-1, k).",
         .time = "(g - 1) (tau m/(h g) + beta) + K tau m/(h g) + h beta"},
        {.collectives = both,
         .name = "detour",
         .link = timed,
         .idea = "Through a parallel subcube: one hop out over a dimension in which the two agree, spreading there, "
                 "one hop back. For short distances and long messages a detour pays, because direct links are few. K "
                 "is the sum of 1/C(h-1, k).",
         .time = "(2 h + K) tau m/h + (h + 2) beta"},
        {.collectives = both,
         .name = "detour-groups",
         .link = timed,
         .idea = "Groups that spread in a parallel subcube, one behind the other. The one link out and the one link "
                 "back are what limits. K is the sum of 1/C(h-1, k).",
         .time = "(g - 1) (tau m/g + beta) + (2 h + K) tau m/(h g) + (h + 2) beta"},
        {.collectives = both,
         .name = "subcubes",
         .link = timed,
         .idea = "All d links of the sender: h/d of the message goes within the subcube of the two, 1/d through each "
                 "of the d - h parallel ones. No two of these sends share a link.",
         .said = "A is the time of `subcube` for h/d of the bytes, B that of `detour-groups` for 1/d of them; for each "
                 "the best number of groups is searched"},
        {.collectives = both,
         .name = "subcubes-balanced",
         .link = timed,
         .idea = "The same, divided so that both kinds of subcubes take equally long: the parallel ones are two links "
                 "longer, so they get less.",
         .said =
             "A is the time of `subcube` for the bytes that stay within, B that of `detour-groups` for the share of "
             "one detour; how many bytes stay within is searched"},
        {.collectives = {send},
         .name = "waves",
         .link = timed,
         .idea = "The pipelined broadcast from the sender, stopped when the target has everything: nodes near by have "
                 "it before the others.",
         .said = "Here g is searched: the number of groups, from 1 on, that takes least time; for h > d - 2 it ends as "
                 "BROADCAST 4 does"},
        {.collectives = {send},
         .name = "waves-relabelled",
         .link = timed,
         .idea = "The same, with a last wave of what the target lacks: the packets for it take the places of packets "
                 "that come early.",
         .time = "(h + g) (tau ceil(m/(d g)) + beta)"},
        {.collectives = {send, exchange, permute},
         .name = "shortest-paths",
         .link = LinkKind::unit,
         .idea = "Every packet goes on a shortest path, over the links that have been chosen least so far. In every "
                 "step each link carries the packet that has the longest path still to go. It works on every network; "
                 "on few packets over short distances detours could be faster, and it takes none.",
         .said = "there is no closed form: as many as the schedule has that is made"},
        {.collectives = {send, exchange, permute},
         .name = "shortest-paths-one",
         .link = LinkKind::unit,
         .idea = "With one port: every packet goes on a shortest path, by the senders that have been chosen least so "
                 "far; in every step the packets with the longest paths still to go choose first.",
         .said = "there is no closed form: as many as the schedule has that is made"},
    };
}

std::vector<AlgorithmText> matrix_texts()
{
    constexpr LinkKind timed = LinkKind::link_bound;
    const std::vector<Collective> all{matrix_transpose, matrix_quarter_turn, matrix_half_turn, matrix_relayout};
    return {
        {.collectives = all,
         .name = "shortest-paths",
         .link = LinkKind::unit,
         .idea = "All that one node has for another goes as one packet on a shortest path, and links are chosen so "
                 "that they have equal shares. In this model a packet is as large as it needs to be.",
         .said = "there is no closed form: as many as the schedule has that is made"},
        {.collectives = all,
         .name = "shortest-paths-one",
         .link = LinkKind::unit,
         .idea = "With one port: all that one node has for another goes as one packet on a shortest path.",
         .said = "there is no closed form: as many as the schedule has that is made"},
        {.collectives = {matrix_transpose, matrix_quarter_turn, matrix_relayout},
         .name = "all-to-all",
         .link = timed,
         .idea = "Stored by rows, a matrix that is turned is a total exchange: every pair of nodes exchanges what it "
                 "has to, in d stages, by COMPLETE EXCHANGE in its rotated form. p is the bytes of a pair, m/N.",
         .time = "2^(d - 1) tau p + d beta"},
        {.collectives = {matrix_transpose},
         .name = "logical-cubes",
         .link = timed,
         .idea = "Node (a, b) sends to (b, a): in every position where a and b differ two bits have to change, so on "
                 "average half of the bits do. The two paths of two hops, one through a node that has nothing of its "
                 "own to send there, make one logical link of a smaller cube, on which X packets follow each other.",
         .said =
             "Here X is searched: the smallest number of packets from 2 c on with X (X + 1) >= tau m/(2 beta); or c of "
             "them, which then cannot follow each other in every stage, if that is faster"},
        {.collectives = {matrix_quarter_turn},
         .name = "one-way",
         .link = timed,
         .idea =
             "In each position the pair of bits of (a, b) goes round a cycle of four nodes, one step forward. All "
             "messages make these hops forward, position after position, and the links backward are idle. c is d/2.",
         .time = "tau m + c beta"},
        {.collectives = {matrix_quarter_turn},
         .name = "three-to-one",
         .link = timed,
         .idea = "One hop forward round a cycle of four is three hops back. So a quarter of each message goes three "
                 "hops back, while three quarters go one hop forward: both directions carry 3/4 m. c is d/2.",
         .time = "3 tau m/4 + 3 c beta"},
        {.collectives = {matrix_quarter_turn},
         .name = "two-halves",
         .link = timed,
         .idea = "With Gray-coded submatrices a quarter turn is a transpose and a turn of the top position. One half "
                 "of each message does them in one order, the other half in the other.",
         .said = "The time is that of two stretches, each as long as the slower half of the message: three packets of "
                 "m/8 for the turn, or the transpose of m/2 bytes in the c "
                 "other positions, with X packets a link, searched as in `logical-cubes`"},
        {.collectives = {matrix_half_turn},
         .name = "inversion",
         .link = timed,
         .idea = "Every node has one partner, the same XOR away: a permutation n -> n ^ D, done as INVERSION, a part "
                 "over each rotation of the h dimensions of D.",
         .time = "h (tau ceil(m/h) + beta)"},
    };
}

}  // namespace dcube::explain

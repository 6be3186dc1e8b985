#include "explain/texts/texts.hpp"

namespace dcube::explain {

using enum Collective;

std::vector<AlgorithmText> link_bound_texts()
{
    constexpr LinkKind timed = LinkKind::link_bound;
    return {
        {.collectives = {broadcast},
         .name = "recursive-doubling",
         .link = timed,
         .idea = "The whole message, link by link: every stage doubles the subcube that has it. Simple, and the links "
                 "of d - 1 dimensions are idle in every stage.",
         .time = "d (tau m + beta)"},
        {.collectives = {broadcast},
         .name = "rotated",
         .link = timed,
         .idea = "Cut the message in d parts. Part i doubles as the whole did, but over the dimensions i, i + 1, .. in "
                 "turn, so in every stage each part has a dimension of its own. As many start-ups as before, a d-th of "
                 "the bytes.",
         .time = "d (tau ceil(m/d) + beta)"},
        {.collectives = {broadcast},
         .name = "wave",
         .link = timed,
         .idea = "Only the nodes of level k, those with k 1 bits, send in stage k, and on all their links: a wave that "
                 "runs through the cube. It takes a stage more than `rotated`, but the levels behind it are free for "
                 "the next wave.",
         .time = "(d + 1) (tau ceil(m/d) + beta)"},
        {.collectives = {broadcast},
         .name = "two-waves",
         .link = timed,
         .idea = "When d stages of a wave are over, each part is missing at one node only, which would have got it in "
                 "the last stage. A second wave, one stage behind and relabelled by one, brings it there in time.",
         .time = "d (tau ceil(m/d) + beta)"},
        {.collectives = {broadcast},
         .name = "pipelined",
         .link = timed,
         .idea = "Waves a stage apart: the message is cut in g groups of d packets, group q starts in stage q, and the "
                 "last one is followed by the second wave. More groups make a stage shorter and cost a stage each; the "
                 "best g is near g (g + 1) = (d - 1) tau m/(d beta).",
         .time = "(d + g - 1) (tau ceil(m/(d g)) + beta)"},
        {.collectives = {broadcast},
         .name = "pipelined-pruned",
         .link = timed,
         .idea = "BROADCAST 4 sends packets that bring nothing new: those that enter the root, and most of the last "
                 "wave. Without them every node receives each packet once, in the same time.",
         .time = "(d + g - 1) (tau ceil(m/(d g)) + beta)"},
        {.collectives = {broadcast},
         .name = "edge-disjoint-trees",
         .link = timed,
         .idea = "d binomial trees that share no directed link: the i-th of d shares goes down tree i, in g packets a "
                 "stage apart. Here for comparison: BROADCAST 4 is a stage shorter for every g.",
         .time = "(d + g) (tau ceil(m/(d g)) + beta)"},
        {.collectives = {broadcast},
         .name = "scatter-all-gather",
         .link = timed,
         .idea = "Scatter N parts of the message, then all-gather them. It moves about 2 m/d bytes over a link, which "
                 "is more than needed, but with few start-ups: best for messages of medium size on cubes of six "
                 "dimensions and more.",
         .said = "Here p is the bytes of a node's part, m/N; S is the time of `waves`, the scatter, of such parts, for "
                 "which the waves are searched"},
        {.collectives = {reduce},
         .name = "pipelined",
         .link = timed,
         .idea = "BROADCAST 4 backwards: what a node would receive in stage k it sends in stage d + g - 2 - k, with "
                 "all that it has added to it by then. Packets are whole elements of e bytes.",
         .time = "(d + g - 1) (tau e ceil(m/(d g e)) + beta)"},
        {.collectives = {scatter, gather},
         .name = "farthest-first",
         .link = timed,
         .idea = "Every message is cut in parts that take rotated paths, so that the root's links have equal shares. "
                 "The farthest messages leave first, and all that is due on a link in a stage goes as one packet: d "
                 "start-ups. Gather is that backwards.",
         .time = "(N - 1) tau m/d + d beta"},
        {.collectives = {scatter, gather},
         .name = "farthest-first-even",
         .link = timed,
         .idea = "The same with every message spread evenly over its subcube, so that inner links have equal loads "
                 "too. The time is the same, because the root's links decide.",
         .time = "(N - 1) tau m/d + d beta"},
        {.collectives = {scatter, gather},
         .name = "waves",
         .link = timed,
         .idea = "Fewer start-ups: several classes of messages, by distance, leave the root in one packet, and are "
                 "handed on in smaller ones while the root goes on. Which classes share a wave is chosen so that the "
                 "run is shortest: \"432|1\" sends those of distance 4, 3 and 2 together, then the neighbours'.",
         .said = "Here k is the number of waves, the smallest with d (1 + (d-1) + .. + (d-1)^(k-1)) >= N - 1; which "
                 "messages share a wave is searched, farthest ones first"},
        {.collectives = {all_gather},
         .name = "rotated",
         .link = timed,
         .idea = "All nodes run BROADCAST 2 at once. In stage k a link carries the parts of 2^k messages as one "
                 "packet: what partners have doubles from stage to stage.",
         .time = "(N - 1) tau m/d + d beta"},
        {.collectives = {reduce_scatter},
         .name = "rotated",
         .link = timed,
         .idea = "The all-gather backwards: in each stage a node hands over its sums of the blocks whose nodes lie "
                 "across the link, half of what it still has, and adds what comes. A histogram is counted so: every "
                 "node ends with the counts of its share of the bins.",
         .time = "(N - 1) tau m/d + d beta"},
        {.collectives = {all_reduce},
         .name = "halving-doubling",
         .link = timed,
         .idea = "In each of d rotations: q halvings, in which a node hands over half of what it is responsible for; d "
                 "- q full exchanges of the rest; q doublings that bring the halves back. Large q moves few bytes, "
                 "small q has few start-ups.",
         .time = "2 (1 - 1/2^q) tau m/d + (d - q) tau m/(d 2^q) + (d + q) beta"},
        {.collectives = {all_to_all},
         .name = "rotated",
         .link = timed,
         .idea = "Every message is cut in d parts, and part i corrects the address bits i, i + 1, .. in turn. In every "
                 "stage a link carries 2^(d-1) parts as one packet: all links are full, with d start-ups.",
         .time = "2^(d - 1) tau m + d beta"},
        {.collectives = {all_to_all},
         .name = "distribute-everywhere",
         .link = timed,
         .idea = "Every node is the root of a farthest-first scatter, all at once: in stage k the messages of distance "
                 "d - k start. By symmetry all links have equal loads in every stage.",
         .time = "2^(d - 1) tau m + d beta"},
        {.collectives = {permute},
         .name = "nothing",
         .link = timed,
         .idea = "The identity moves nothing, and takes no time.",
         .time = "0"},
        {.collectives = {permute},
         .name = "inversion",
         .link = timed,
         .idea = "Every node n sends to n ^ D. A part of every message goes over each rotation of the h dimensions of "
                 "D: all nodes send at once, and in every stage each link of those dimensions carries one part.",
         .time = "h (tau ceil(m/h) + beta)"},
        {.collectives = {permute},
         .name = "two-exchanges",
         .link = timed,
         .idea =
             "A permutation can want all its messages over a few links. So each message is scattered over all nodes, a "
             "packet to each, and collected from there: two all-to-alls of m/N bytes, which never meet a bottleneck.",
         .time = "tau m + 2 d beta"},
    };
}

}  // namespace dcube::explain

#include "explain/texts/texts.hpp"

namespace dcube::explain {

using enum Collective;

std::vector<AlgorithmText> network_texts()
{
    constexpr LinkKind unit = LinkKind::unit;
    constexpr std::string_view planned = "there is no closed form: as many as the schedule has that is made";
    return {
        {.collectives = {broadcast},
         .name = "shortest-paths",
         .link = unit,
         .idea =
             "Every packet goes down a tree of shortest paths, one behind the other, and the trees share links evenly. "
             "A packet takes one tree, so with many packets some of the root's links may have less to do than others.",
         .said = planned},
        {.collectives = {broadcast},
         .name = "shortest-paths-one",
         .link = unit,
         .idea = "With one port: every packet down a tree of shortest paths, and in every step the packets with the "
                 "longest paths still to go choose first.",
         .said = planned},
        {.collectives = {reduce},
         .name = "shortest-paths",
         .link = unit,
         .idea = "The broadcast on shortest paths read backwards, with sums on the paths.",
         .said = planned},
        {.collectives = {reduce},
         .name = "shortest-paths-one",
         .link = unit,
         .idea = "The one-port broadcast on shortest paths read backwards, with sums on the paths.",
         .said = planned},
        {.collectives = {scatter},
         .name = "shortest-paths",
         .link = unit,
         .idea = "Shortest paths that share the root's links evenly; the packets with the farthest to go leave first.",
         .said = planned},
        {.collectives = {scatter},
         .name = "shortest-paths-one",
         .link = unit,
         .idea = "The root sends a packet in every step, the one with the farthest to go first, on shortest paths.",
         .said = planned},
        {.collectives = {gather},
         .name = "shortest-paths",
         .link = unit,
         .idea = "The scatter on shortest paths read backwards: the root's inbox limits.",
         .said = planned},
        {.collectives = {gather},
         .name = "shortest-paths-one",
         .link = unit,
         .idea = "The one-port scatter read backwards: one packet reaches the root in every step.",
         .said = planned},
        {.collectives = {all_gather},
         .name = "shortest-paths",
         .link = unit,
         .idea = "A tree of shortest paths from every node, all at once; on each link the packet with the longest path "
                 "still to go comes first. On Cayley graphs one node's schedule, translated, is everybody's.",
         .said = planned},
        {.collectives = {all_gather},
         .name = "shortest-paths-one",
         .link = unit,
         .idea = "With one port: a tree of shortest paths from every node, the longest paths first.",
         .said = planned},
        {.collectives = {reduce_scatter},
         .name = "shortest-paths",
         .link = unit,
         .idea = "The all-gather on shortest paths read backwards, with sums on the paths.",
         .said = planned},
        {.collectives = {reduce_scatter},
         .name = "shortest-paths-one",
         .link = unit,
         .idea = "The one-port all-gather on shortest paths read backwards, with sums on the paths.",
         .said = planned},
        {.collectives = {all_reduce},
         .name = "shortest-paths",
         .link = unit,
         .idea = "Every block is reduced to one node along a tree of shortest paths, and spread from there, all blocks "
                 "side by side: the fewest transmissions there can be.",
         .said = planned},
        {.collectives = {all_reduce},
         .name = "shortest-paths-one",
         .link = unit,
         .idea = "With one port: every block is reduced to one node and spread from there, all side by side.",
         .said = planned},
        {.collectives = {broadcast, all_gather},
         .name = "spread",
         .link = unit,
         .idea = "In every step a matching of packets with links decides what each node receives: as much as its "
                 "links can bring, and of what it lacks those packets that the fewest nodes have or are about to "
                 "have. Ties are broken at random, with fixed seeds; the best of several tries is taken.",
         .said = planned},
        {.collectives = {broadcast, all_gather},
         .name = "spread-one",
         .link = unit,
         .idea = "With one port: in every step senders are matched with receivers, those first who hold a packet that "
                 "nobody else has; then each sends what the fewest nodes have of what its receiver lacks.",
         .said = planned},
        {.collectives = {reduce, reduce_scatter},
         .name = "spread",
         .link = unit,
         .idea = "Packets that spread to all nodes, the rarest first, read backwards, with sums on the paths.",
         .said = planned},
        {.collectives = {reduce, reduce_scatter},
         .name = "spread-one",
         .link = unit,
         .idea = "The one-port spread of packets, the rarest first, read backwards, with sums on the paths.",
         .said = planned},
        {.collectives = {send, exchange},
         .name = "quickest-flow",
         .link = unit,
         .idea = "A flow of the most packets that can be there in time, taken apart into paths that share no link; "
                 "on each, packets start in every step from which they still arrive. An exchange uses the same paths "
                 "both ways.",
         .said = "the least T such that max(0, T - l + 1), added up over the lengths l of successive shortest "
                 "augmenting paths, is m or more"},
        {.collectives = {send},
         .name = "single-path-one",
         .link = unit,
         .idea = "All packets one behind the other on one shortest path: with one port the last leaves in step m.",
         .said = "m packets over a distance of h hops take m + h - 1 steps"},
        {.collectives = {exchange},
         .name = "two-paths-one",
         .link = unit,
         .idea = "Each message on a path of its own, two paths without a common inner node; where there are none, "
                 "both on one shortest path, in turns.",
         .said = "m + l - 1 with paths of l hops at most, or 2m - 2 + h (h odd) and 2m - 1 + h (h even) in turns"},
        {.collectives = {scatter},
         .name = "unrolled-flow",
         .link = unit,
         .idea = "A scatter in T steps is a flow in the network unrolled in time, with a copy of every node for every "
                 "step, that brings each node its packets by step T. The least T that has such a flow is taken.",
         .said = "the least T with a flow that brings every node its packets in time"},
        {.collectives = {gather},
         .name = "unrolled-flow",
         .link = unit,
         .idea = "The scatter by a flow in the network unrolled in time, read backwards.",
         .said = "the least T with a flow that brings every node its packets in time"},
        {.collectives = {scatter},
         .name = "farthest-first-one",
         .link = unit,
         .idea = "The root sends a packet in every step down a tree of shortest paths, those for the farthest nodes "
                 "first.",
         .said = "the largest of m n_k + k - 1, where n_k nodes are k hops away or farther"},
        {.collectives = {gather},
         .name = "farthest-first-one",
         .link = unit,
         .idea = "The one-port scatter, the farthest first, read backwards: the nearest nodes' packets come first.",
         .said = "the largest of m n_k + k - 1, where n_k nodes are k hops away or farther"},
        {.collectives = {all_to_all, permute},
         .name = "priced-routes",
         .link = unit,
         .idea = "Every packet takes the cheapest path where links cost more the more they have to carry, in rounds "
                 "of rising prices; then, in every step, each link sends the packet with the most still to come on "
                 "its way.",
         .said = planned},
        {.collectives = {all_to_all, permute, exchange},
         .name = "priced-routes-one",
         .link = unit,
         .idea = "With one port the prices are those of sending and receiving nodes; then, in every step, the nodes "
                 "with the most left to send or receive are matched first.",
         .said = planned},
        {.collectives = {all_reduce},
         .name = "window-sums",
         .link = unit,
         .idea = "On a ring every node keeps the sum of the window that ends with itself and of the one that begins "
                 "there. Both grow by a node a step, and meet on the other side.",
         .said = "floor(n/2) steps a block, the diameter"},
        {.collectives = {all_reduce},
         .name = "by-dimensions",
         .link = unit,
         .idea = "Factor by factor: a block is summed up in all copies of one factor at once, then of the next one. "
                 "As many blocks as there are factors go side by side, each in a cyclic order of its own.",
         .said = "the factors' steps added up, for a block in each factor"},
        {.collectives = {all_reduce},
         .name = "trees-up-and-down",
         .link = unit,
         .idea = "Every block has a spanning tree: partial sums go up to its centre and the result comes down, all "
                 "blocks side by side, on trees that share the links evenly. Earlier blocks go first.",
         .said = planned},
        {.collectives = {all_reduce},
         .name = "trees-up-and-down-one",
         .link = unit,
         .idea = "With one port: a spanning tree for every block, trees that share the nodes evenly; in every step the "
                 "nodes with the most left to do are matched first.",
         .said = planned},
        {.collectives = {all_reduce},
         .name = "periodic-trees",
         .link = unit,
         .idea = "A few spanning trees whose moves repeat in a rhythm as long as the largest load of a link; every "
                 "block takes the next tree, a period after the last one that did.",
         .said = planned},
        {.collectives = {all_reduce},
         .name = "periodic-trees-one",
         .link = unit,
         .idea = "With one port the moves of a period are coloured as edges between senders and receivers, a colour a "
                 "step; every block takes the next tree, a period after the last one that did.",
         .said = planned},
        {.collectives = {all_reduce},
         .name = "spread-twice",
         .link = unit,
         .idea = "All blocks spread from different nodes, or pairs of neighbours, at once, the rarest first. Read "
                 "backwards that sums every block up at its centre, and then the sums spread.",
         .said = "twice the steps of the spread, and one more where centres are pairs"},
        {.collectives = {all_reduce},
         .name = "spread-twice-one",
         .link = unit,
         .idea = "The one-port spread of all blocks from different nodes, read backwards to sum them up, then "
                 "forwards.",
         .said = "twice the steps of the spread, and one more where centres are pairs"},
        {.collectives = {all_to_all},
         .name = "row-by-row",
         .link = unit,
         .idea = "The slow reference: carry one message of every node a row at a time along the other factors, so that "
                 "what the nodes of a row hold is for one row; then exchange in the first factor.",
         .said = "A is the first factor, B the product of the others; T_A is what A takes alone, S_B the sum of all "
                 "distances in B"},
        {.collectives = {all_to_all},
         .name = "factor-by-factor",
         .link = unit,
         .idea = "One factor after the other, a batch at a time: a batch is a total exchange in every copy of the last "
                 "factors; then exchanges in the copies of the first one. On Cayley graphs every step is a permutation "
                 "of the nodes, so it meets L1; on paths the middle node limits.",
         .said = "T_i is what factor i takes alone, n_i its number of nodes"},
        {.collectives = {all_to_all},
         .name = "mixed-routes",
         .link = unit,
         .idea = "One fixed order of the factors overloads the centre of a mesh. Here packets choose among shortest "
                 "paths so that loads are even, and each step is filled by a matching of senders with receivers that "
                 "serves first the nodes with most left to do. A search, bounded by work.",
         .said = planned},
        {.collectives = {all_to_all},
         .name = "edge-colouring",
         .link = unit,
         .idea = "All nodes act alike, so schedule one. A class, all packets of one offset, is a job; a generator (a "
                 "direction round a ring, a neighbour in a complete graph) is a machine; hops commute, so any order "
                 "will do: an open shop. Its operations are the edges of a bipartite graph, which can be coloured with "
                 "as many colours as the busiest machine has operations (Koenig). Colour = step.",
         .said = "Every term is how many hops of all classes together each port of one factor has: of a complete graph "
                 "N/n_i, of a ring half of its hops each way"},
        {.collectives = {all_to_all},
         .name = "class-matching",
         .link = unit,
         .idea = "On products of Cayley graphs schedule one node: in every step classes are matched to the generators "
                 "that bring them nearer, those with most hops left first. A search, compared with the bounds; nothing "
                 "is promised.",
         .said = planned},
        {.collectives = {all_to_all},
         .name = "digit-rounds",
         .link = unit,
         .idea = "All copies of all factors run their own exchange, round after round. In which round a class moves in "
                 "a factor is told by its other offsets, digit by digit, such that no class is in two factors at once "
                 "and no two classes share a place.",
         .said = "T_i is what factor i takes alone, n_i its number of nodes, here the same for all: N/n_i rounds, each "
                 "as long as the largest T_i"},
        {.collectives = {all_to_all},
         .name = "homogeneous",
         .link = unit,
         .idea = "Equal factors in two halves that exchange side by side; from round to round they rotate what they "
                 "exchange, so that both are always busy with different classes.",
         .said = "T_i is what factor i takes alone, n_i its number of nodes, here the same for all: N/n_i rounds, each "
                 "as long as the largest T_i"},
        {.collectives = {all_to_all},
         .name = "interleaved",
         .link = unit,
         .idea = "Two factors of any sizes, in rounds side by side: a class moves in one factor in a round that is "
                 "over before its round in the other begins, or the other way round, and the last rounds wrap over. "
                 "More factors are taken two at a time. Of a single factor it is that factor's own exchange.",
         .said = "T_i is what factor i takes alone, n_i its number of nodes"},
        {.collectives = {all_to_all},
         .name = "grouped",
         .link = unit,
         .idea = "Interleaved, with all rings and complete graphs taken together as one factor that is done optimally "
                 "by edge colouring: a ring of 6 takes 5 steps where its cut says 4.5, and a product must not pay for "
                 "that rounding again and again.",
         .said = "G is the group of all rings and complete graphs, whose n_G nodes take T_G by edge colouring; T_i is "
                 "what factor i takes alone, n_i its number of nodes"},
        {.collectives = {all_to_all},
         .name = "farthest-first",
         .link = unit,
         .idea = "The usual greedy rule, for comparison: in every step every node gives each link the packet that has "
                 "most hops left. Nearly good, seldom optimal: 5 steps where 4 suffice on the 3-cube.",
         .said = planned},
    };
}

}  // namespace dcube::explain

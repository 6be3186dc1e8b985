#include "explain/texts/texts.hpp"

namespace dcube::explain {

namespace {

using enum Collective;

constexpr CollectiveText texts[] = {
    {broadcast,
     "One node, the root, has a message that all others need. Whoever has a packet can pass it on, so the number of "
     "nodes that have it can double in every step; and no packet is sooner anywhere than its distance from the root.",
     "Idle links are no waste: one packet on the 3-cube is broadcast optimally with 7 of 72 slots used. All ports do "
     "not make one packet faster: distance limits it. And the binomial tree is not the best for many packets, one "
     "after the other."},
    {reduce,
     "Every node has a share, and the root needs their sum. It is broadcast read backwards: where a packet was copied, "
     "sums are added.",
     "A share that is sent twice, to be safe, is counted twice."},
    {scatter,
     "The root has a different message for every node. They all leave by its links, so these must never pause, and the "
     "farthest must leave first.",
     "Nearest first is not kinder: the last packet then still has the farthest to go. And a binomial tree will not do: "
     "one of its subtrees has half of all nodes."},
    {gather,
     "The root needs a different message from every node. It is scatter read backwards: the root's inbox is what "
     "limits.",
     "More links elsewhere help nothing: all packets enter by the root's own."},
    {all_gather,
     "Every node has a message that all others need: N broadcasts at once. Every node must receive N - 1 messages by "
     "its links.",
     "The N trees need not be free of common links, only of common links in the same step; and not every broadcast "
     "tree can be run from all roots at once: recursive doubling uses one port a step, and takes N - 1."},
    {reduce_scatter,
     "Every node has a share of N blocks, and each node needs the sum of one block. It is all-gather read backwards.",
     "Adding does not make fewer packets than all-gather: a node's share of each of the N - 1 blocks of others must "
     "leave it."},
    {all_reduce,
     "Every node needs the sum of all nodes' vectors. Few blocks are exchanged over every dimension in turn; many are "
     "summed up at one node each and spread again.",
     "Reduce, then broadcast takes 2d steps for one block where d are enough. And full links prove nothing: exchanging "
     "keeps them busy with d N packets a block where 2 (N - 1) would do."},
    {all_to_all,
     "Every node has a different message for every other one. Half of all messages must cross each dimension, and that "
     "cut decides, not the diameter.",
     "Shortest paths with the farthest first are not enough: 5 steps instead of 4 on the 3-cube. And all links busy is "
     "a proof only together with shortest paths."},
    {send, "One node has a message for one other. Its packets can take several paths side by side.",
     "A send to a neighbour should not only use its link: for long messages detours win."},
    {exchange, "Two nodes each have a message for the other. The two directions of a link do not disturb each other.",
     "It takes no longer than one send."},
    {permute,
     "Every node has a message for one node, and each node gets one. How long it takes depends on how many messages "
     "want the same links.",
     "Short paths do not make a permutation cheap: a reflection needs as long as the inversion, whose paths are the "
     "longest."},
    {matrix_transpose,
     "A matrix is spread over the nodes, and element (r, c) goes to (c, r). Stored by rows this is a total exchange; "
     "stored by submatrices every node has one partner.",
     "Whole blocks on shortest paths leave half of the links idle: on average only half of the bits differ."},
    {matrix_quarter_turn,
     "Element (r, c) goes to (c, rows - 1 - r): the matrix is turned by a quarter. Stored by submatrices, in each "
     "position the pair of bits of a node's row and column goes round a cycle of four.",
     "Going one way round leaves the links backward idle: for large blocks a quarter of them should go back."},
    {matrix_half_turn,
     "Element (r, c) goes to (rows - 1 - r, columns - 1 - c): every node has one partner, the same XOR away.",
     "It is an inversion, not two quarter turns."},
    {matrix_relayout,
     "Element (r, c) stays where it is in the matrix, but its row goes to another node: from blocks of rows to striped "
     "rows, or back.",
     "It is an even exchange only if the square of the number of nodes divides the rows."},
};

}  // namespace

std::span<const CollectiveText> collective_texts()
{
    return texts;
}

}  // namespace dcube::explain

#include "explain/texts/texts.hpp"

namespace dcube::explain {

using enum Collective;

std::vector<AlgorithmText> unit_cube_texts()
{
    return {
        {{broadcast},
         "recursive-doubling",
         LinkKind::unit,
         "Every node that has the packet informs a new neighbour in every step, all of them over the same dimension. "
         "So the nodes that are informed are a subcube, and every step doubles it. Every node receives exactly once: N "
         "- 1 transmissions are enough. One port or all, it is the same run: distance limits it, not the ports.",
         "d",
         "N - 1"},
        {{broadcast},
         "pipelined",
         LinkKind::unit,
         "One port. A new packet leaves the root in every step, and in step t all nodes talk over dimension t mod d, "
         "so a node meets one partner. Packet b doubles its holders over the next dimensions among the nodes whose bit "
         "b mod d is 1, and crosses to the others when that dimension's turn comes again. The last packet does not "
         "wait for that: it takes the places of packets that do not exist.",
         "m + d - 1",
         "m (N - 1)"},
        {{broadcast},
         "pipelined-trees",
         LinkKind::unit,
         "d trees that share no link: packet i mod d goes down tree i, and the next d packets follow one step behind. "
         "In tree i a node x with bit i is reached in stage |x| - 1, a node without it over dimension i in stage |x| + "
         "1. So each link belongs to one tree and one stage, and groups can follow each other without meeting.",
         "ceil(m/d) + d - 1",
         "m (N - 1)"},
        {{broadcast},
         "independent-trees",
         LinkKind::unit,
         "Every packet goes down all of d trees: tree t leads to node v by flipping dimension t first and the other 1 "
         "bits of v in cyclic order from t on, and flips t back in the end where v lacks it. The d paths to a node "
         "share no inner node and no link, so d - 1 links or nodes may fail, in any step and unknown to all: a copy "
         "comes. Each link is in one tree, so all trees run at once, a packet in each step.",
         "m + min(1, d - 1) d",
         "m d (N - 1)"},
        {{reduce},
         "pipelined",
         LinkKind::unit,
         "The pipelined broadcast read backwards: what was copied on is now added up. A node adds what has come to its "
         "own share and hands the sum over once. Sending a share twice, to be safe, would count it twice.",
         "m + d - 1",
         "m (N - 1)"},
        {{reduce},
         "pipelined-trees",
         LinkKind::unit,
         "The broadcast in d trees read backwards: leaves send first, every node adds what has come to its own share "
         "and hands the sum over once. Block i mod d is summed up in tree i.",
         "ceil(m/d) + d - 1",
         "m (N - 1)"},
        {{scatter},
         "farthest-first",
         LinkKind::unit,
         "The root sends a packet in every step, the one with the farthest to go first, along a tree of shortest "
         "paths. What a node at distance h receives in step t left the root in step t - h + 1, so no two packets meet; "
         "and a packet with h hops to go has its h - 1 nearer ones behind it, so it is there in time.",
         "m (N - 1)",
         "m d 2^(d - 1)"},
        {{scatter},
         "balanced-tree",
         LinkKind::unit,
         "What limits is the root: N - 1 packets and d links. So every packet goes down a tree of shortest paths whose "
         "d subtrees are as equal as can be, and each link of the root sends its subtree's packets without a pause, "
         "the farthest first. In a binomial tree one subtree has half of all nodes. Nodes that are rotations of each "
         "other are dealt out to the ports one by one, which makes the subtrees equal.",
         "ceil(m (N - 1)/d)",
         "m d 2^(d - 1)"},
        {{gather},
         "nearest-first",
         LinkKind::unit,
         "Scatter farthest-first read backwards: the nearest nodes' packets reach the root first, the farthest ones' "
         "last, one in every step.",
         "m (N - 1)",
         "m d 2^(d - 1)"},
        {{gather},
         "balanced-tree",
         LinkKind::unit,
         "The scatter in d equal subtrees read backwards: every link into the root is busy in every step but perhaps "
         "the first. The root's inbox is what limits.",
         "ceil(m (N - 1)/d)",
         "m d 2^(d - 1)"},
        {{all_gather},
         "recursive-doubling",
         LinkKind::unit,
         "Partners over port k swap all that they have: 1 packet over port 0, 2 over port 1, 4 over port 2. After port "
         "k every node has the packets of its subcube of 2^(k+1) nodes: 1 + 2 + 4 + .. = N - 1 steps.",
         "m (N - 1)",
         "m N (N - 1)"},
        {{all_gather},
         "rotated-trees",
         LinkKind::unit,
         "One broadcast tree for root 0, with a step for every link; the same tree XORed with r for every root r, all "
         "N at once. Two roots could meet on a link only if root 0's tree used two links of the same port in one step. "
         "So the nodes are numbered such that any d in a row have d different ports, and every parent comes in an "
         "earlier step: level by level, rotations side by side.",
         "ceil(m (N - 1)/d)",
         "m N (N - 1)"},
        {{reduce_scatter},
         "recursive-halving",
         LinkKind::unit,
         "All-gather by recursive doubling read backwards: over the highest port every node hands over its sums of the "
         "half of the blocks that belongs to the other side, adds what comes, and goes on with the half that is left.",
         "m (N - 1)",
         "m N (N - 1)"},
        {{reduce_scatter},
         "rotated-trees",
         LinkKind::unit,
         "The optimal all-gather read backwards: block r is summed up along the tree of root r, and all N trees run at "
         "once without meeting. Adding does not save packets: as many move as in all-gather.",
         "ceil(m (N - 1)/d)",
         "m N (N - 1)"},
        {{all_reduce},
         "exchange-one-port",
         LinkKind::unit,
         "Partners over port k send each other their sums and both add, for k = 0, 1, .., d - 1. After port k every "
         "node has the sum of its subcube. It is fast and not frugal: all nodes do all the work at once.",
         "m d",
         "m d N"},
        {{all_reduce},
         "exchange",
         LinkKind::unit,
         "As with one port, but d blocks at a time: block b begins at dimension b and goes round from there, so in "
         "every step each of the d blocks has a port of its own. Full links prove nothing here: they carry d N packets "
         "a block where 2 (N - 1) would do.",
         "d ceil(m/d)",
         "m d N"},
        {{all_reduce},
         "halving-doubling",
         LinkKind::unit,
         "Each node is made responsible for a share of the blocks: reduce-scatter by recursive halving brings it their "
         "sums, all-gather by recursive doubling spreads them again.",
         "2 ceil(m/N) (N - 1)",
         "2 m (N - 1)"},
        {{all_reduce},
         "reduce-scatter-all-gather",
         LinkKind::unit,
         "The optimal reduce-scatter, then the optimal all-gather: every block is summed up at one node and spread "
         "from there. It makes the fewest transmissions there can be. Where (N - 1) mod d is small, d - 1 ports are "
         "idle twice: in the first step of the one and the last step of the other.",
         "2 ceil(ceil(m/N) (N - 1)/d)",
         "2 m (N - 1)"},
        {{all_reduce},
         "two-centre",
         LinkKind::unit,
         "Reduce-scatter followed by all-gather leaves ports idle twice. So each block gets two neighbouring centres "
         "instead of one home: it is gathered to both in q - 1 steps, q = ceil((N - 1)/d); in step q they exchange "
         "what they have; then it is spread in q - 1 steps. Nothing meets: links fall in two halves by the parity of "
         "two bits of their start, and the table of one block uses each (step, half, port) at most once.",
         "2 ceil((N - 1)/d) - 1",
         "2 m (N - 1)"},
        {{all_reduce},
         "two-kinds",
         LinkKind::unit,
         "Reduce-scatter followed by all-gather leaves ports idle twice. So blocks of two kinds overlap: each block is "
         "summed up at its own node, but one kind begins to spread a step before the other is gathered. The gathering "
         "of "
         "each kind is the mirror image of the other's spreading, with some ports swapped, so that the step in which "
         "both "
         "happen uses different ports. Links fall in two halves by the parity of some bits of their start, and the "
         "table "
         "uses each (step, half, port) at most once.",
         "2 ceil((N - 1)/d) - 1",
         "2 m (N - 1)"},
        {.collectives = {all_reduce},
         .name = "fold-one",
         .link = LinkKind::unit,
         .idea =
             "Between exchanging whole vectors and halving them all the way down. Over the first j dimensions partners "
             "share out what they have: each sends one half and adds to the other. Over the rest they swap all that is "
             "left and add, and then the halves go back. Halving saves packets, swapping saves steps.",
         .said = "The least over j of 2 (ceil(m/2) + ceil(m/4) + .. + ceil(m/2^j)) + (d - j) ceil(m/2^j) steps, and m "
                 "(2 (N "
                 "- N/2^j) + (d - j) N/2^j) transmissions."},
        {.collectives = {all_reduce},
         .name = "fold",
         .link = LinkKind::unit,
         .idea =
             "The one-port algorithm with d lists of blocks side by side: list c begins at dimension c and goes round "
             "from there, and a phase lasts as long in all lists, so in every step each list has a port of its own.",
         .said = "The least over j of 2 (ceil(M/2) + ceil(M/4) + .. + ceil(M/2^j)) + (d - j) ceil(M/2^j) steps, M = "
                 "ceil(m/d), and m (2 (N - N/2^j) + (d - j) N/2^j) transmissions."},
        {.collectives = {all_reduce},
         .name = "cores-one",
         .link = LinkKind::unit,
         .idea =
             "Cores with one port: all of them are subcubes over the same K dimensions, no two with a common node, so "
             "every node swaps over one port at a time.",
         .said = "2 T + K steps, where T is what the planned spread takes: max(d - K, ceil(m (N - 2^K)/N)) or little "
                 "more."},
        {.collectives = {all_reduce},
         .name = "cores",
         .link = LinkKind::unit,
         .idea =
             "Every block has a core, a subcube of K dimensions. Its sum grows from all sides into the core, is "
             "swapped "
             "there dimension by dimension, and spreads to all nodes again, over the same links. A large core shortens "
             "the way, a small one saves packets. What crosses each link when is planned step by step, by matchings.",
         .said =
             "2 T + K steps, where T is what the planned spread takes: max(d - K, ceil(m (N - 2^K)/(d N))) or little "
             "more."},
        {{all_to_all},
         "dimension-exchange",
         LinkKind::unit,
         "Dimension by dimension: partners over port k swap all packets whose targets lie on the other side, half of "
         "what they have, whoever they came from. One port is busy all the time, the others never.",
         "m d 2^(d - 1)",
         "m d 2^(2 d - 1)"},
        {{all_to_all},
         "optimal",
         LinkKind::unit,
         "A (d+1)-cube is two d-cubes. Exchange inside both halves; meanwhile hand everything for the other half over "
         "on the port between them, in the order in which it will be needed there; then exchange inside the halves "
         "again. The second exchange never waits, because in its first n steps a node needs no more packets than have "
         "crossed by then. So every link is busy in every step, and every path is a shortest one.",
         "m 2^(d - 1)",
         "m d 2^(2 d - 1)"},
        {{all_to_all},
         "local-rules",
         LinkKind::unit,
         "The same hops as `optimal`, but no table is made beforehand: packets have headers, and every node finds what "
         "it sends next from a few order tables and a queue for each port, as the paper proposes for real machines.",
         "m 2^(d - 1)",
         "m d 2^(2 d - 1)"},
    };
}

}  // namespace dcube::explain

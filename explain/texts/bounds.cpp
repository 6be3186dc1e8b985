#include "explain/texts/texts.hpp"

namespace dcube::explain {

namespace {

using enum Collective;
constexpr PortModel one = PortModel::one;
constexpr PortModel all = PortModel::all;

constexpr BoundText texts[] = {
    {"antipode", "the antipode's distance, then its links",
     "The node farthest from the root, on a cube its antipode, is d links away, so nothing reaches it before step d. "
     "From then on its d links bring at most d packets a step, and it needs all m. Read backwards it is a bound of "
     "reductions. In all-reduce the same holds for every node and its antipode: the sums that need the antipode's "
     "share.",
     "T >= ceil(m/d) + d - 1; with one port m + d - 1", "hypercube:5", broadcast, all, 8},
    {"root-links", "the root's links",
     "All that the root has for others must leave by its links, one packet a link and step (what it gets must enter "
     "so). Where the farthest nodes' packets still have far to go when they leave, that comes on top.",
     "T >= ceil(m (N - 1)/d) on a cube; in general the largest over k of ceil(m n_k/ports) + k - 1, n_k nodes at "
     "distance k or more; in time tau a/links + beta for a bytes",
     "hypercube:4", scatter},
    {"node-links", "a node's links",
     "What a node must receive comes in by its links, and what it must send leaves by them, one packet a link and "
     "step. The node with the fewest links needs longest.",
     "T >= ceil(m (N - 1)/ports)", "hypercube:4", all_gather},
    {"links-across", "few links across, and the links before and after them",
     "Links that take time, no hypercube. Split the nodes in those round a node, or in a part that one node cuts off, "
     "and the others. The busiest of the links across carries its part of what must cross, one byte after the other. "
     "If all of it comes from one node, or has that node's shares, it starts no sooner than a byte can come from "
     "there; if one node needs all of it, the last byte still has to go there.",
     "T >= tau a/links + beta + h (tau + beta) for a bytes, h links before and after", "path:5", send, all, 1,
     LinkKind::link_bound},
    {"doubling", "holders at most double",
     "One port. In the first m - 1 steps at most m - 1 different packets have left the root, so one of them leaves it "
     "for the first time in step m or later. Until then it has one holder, and with one port holders at most double in "
     "a step.",
     "T >= m - 1 + ceil(log2 N)", "hypercube:3", broadcast, one, 6},
    {"cut", "the halves of a dimension",
     "Each dimension splits the cube in halves of N/2 nodes that N/2 links join in each direction. Of all-to-all N^2/4 "
     "packets must cross in each direction; of other problems what has that bit different.",
     "T >= packets that cross one way / (N/2)", "hypercube:4", all_to_all},
    {"hops", "the sum of all distances",
     "Every packet makes as many hops as its distance at least. All hops together, divided by the hops that fit in one "
     "step: one for each node with one port, one for each directed link with all ports.",
     "T >= sum of distances / moves a step", "hypercube:3", all_to_all, one},
    {"transmissions", "the transmissions that must be",
     "All-reduce needs 2 (N - 1) transmissions a block. Let t be the first step after which somebody knows the total, "
     "and c nodes know it then. The N - 1 others have by then sent something that got to the first: N - 1. The c - 1 "
     "others that finish in step t receive something in it, which is none of those: c - 1 more. The N - c that do not "
     "know it yet receive something later. In all-gather with one port every node receives N - 1 packets.",
     "T >= 2 m (N - 1)/(d N), rounded up", "hypercube:3", all_reduce, all, 20},
    {"distance", "the longest distance",
     "A packet crosses one link a step, so what is far apart takes as many steps as links lie between.",
     "T >= the distance", "hypercube:4", matrix_transpose},
    {"farthest-share", "the sums that need the farthest share",
     "A node needs m sums, each of them with a share of the node farthest from it. None of them arrives before that "
     "distance, and then at most one on each of its links in a step.",
     "T >= ceil(m/ports) + distance - 1", "mesh:3x5", all_reduce},
    {"start-ups", "start-ups one after the other",
     "Links that take time. A byte that has D links to go is in D packets, one after the other, and each of them takes "
     "tau + beta at least. It does not add to the bound of bytes over links: only the larger of the two holds.",
     "time >= D (tau + beta)", "hypercube:4", broadcast, all, 1, LinkKind::link_bound},
    {"detours", "links that are not on a shortest path",
     "One message of many packets. Over a link that is on no shortest path its first packet arrives later, so in T "
     "steps a link whose other end is w links away from the sender brings T - w packets at most. For a neighbour on a "
     "cube: T over the direct link, T - 2 over each of the others, which are reached in three hops. Read backwards it "
     "holds for the sender's links.",
     "T is the least with the sum of max(0, T - w) over all links >= m; on a cube, h links away: h (T - h + 1) + (d - "
     "h) "
     "(T - h - 1) >= m",
     "hypercube:3", send, all, 6},
    {"four-cycles", "cycles of four nodes",
     "Links that take time, and a quarter turn of a matrix. In each position two dimensions join the nodes in cycles "
     "of four, and every message must go one step forward, or three back. Let a link cost 3 forward and 1 backward: "
     "then every byte pays 3 at least. With N links forward and N backward, a byte on each of them costs 4 N. So the "
     "busiest link carries 3/4 of a node's bytes.",
     "time >= 3 tau m/4 + beta for m bytes a node", "hypercube:4", matrix_quarter_turn, all, 1, LinkKind::link_bound},
    {"telling", "one node told a step, and those far away later",
     "One port. The last packet leaves the root in step m or later. From then on each informed node informs one "
     "neighbour per step, and a node that is k links away or farther is informed by one that is k - 1 away or farther. "
     "So if I_k nodes at distance k and beyond have it, at most I_k + I_(k-1) do one step later. Where many nodes are "
     "far away this takes longer "
     "than the distance, and longer than doubling. In all-reduce the packets are a node's shares of the blocks.",
     "T >= m - 1 + g, g the first step after which all I_k can be complete", "path:4*complete:8", broadcast, one, 6},
    {"disjoint-paths", "what all paths between two nodes bring",
     "All ports. The packets of one node reach another over paths, and a link carries one of them a step. Of k paths "
     "that share no link the shortest ones have so many links together, and no way to send the packets brings more in "
     "T steps than these do (Ford and Fulkerson). It is a bound of a message between two nodes, which meets it; of a "
     "broadcast, for the root and any node; of all-reduce, for any two, as the one needs m sums with the other's "
     "share.",
     "T is the least with the sum of max(0, T - l + 1) over the paths >= m; l the links that each adds to those before "
     "it",
     "ccc:3", send, all, 6},
    {"entrances", "the links into some of the nodes",
     "All ports. What the root has for a set of nodes that it is not in must come in over the links from outside, and "
     "a link whose beginning is w links away from the root brings nothing in the first w steps. The set that needs "
     "most steps is found by a flow. A gather is that backwards, and an all-gather contains a gather at every node.",
     "T is the least with the sum of max(0, T - w) over the links into the set >= what it needs", "path:3*petersen",
     scatter, all, 17},
    {"flow-in-time", "all that links can bring, step by step",
     "All ports, scatter and gather. Let every node be there once for every step: a packet goes from one step to the "
     "next "
     "by waiting, or over a link, which takes one packet in a step. T steps are enough if, and only if, a flow in that "
     "network brings all packets from the root to their nodes. So this bound is exact. It is asked for where links "
     "times steps are not too many; nearly always the bounds that are simpler say as much.",
     "T is the least with a flow of m (N - 1) packets", "mesh:3x3", scatter, all, 2},
    {"few-senders", "nodes with few neighbours to send to them",
     "One port. All that some nodes receive is sent by their neighbours, one packet a step each. A broadcast's senders "
     "have nothing to send for as many steps as they are links away from the root. The nodes that need most steps are "
     "found by a flow from senders to receivers (Hall's condition): the ends of a star, which all hear from its hub.",
     "T is the least with the sum of max(0, T - w) over the neighbours >= what the nodes need", "mesh:3x3", all_gather,
     one, 5},
    {"cut-node", "a node whose removal disconnects the network",
     "One port. What goes from one part to another is received by that node and sent on, one packet a step. A "
     "broadcast's packets it sends to each part but the root's; an all-gather's to each part but the packet's own.",
     "T >= m (k - 1) of a broadcast, m (N (k - 1) + 1) of an all-gather, k the parts; and the steps before the first "
     "packet and after the last",
     "path:6", all_gather, one, 3},
    {"junction", "a few nodes whose removal disconnects the network",
     "One port, all-reduce. Of every block each part sends these nodes a packet at least, and each of them receives "
     "one a step. What the last part brings no other part can have had before, and all of them have to be told after "
     "that, "
     "one by one: so going up and coming down cannot overlap there. Parts that are deep, or hard to tell, bring the "
     "last of their shares late, and are told late.",
     "T >= ceil(m k/s) + ceil((k - 1)/s), k the parts, s the nodes; and the steps before the first packet and after "
     "the last",
     "path:6", all_reduce, one, 20},
    {"best-prices", "the best prices of links, or nodes",
     "Give every link a price: a packet pays at least what its cheapest path costs, and a step can pay no more than "
     "all prices together. With one port a node has a price for sending and one for receiving. This holds for any "
     "prices; with the best ones it is what routing can achieve if packets may be divided. They are searched for: what "
     "carries most gets dearer, round after round. In the end they are rounded to whole numbers, and all is counted "
     "exactly.",
     "T >= m (cost of all messages' cheapest paths)/(sum of all prices)", "ring:3*path:8", all_to_all, one},
    {"priced-trees", "the cheapest spanning tree",
     "All-reduce. Between the p parts of any partition of the nodes a block needs 2 (p - 1) transmissions. Let links "
     "have prices, or with one port nodes, and add up the partitions that Kruskal's algorithm meets when it makes the "
     "cheapest spanning tree: all transmissions of a block pay at least twice that tree. Where some nodes are joined "
     "by few links that says more than the transmissions over all links.",
     "T >= m tree/(sum of all prices)", "path:3*petersen", all_reduce, one, 40},
    {"priced-sends", "spanning trees and the nodes that send in them",
     "One port. A packet that reaches all nodes does so over a spanning tree, in which a node sends over all its links "
     "but one, and the root over all of its. If nodes have prices, and a link of a tree costs what both its ends do, "
     "all sends of a packet cost the cheapest tree less all prices, and the root's price. A step pays no more than all "
     "prices.",
     "T >= m (tree - Y + y)/Y of a broadcast, y the root's price; m (N (tree - Y) + Y)/Y of an all-gather; Y all "
     "prices",
     "mesh:3x3", all_gather, one, 5},
    {"L1", "one port: the average status",
     "The distances of all pairs add up to N AS, where AS is the average status, the mean of the sums of a node's "
     "distances. At most N packets move in a step.",
     "T >= AS", "torus:6x6", all_to_all, one},
    {"L2", "one port: what can move at once",
     "At most nu packets can move in one step, where nu is a largest matching of senders with receivers. On a "
     "chessboard of 8 and 7 every move has an end in the smaller colour, so 14 can move, not 15.",
     "T >= N AS/nu", "mesh:3x5", all_to_all, one},
    {"L3", "one port: the busiest node of a tree",
     "In a tree paths are unique. So the node that has most to send, its own packets and those that pass, needs as "
     "many steps.",
     "T >= own packets + those that pass", "path:5", all_to_all, one},
    {"prices", "one port: corners are free",
     "dcube's own, for networks whose nodes have different numbers of links. Let a packet pay 1 for each end of a link "
     "that it crosses, but nothing at the nodes with the fewest links, a mesh's corners. In one step every other node "
     "is paid for twice at most, once as a sender and once as a receiver. The corners are of little use to packets of "
     "others, so all packets pay nearly as much as before, and the step holds less. (With the price 1 everywhere it is "
     "L1.)",
     "T >= cost of the cheapest paths of all packets / (2 (N - corners))", "mesh:3x5", all_to_all, one},
    {"L4", "all ports: any cut of the nodes",
     "Split the nodes in V1 and V2 with c links across. |V1| |V2| packets must cross in each direction, one a link and "
     "step. All splits are tried on networks of up to 20 nodes.",
     "T >= |V1| |V2|/c", "mesh:3x5", all_to_all},
    {"L5", "all ports: a cut of one factor, in all its copies",
     "Split one factor in A and B with c links across, and all its N/n copies alike. The best cuts: a path of n "
     "floor(n^2/4), a complete graph 1, a ring n^2/8 (even) or (n^2 - 1)/8 (odd). It is rounded up only in the end.",
     "T >= (N/n) |A| |B|/c", "torus:6x6", all_to_all},
    {"L6", "all ports: all hops over all links",
     "All hops together over all directed links; and the same for the hops along one factor, over its links.",
     "T >= N AS/(2 E), E links", "ring:5*path:4*complete:3", all_to_all},
    {"L7", "the diameter", "The two nodes farthest apart have a packet for each other.", "T >= the diameter",
     "torus:6x6", all_to_all},
};

}  // namespace

std::span<const BoundText> bound_texts()
{
    return texts;
}

}  // namespace dcube::explain

#include "inspect/explain/texts.hpp"

namespace dcube::explain {

namespace {

using enum Collective;
constexpr PortModel one_port = PortModel::one;
constexpr PortModel all_ports = PortModel::all;

constexpr BoundText texts[] = {
    {"antipode", "the antipode's distance, then its links",
     "The node farthest from the root, on a cube its antipode, is d links away, so nothing reaches it before step "
     "d. From then on its d links bring at most d packets per step, and it needs all m. Read backwards it is a "
     "bound of reductions. In all-reduce the same holds for every node and its antipode: the sums that need the "
     "antipode's share.",
     "T >= ceil(m/d) + d - 1; with one port m + d - 1", "hypercube:5", broadcast, all_ports, 8},
    {"root-links", "the root's links",
     "Everything that the root has for others must leave by its links, one packet per link and step (what it "
     "receives must enter in the same way). If packets for the farthest nodes still have far to go when they leave, "
     "that is added.",
     "T >= ceil(m (N - 1)/d) on a cube; in general the largest over k of ceil(m n_k/ports) + k - 1, n_k nodes at "
     "distance k or more; in time tau a/links + beta for a bytes",
     "hypercube:4", scatter},
    {"node-links", "a node's links",
     "A node receives and sends over its links, one packet per link and step. The node with the fewest links takes "
     "longest.",
     "T >= ceil(m (N - 1)/ports)", "hypercube:4", all_gather},
    {"links-across", "few links across, and the links before and after them",
     "Links that take time, not on hypercubes. Split the network into the nodes around one node, or a part that one "
     "node cuts off, and the rest. The busiest of the links across carries its part of what must cross, one byte "
     "after the other. If all of it comes from one node, or has that node's shares, it starts no sooner than a byte "
     "can come from there; if one node needs all of it, the last byte still has to go there.",
     "T >= tau a/links + beta + h (tau + beta) for a bytes, h links before and after", "path:5", send, all_ports, 1,
     LinkKind::link_bound},
    {"timed-cut", "a cut of links that differ",
     "Links with times of their own. In a time T a link carries as many bytes for a node as fit, after one start-up, "
     "between the first moment at which any of them can have come to it and the last at which they can still get from "
     "it to that node. If some nodes hold bytes that the node lacks, those capacities must allow a flow of all of "
     "them; "
     "if they do not, a cut shows it, of links that carry too little. Read backwards it holds for what a node sends.",
     "T is the least with a flow of all bytes over capacities (T - before - after - beta)/tau, rounded down", "dgx-1",
     all_gather, all_ports, 1, LinkKind::link_bound},
    {"timed-prices", "prices of links that differ",
     "Links with times of their own. Give every link a price per byte: all messages pay at least their cheapest paths, "
     "and in a time T a link earns its price for each byte that it can carry. This holds for any prices. A search "
     "makes "
     "dearer what is busy longest.",
     "T is the least with the sum over all links of price (T - beta)/tau, rounded down, >= the bytes times the cost of "
     "their paths",
     "path:4 with 0-1:1:10,1-2:1:10,2-3:1:10", all_to_all, all_ports, 1, LinkKind::link_bound},
    {"timed-arrivals", "all sums over all links that differ",
     "Links with times of their own, all-reduce. Of every byte 2 (N - 1) partial or whole sums must come to nodes that "
     "are no switches, as in the bound transmissions: N - 1 until the first node knows the total, and another for each "
     "other node. In a time T all links into such nodes together bring as many bytes as each can carry.",
     "T is the least with the sum over these links of (T - beta)/tau, rounded down, >= 2 m (N - 1) for m bytes",
     "ring:5 with 0-1:1:10", all_reduce, all_ports, 8, LinkKind::link_bound},
    {"doubling", "holders at most double",
     "One port. In the first m - 1 steps at most m - 1 different packets have left the root, so one of them leaves it "
     "for the first time in step m or later. Until then it has one holder, and with one port holders at most double in "
     "a step.",
     "T >= m - 1 + ceil(log2 N)", "hypercube:3", broadcast, one_port, 6},
    {"cut", "the halves of a dimension",
     "Each dimension splits the cube in two halves, joined by N/2 links in each direction. In an all-to-all N^2/4 "
     "packets must cross in each direction; in other problems the messages between nodes that differ in that bit.",
     "T >= packets that cross one way / (N/2)", "hypercube:4", all_to_all},
    {"hops", "the sum of all distances",
     "Every packet makes at least as many hops as its distance. All hops together, divided by the hops that fit in "
     "one step: one for each node with one port, one for each directed link with all ports.",
     "T >= sum of distances / moves per step", "hypercube:3", all_to_all, one_port},
    {"transmissions", "the transmissions that must be",
     "All-reduce needs 2 (N - 1) transmissions per block. Let t be the first step after which some node knows the "
     "total, and c nodes know it then. The N - 1 others have by then sent something that got to the first: N - 1. The "
     "c - 1 others that finish in step t receive something in it, which is none of those: c - 1 more. The N - c that "
     "do not know it yet receive something later. In all-gather with one port every node receives N - 1 packets. Of a "
     "scan see the bound named rank.",
     "T >= 2 m (N - 1)/(d N), rounded up", "hypercube:3", all_reduce, all_ports, 20},
    {"rank", "the different sums across a cut",
     "Scans. Split the nodes in A and B. A node of B needs, of every block, the sum of the nodes of A that come before "
     "it. Of nodes of B without one of A between them these are the same sum; let r be the number of different ones. "
     "If "
     "the blocks are random bits and the operation is bit-xor, the r sums are independent, whatever B has itself, and "
     "a "
     "packet carries no more bits than a block: so r packets of every block cross from A to B. In a cube the even "
     "nodes "
     "have r = N/2 sums for the odd ones, over N/2 links. The cuts of all dimensions, both ways, have no link in "
     "common, and together r = 2 (N - 1) - d.",
     "T >= m r/(links from A to B), rounded up; on a cube T >= m", "hypercube:3", scan, all_ports, 8},
    {"distance", "the longest distance",
     "A packet crosses one link per step, so it takes at least as many steps as there are links on its path.",
     "T >= the distance", "hypercube:4", matrix_transpose},
    {"farthest-share", "the sums that need the farthest share",
     "A node needs m sums, each of them with a share of the node farthest from it. None of them arrives before that "
     "distance, and then at most one on each of its links in a step. In a scan only earlier nodes count.",
     "T >= ceil(m/ports) + distance - 1", "mesh:3x5", all_reduce, all_ports, 3},
    {"start-ups", "start-ups one after the other",
     "Links that take time. A byte that has D links to go is in D packets, one after the other, and each of them takes "
     "at least tau + beta. This is not added to the bound of bytes over links: only the larger of the two holds.",
     "time >= D (tau + beta)", "hypercube:4", broadcast, all_ports, 1, LinkKind::link_bound},
    {"through-port", "a node's one port",
     "Links that take time, and nodes with one port. All that one node sends, or receives, goes through it, one packet "
     "after the other.",
     "time >= tau a + beta for a bytes; m (N - 1) of an all-gather", "hypercube:4", all_gather, one_port, 1,
     LinkKind::link_bound},
    {"through-ports", "all nodes' ports",
     "Links that take time, and nodes with one port. Every byte holds the port of a sender for each hop of its way, on "
     "half duplex that of a receiver, too. The busiest of the N ports carries at least its part of that.",
     "time >= tau h/N + beta, where h bytes cross links; on half duplex tau 2 h/N + beta", "hypercube:4", all_to_all,
     one_port, 1, LinkKind::link_bound},
    {"detours", "links that are not on a shortest path",
     "One message of many packets. Over a link that is on no shortest path its first packet arrives later, so in T "
     "steps a link that starts w links away from the sender brings at most T - w packets. For a neighbour on a "
     "cube: T over the direct link, T - 2 over each of the others, which are reached in three hops. Read backwards "
     "it holds for the sender's links.",
     "T is the least with the sum of max(0, T - w) over all links >= m; on a cube, h links away: h (T - h + 1) + (d - "
     "h) (T - h - 1) >= m",
     "hypercube:3", send, all_ports, 6},
    {"four-cycles", "cycles of four nodes",
     "Links that take time, and a quarter turn of a matrix. In each position two dimensions join the nodes in "
     "cycles of four, and every message must go one step forward, or three back. Let a link cost 3 forward and 1 "
     "backward: then every byte pays at least 3. With N links forward and N backward, a byte on each of them costs "
     "4 N. So the busiest link carries 3/4 of a node's bytes.",
     "time >= 3 tau m/4 + beta for m bytes per node", "hypercube:4", matrix_quarter_turn, all_ports, 1,
     LinkKind::link_bound},
    {"dissemination", "one node informed per step, and distant nodes later",
     "One port. The last packet leaves the root in step m or later. From then on each informed node informs one "
     "neighbour per step, and a node that is k links away or farther is informed by one that is k - 1 away or farther. "
     "So if I_k nodes at distance k and beyond have it, at most I_k + I_(k-1) do one step later. Where many nodes are "
     "far away this takes longer "
     "than the distance, and longer than doubling. In all-reduce the packets are a node's shares of the blocks.",
     "T >= m - 1 + g, g the first step after which all I_k can be complete", "path:4*complete:8", broadcast, one_port,
     6},
    {"disjoint-paths", "what all paths between two nodes bring",
     "All ports. The packets of one node reach another over paths, and a link carries one of them per step. Take "
     "the k link-disjoint paths of least total length: no other way to send the packets brings more in T steps "
     "(Ford and Fulkerson). It bounds a message between two nodes, which meets it; a broadcast, for the root and "
     "any node; and an all-reduce, for any two nodes, because each needs m sums with the other's share.",
     "T is the least with the sum of max(0, T - l + 1) over the paths >= m; l the links that each adds to those before "
     "it",
     "ccc:3", send, all_ports, 6},
    {"entrances", "the links into some of the nodes",
     "All ports. What the root has for a set of other nodes must enter over the links into that set, and a link "
     "that starts w links away from the root brings nothing in the first w steps. A flow finds the set that needs "
     "most steps. A gather is the same backwards, and an all-gather contains a gather at every node.",
     "T is the least with the sum of max(0, T - w) over the links into the set >= what it needs", "path:3*petersen",
     scatter, all_ports, 17},
    {"flow-in-time", "all that links can bring, step by step",
     "All ports, scatter and gather. Make one copy of every node for every step: a packet goes from one step to the "
     "next by waiting, or over a link, which takes one packet per step. T steps are enough if, and only if, a flow "
     "in that network brings all packets from the root to their nodes. So this bound is exact. It is computed if "
     "links times steps are not too many; simpler bounds nearly always give the same.",
     "T is the least with a flow of m (N - 1) packets", "mesh:3x3", scatter, all_ports, 2},
    {"few-senders", "nodes with few neighbours to send to them",
     "One port. Everything that a set of nodes receives is sent by their neighbours, one packet per step each. In a "
     "broadcast a sender w links away from the root has nothing to send for w steps. A flow from senders to receivers "
     "finds the nodes that need most steps (Hall's condition): the ends of a star, which all receive from its hub.",
     "T is the least with the sum of max(0, T - w) over the neighbours >= what the nodes need", "mesh:3x3", all_gather,
     one_port, 5},
    {"cut-node", "a node whose removal disconnects the network",
     "One port. That node receives and sends on everything that goes from one part to another, one packet per step. "
     "It sends the packets of a broadcast to each part but the root's, those of an all-gather to each part but the "
     "packet's own.",
     "T >= m (k - 1) of a broadcast, m (N (k - 1) + 1) of an all-gather, k the parts; and the steps before the first "
     "packet and after the last",
     "path:6", all_gather, one_port, 3},
    {"junction", "a few nodes whose removal disconnects the network",
     "One port, all-reduce. For every block each part sends these nodes at least one packet, and each of them "
     "receives one per step. No other part can have what the last part brings before it comes, and all of them must "
     "receive it afterwards, one by one: so going up and coming down cannot overlap there. Parts that are deep or "
     "slow to inform bring the last of their shares late, and are informed late.",
     "T >= ceil(m k/s) + ceil((k - 1)/s), k the parts, s the nodes; and the steps before the first packet and after "
     "the last",
     "path:6", all_reduce, one_port, 20},
    {"best-prices", "the best prices of links, or nodes",
     "Give every link a price: a packet pays at least what its cheapest path costs, and a step can pay no more than "
     "all prices together. With one port a node has a price for sending and one for receiving. This holds for any "
     "prices; with the best ones it is what routing can achieve if packets may be divided. A search makes what "
     "carries most dearer, round after round. In the end prices are rounded to whole numbers, and everything is "
     "counted exactly.",
     "T >= m (cost of all messages' cheapest paths)/(sum of all prices)", "ring:3*path:8", all_to_all, one_port},
    {"priced-trees", "the cheapest spanning tree",
     "All-reduce. Between the p parts of any partition of the nodes a block needs 2 (p - 1) transmissions. Let "
     "links have prices, or with one port nodes, and add up the partitions that Kruskal's algorithm meets when it "
     "makes the cheapest spanning tree: all transmissions of a block pay at least twice that tree. If some nodes "
     "are joined by few links, this bound is stronger than the transmissions over all links.",
     "T >= m tree/(sum of all prices)", "path:3*petersen", all_reduce, one_port, 40},
    {"priced-sends", "spanning trees and the nodes that send in them",
     "One port. A packet that reaches all nodes does so over a spanning tree, in which a node sends over all its "
     "links but one, and the root over all its links. If nodes have prices, and a link of a tree costs what both "
     "its ends do, all sends of a packet cost at least the cheapest tree minus all prices plus the root's price. A "
     "step pays no more than all prices.",
     "T >= m (tree - Y + y)/Y of a broadcast, y the root's price; m (N (tree - Y) + Y)/Y of an all-gather; Y all "
     "prices",
     "mesh:3x3", all_gather, one_port, 5},
    {"L1", "one port: the average status",
     "The distances of all pairs add up to N AS, where AS is the average status, the mean of the sums of a node's "
     "distances. At most N packets move in a step.",
     "T >= AS", "torus:6x6", all_to_all, one_port},
    {"L2", "one port: what can move at once",
     "At most nu packets can move in one step, where nu is a largest matching of senders with receivers. On a "
     "chessboard of 8 and 7 every move has an end in the smaller colour, so 14 can move, not 15.",
     "T >= N AS/nu", "mesh:3x5", all_to_all, one_port},
    {"L3", "one port: the busiest node of a tree",
     "In a tree paths are unique. So the node with most to send, its own packets and those that pass, needs that "
     "many steps.",
     "T >= own packets + those that pass", "path:5", all_to_all, one_port},
    {"prices", "one port: corners are free",
     "dcube's own, for networks whose nodes have different numbers of links. Let a packet pay 1 for each end of a "
     "link that it crosses, but nothing at the nodes with the fewest links, a mesh's corners. In one step every "
     "other node is paid for at most twice, once as a sender and once as a receiver. The corners are of little use "
     "to packets of others, so all packets pay nearly as much as before, and the step holds less. (With the price 1 "
     "everywhere it is L1.)",
     "T >= cost of the cheapest paths of all packets / (2 (N - corners))", "mesh:3x5", all_to_all, one_port},
    {"L4", "all ports: any cut of the nodes",
     "Split the nodes in V1 and V2 with c links across. |V1| |V2| packets must cross in each direction, one per "
     "link and step. All splits are tried on networks of up to 20 nodes.",
     "T >= |V1| |V2|/c", "mesh:3x5", all_to_all},
    {"L5", "all ports: a cut of one factor, in all its copies",
     "Split one factor in A and B with c links across, and all its N/n copies alike. The best cuts: a path of n "
     "floor(n^2/4), a complete graph 1, a ring n^2/8 (even) or (n^2 - 1)/8 (odd). It is rounded up only at the end.",
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

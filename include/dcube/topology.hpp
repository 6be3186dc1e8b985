#pragma once
/// @file
/// Topologies: which nodes are neighbours, over which ports, and the symmetries that let one node's
/// schedule stand for all.

#include <dcube/faults.hpp>
#include <dcube/graph.hpp>
#include <dcube/link.hpp>

#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)
namespace dcube {

/// @addtogroup network
/// @{

struct Recognition;

/// A Cartesian product of connected graphs (Dimakopoulos & Dimopoulos 1998): node x has a digit for every factor, the
/// first factor's the most significant, and two nodes are neighbours if they differ in one digit, by a link of its
/// factor.
///
/// Ports are numbered from the last factor's on. So the d-cube, which is the product of d graphs of two nodes
/// (Bertsekas et al. 1991, section 1), has at node n the ports 0..d-1, and port k leads to n ^ (1 << k). It is not kept
/// as tables: everything that is asked about it costs a few instructions.
///
/// Everything above asks this class for neighbours and symmetries.
class Topology {
public:
    static constexpr unsigned max_dimension = 24;                       ///< for hypercubes
    static constexpr NodeId max_nodes = NodeId{1} << 20;                ///< for other products
    static constexpr std::uint64_t max_links = std::uint64_t{1} << 25;  ///< directed, for other products

    /// The d-cube: 2^d nodes, whose neighbours differ in one bit. Throws InvalidArgument unless dimension <=
    /// max_dimension.
    static Topology hypercube(unsigned dimension);

    /// The product of these graphs. The name is made of the factors' if none is given. Throws InvalidArgument: too many
    /// nodes, ports or links.
    static Topology product(std::vector<Graph> factors, std::string name = {});

    /// Reads "hypercube:10", "torus:8x8x8", "mesh:4x6", "ghc:3x4x5", "kary:4^3", "ring:5", "path:4", "complete:3",
    /// "star:4", "pancake:4", "ccc:3", "circulant:13,1,5", "petersen", "graph:FILE" (a file with an edge "u v" a line),
    /// and products of those: "ring:5*path:4"; networks whose nodes or links differ, "dgx-1"; switches, and links with
    /// times of their own are listed after `with` (parse_fabric()): "hypercube:3 with 0-1:2:500"; missing links and
    /// nodes are listed after `without`: "hypercube:6 without 0-1,4-5,9". Throws InvalidArgument.
    static Topology parse(std::string_view text);

    /// The same network without these links and nodes, and what it lacks already. Nodes keep their ids, and the links
    /// that are left their order, so that ports behind a missing link have smaller numbers. The product is no product
    /// any more: it has one factor, of kind list. A node that is missing has no ports, and is no member.
    /// Throws InvalidArgument: a link or node that does not exist, or is named twice; less than two nodes left, more
    /// than Graph::max_nodes nodes; or a disconnected network; the message names the part that is cut off.
    [[nodiscard]] Topology without(const Faults& faults) const;

    /// The same network, in which these nodes are switches too, and these links have times of their own; what is so
    /// already does not count. Nodes, links and ports stay as they are. The product is no product any more: it has one
    /// factor, of kind list. Throws InvalidArgument as Graph::from_lists() does, and for more than Graph::max_nodes
    /// nodes.
    [[nodiscard]] Topology with(const Fabric& added) const;
    /// The switches, and the links with times of their own, in ascending order.
    [[nodiscard]] const Fabric& fabric() const;
    /// True if all nodes that are there are alike, and all links. If not, the machine's links must take time
    /// (LinkKind::link_bound).
    [[nodiscard]] bool is_uniform() const { return !network_ || fabric().empty(); }
    /// True for a switch.
    [[nodiscard]] bool is_switch(NodeId node) const;
    /// The times of the link behind a port of `node`, which must exist; null if they are the machine's.
    [[nodiscard]] const TimedLink* timed_link(NodeId node, Port port) const;
    /// True if every link has times of its own.
    [[nodiscard]] bool times_all_links() const;
    /// The least common denominator of all times of links; 1 if none has its own. Throws InvalidArgument if it does not
    /// fit 32 bits.
    [[nodiscard]] std::uint64_t ticks_per_ns() const;

    /// The machine's links as they are on this network: with ticks for the times that links have of their own. Throws
    /// InvalidArgument: unit links, though some have; or no common denominator.
    [[nodiscard]] LinkModel links(LinkModel machine) const;
    /// The same on a machine whose nodes have these ports: one port is full duplex, unless the links say half. Throws
    /// InvalidArgument, too: a duplex with all ports or unit links, or one port where nodes or links differ.
    [[nodiscard]] LinkModel links(LinkModel machine, PortModel ports) const;

    /// Ids are 0 to nodes() - 1.
    [[nodiscard]] NodeId nodes() const { return nodes_; }
    /// Nodes that are neither missing nor switches.
    [[nodiscard]] NodeId members() const { return network_ ? all_members() : nodes_; }
    /// True if a node is missing, or a switch.
    [[nodiscard]] bool lacks_nodes() const { return members() != nodes_; }
    /// False for a node that is missing, or a switch.
    [[nodiscard]] bool is_member(NodeId node) const { return !network_ || is_there(node); }
    /// True for a node that is missing.
    [[nodiscard]] bool is_missing(NodeId node) const { return !is_member(node) && !is_switch(node); }
    /// The members in ascending order: member 0, 1, ..., members() - 1.
    [[nodiscard]] NodeId member(NodeId number) const { return network_ ? numbered_member(number) : number; }
    /// A member's number among the members: the inverse of member().
    [[nodiscard]] NodeId member_number(NodeId node) const { return network_ ? number_of(node) : node; }
    /// The members and their links as a network of its own, in which they have their numbers as ids and ports are the
    /// same. The network itself if no node is missing, and if there are switches.
    [[nodiscard]] const Topology& of_members() const;
    /// A node's id in the network from which this one of members was made; in other networks its id.
    [[nodiscard]] NodeId original(NodeId node) const;

    /// The missing links and nodes, in ascending order.
    [[nodiscard]] const Faults& faults() const;
    /// The network without faults.
    [[nodiscard]] const Topology& whole() const;

    /// Factors; the d of a d-cube.
    [[nodiscard]] unsigned dimension() const { return dimension_; }
    /// True if every factor has two nodes.
    [[nodiscard]] bool is_hypercube() const { return !network_; }
    /// Factor i, 0 <= i < dimension(), of which 0 is the most significant.
    [[nodiscard]] const Graph& factor(unsigned i) const;
    /// The distance between ids that differ by one in digit i.
    [[nodiscard]] NodeId stride(unsigned i) const { return network_ ? strides()[i] : nodes_ >> (i + 1); }
    /// Digit i of a node's id, which is its place in factor i.
    [[nodiscard]] NodeId digit(NodeId node, unsigned i) const { return node / stride(i) % factor(i).nodes(); }
    /// The first of node's ports that change digit i.
    [[nodiscard]] Port first_port(NodeId node, unsigned i) const;

    /// The number of a node's ports.
    [[nodiscard]] Port ports(NodeId node) const { return network_ ? ports_of(node) : dimension_; }
    /// The most ports that a node has.
    [[nodiscard]] Port max_ports() const { return network_ ? most_ports() : dimension_; }
    /// All links, each counted in both directions.
    [[nodiscard]] std::uint64_t directed_links() const
    {
        return network_ ? all_links() : std::uint64_t{nodes_} * dimension_;
    }

    /// Numbers the directed links from 0 on: that which leaves `node` by `port`.
    [[nodiscard]] std::uint64_t link(NodeId node, Port port) const
    {
        return (network_ ? first_link(node) : std::uint64_t{node} * dimension_) + port;
    }

    /// The node at the other end of `port`, which must be one of `node`'s.
    [[nodiscard]] NodeId neighbour(NodeId node, Port port) const
    {
        return network_ ? far_node(node, port) : node ^ (NodeId{1} << port);
    }

    /// The port at which that neighbour sees the same link.
    [[nodiscard]] Port arrival_port(NodeId node, Port port) const { return network_ ? far_port(node, port) : port; }

    /// The port of `node` that leads one up (`direction` +1) or down (-1) in factor `dimension`, which must be a ring
    /// or a path, as those of tori, meshes and hypercubes are: rings go round, and on two nodes both directions are the
    /// same. Throws InvalidArgument: no such node, dimension or direction, another factor, or the end of a path.
    [[nodiscard]] Port port_to(NodeId node, unsigned dimension, int direction) const;
    /// True if a path ends at `node` in that direction, so that there is no such port. Throws InvalidArgument as
    /// port_to() does for everything else.
    [[nodiscard]] bool is_end(NodeId node, unsigned dimension, int direction) const;

    /// The ports of `from` that begin a shortest path to `to`, in ascending order; none if both are the same node.
    [[nodiscard]] std::vector<Port> ports_towards(NodeId from, NodeId to) const;
    /// Writes the ports of the other ports_towards() to `ports`, for loops that ask often.
    void ports_towards(NodeId from, NodeId to, std::vector<Port>& ports) const;

    /// True if all factors are Cayley graphs: then translations are symmetries that keep ports (port k of x becomes
    /// port k of x's image), and take any node to any other.
    [[nodiscard]] bool symmetric() const { return !network_ || all_groups(); }

    /// The image of `node` under the translation that takes node 0 to `origin`: the groups' products,
    /// digit by digit. In factors without a group they add the labels, which is no symmetry, but still takes the nodes
    /// one to one to the nodes, for a fixed origin as well as for a fixed node.
    [[nodiscard]] NodeId translate(NodeId node, NodeId origin) const
    {
        return network_ ? translated(node, origin) : node ^ origin;
    }
    /// The inverse: untranslate(translate(x, o), o) is x.
    [[nodiscard]] NodeId untranslate(NodeId node, NodeId origin) const
    {
        return network_ ? untranslated(node, origin) : node ^ origin;
    }

    /// The fewest links between two nodes; 0 if one of them is missing.
    [[nodiscard]] unsigned distance(NodeId a, NodeId b) const
    {
        return network_ ? sum_of_distances(a, b) : static_cast<unsigned>(std::popcount(a ^ b));
    }
    /// The largest distance.
    [[nodiscard]] unsigned diameter() const { return network_ ? longest_distance() : dimension_; }
    /// The sum of all members' distances from a node, N times the sum of S_i(x_i) / n_i.
    [[nodiscard]] std::uint64_t status(NodeId node) const;
    /// The sum of the distances of all ordered pairs of members.
    [[nodiscard]] std::uint64_t sum_of_statuses() const;

    /// The network of known families that this one, which has a factor from edges, is but for the numbers of nodes and
    /// ports: a hypercube, torus, mesh or another product of rings, paths, complete, star and pancake graphs,
    /// cube-connected cycles and circulants of two offsets (to 64 nodes). Null if it is none, or lacks something. Lives
    /// as long as any copy of this topology. Algorithms and bounds are those of that network.
    [[nodiscard]] const Recognition* recognised() const { return network_ ? known_as() : nullptr; }

    /// "hypercube:10", as parse() reads it.
    [[nodiscard]] std::string name() const;
    /// The name for people: many faults are only counted, "hypercube:10 without 51 links and 2 nodes".
    [[nodiscard]] std::string title() const;

    /// The same factors in the same order; names do not count, but what nodes are called does (original()).
    friend bool operator==(const Topology& a, const Topology& b);

private:
    struct [[gnu::visibility("hidden")]] Network;

    Topology(unsigned dimension, NodeId nodes, std::shared_ptr<const Network> network)
        : dimension_(dimension), nodes_(nodes), network_(std::move(network))
    {
    }

    [[gnu::visibility("hidden")]] static std::shared_ptr<Network> network_of(std::vector<Graph> factors,
                                                                             std::string name);
    [[gnu::visibility("hidden")]] static Topology made(std::shared_ptr<const Network> network);

    [[gnu::visibility("hidden")]] [[nodiscard]] bool is_of_list() const;
    [[nodiscard]] const Recognition* known_as() const;
    [[nodiscard]] const std::vector<NodeId>& strides() const;
    [[nodiscard]] NodeId all_members() const;
    [[nodiscard]] bool is_there(NodeId node) const;
    [[nodiscard]] NodeId numbered_member(NodeId number) const;
    [[nodiscard]] NodeId number_of(NodeId node) const;
    [[nodiscard]] Port ports_of(NodeId node) const;
    [[nodiscard]] Port most_ports() const;
    [[nodiscard]] std::uint64_t all_links() const;
    [[nodiscard]] std::uint64_t first_link(NodeId node) const;
    [[nodiscard]] NodeId far_node(NodeId node, Port port) const;
    [[nodiscard]] Port far_port(NodeId node, Port port) const;
    [[nodiscard]] bool all_groups() const;
    [[nodiscard]] NodeId translated(NodeId node, NodeId origin) const;
    [[nodiscard]] NodeId untranslated(NodeId node, NodeId origin) const;
    [[nodiscard]] unsigned sum_of_distances(NodeId a, NodeId b) const;
    [[nodiscard]] unsigned longest_distance() const;

    unsigned dimension_;
    NodeId nodes_;
    std::shared_ptr<const Network> network_;  // null for hypercubes
};
bool operator==(const Topology& a, const Topology& b);  // g++ exports no function that is declared as a friend alone

/// A network of a known family, and what its nodes and ports are called in one that equals it (Topology::recognised()).
struct Recognition {
    Topology network;           ///< "hypercube:4"
    Topology called;            ///< the same; Topology::original() has the nodes' numbers here, but on hypercubes
    std::vector<NodeId> there;  ///< by node, its number in `network`
    std::vector<NodeId> here;   ///< the inverse
    std::vector<Port> ports;    ///< by the links of `network` (Topology::link()): the port here

    /// True if nodes have other numbers there; else only ports may.
    [[nodiscard]] bool renames() const;
};

/// The average over all nodes of their status: the sum of all distances, divided by the number of nodes.
Rational average_status(const Topology& topology);

/// The average distance between different nodes; 0 if there is one only.
Rational average_distance(const Topology& topology);

/// A closed form of the average distance, where the network's family has one.
struct ClosedForm {
    std::string formula;  ///< in the letters of docs/glossary.md
    Rational value;       ///< for this network
};
/// The closed form for this network's family; none if there is none.
std::optional<ClosedForm> average_distance_formula(const Topology& topology);

/// A network of each family, as Topology::parse() reads it: "hypercube:10", "torus:8x8x8", ...
std::vector<std::string_view> network_examples();

/// @}

}  // namespace dcube
#pragma GCC visibility pop

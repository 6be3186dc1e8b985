#pragma once
/// @file
/// Graphs: the factors that networks are products of.

#include <dcube/link.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)
namespace dcube {

/// @addtogroup network
/// @{

/// A node's number: 0, 1, 2, ... In a hypercube neighbours' numbers differ in one bit.
using NodeId = std::uint32_t;
/// A node's name for one of its links: 0, 1, 2, ...
using Port = std::uint32_t;
/// A step of the machine's clock. The first is 1; there are at most 2^31 - 2.
using Step = std::uint32_t;

/// A link between two neighbours that has times of its own, the same in both directions.
struct TimedLink {
    NodeId a = 0;     ///< one end
    NodeId b = 0;     ///< the other end
    Rational tau{};   ///< ns per byte
    Rational beta{};  ///< ns per packet

    friend bool operator==(const TimedLink&, const TimedLink&) = default;
};

/// What makes nodes and links of a network differ: switches, which only pass packets on, unchanged, hold no data and
/// take part in no collective; and links with times of their own. All others have those of the machine (LinkModel).
struct Fabric {
    std::vector<NodeId> switches{};  ///< in graphs: ascending
    std::vector<TimedLink> links{};  ///< in graphs: ascending, a < b

    /// True if all nodes and all links are alike.
    [[nodiscard]] bool empty() const { return switches.empty() && links.empty(); }

    friend bool operator==(const Fabric&, const Fabric&) = default;
};

/// Reads links "a-b:tau:beta" and switches "v", separated by commas: "0-1:2:500,9". Throws InvalidArgument.
Fabric parse_fabric(std::string_view text);
/// The text that parse_fabric() reads.
std::string to_string(const Fabric& fabric);
/// Reads lines "a b tau beta" and "switch v ..", as graph files have them (Graph::from_text). Throws InvalidArgument,
/// which names the line, and before it what `name` says that the text is.
Fabric fabric_from_lines(std::string_view text, const std::string& name = "the list of links");

/// One connected graph without loops and double edges. A value that is cheap to copy.
///
/// Port k of a node leads to its k-th neighbour: in graphs from lists by ascending id, in Cayley graphs by generator.
class Graph {
public:
    /// The families that are told apart.
    enum class Kind : std::uint8_t {
        ring,      ///< n >= 3: port 0 leads to n + 1, port 1 to n - 1
        path,      ///< n >= 3: the inner nodes' port 0 leads to n - 1, port 1 to n + 1
        complete,  ///< n >= 2: port k leads to n + k + 1; a ring or path of two nodes is one
        group,     ///< any other Cayley graph
        list,      ///< any other graph
    };

    static constexpr NodeId max_nodes = 4096;  ///< the most nodes of one graph
    static constexpr Port max_ports = 511;     ///< the most links of one node

    /// Nodes in a circle. Like the other families' functions it throws InvalidArgument, which says what sizes are
    /// allowed.
    static Graph ring(NodeId nodes);
    /// Nodes in a row; with two nodes it is the complete graph.
    static Graph path(NodeId nodes);
    /// Every node is a neighbour of every other. 2 <= n <= 512.
    static Graph complete(NodeId nodes);
    /// The permutations of n symbols; port k swaps the first symbol with symbol k + 2. 3 <= n <= 6.
    static Graph star(unsigned symbols);
    /// The permutations of n symbols; port k turns round the first k + 2. 3 <= n <= 6.
    static Graph pancake(unsigned symbols);
    /// Node p + d w is at corner w of a d-cube and place p of its cycle: port 0 leads to p + 1, port 1 to p - 1, port 2
    /// to w ^ (1 << p). 3 <= d <= 8.
    static Graph cube_connected_cycles(unsigned dimension);
    /// Nodes in a circle with chords: x and x + o are neighbours for each offset o, modulo n.
    static Graph circulant(NodeId nodes, std::span<const NodeId> offsets);
    /// The graph of Petersen: 10 nodes with 3 links each, two of which are always at most 2 apart.
    static Graph petersen();

    /// A graph from edges between nodes 0, 1, .., up to the largest that is named. Throws InvalidArgument: a loop, an
    /// edge twice, a disconnected graph, too many nodes or ports; a fabric that names what the graph does not have, or
    /// anything twice, or leaves less than two nodes that are no switches.
    static Graph from_edges(std::string name, std::span<const std::pair<NodeId, NodeId>> edges, Fabric fabric = {});
    /// A graph from a list of neighbours for each node: port k of a node leads to the k-th of its list. A node without
    /// any is missing: it counts for no distance. Throws InvalidArgument: the nodes that have links are not connected,
    /// or they have too many ports; a fabric as above.
    static Graph from_lists(std::string name, std::vector<std::vector<NodeId>> lists, Fabric fabric = {});
    /// A graph from text with an edge "u v" per line, or "u,v", or "u v {}", or "u v tau beta" if the link has times of
    /// its own; a line "switch v .." lists switches; blank lines and text after a '#', '%' or "//" do not count. Edges
    /// stand there once, or all of them in both directions. Nodes whose ids have gaps are numbered 0, 1, .. in
    /// ascending order of their ids(). Throws InvalidArgument, which names the line.
    static Graph from_text(std::string name, std::string_view text);

    /// The family.
    [[nodiscard]] Kind kind() const { return data_->kind; }
    /// The name, as in Topology::parse: "ring:5".
    [[nodiscard]] const std::string& name() const { return data_->name; }
    /// The number of nodes.
    [[nodiscard]] NodeId nodes() const { return data_->nodes; }
    /// The ids of nodes 0, 1, .. in the text, in ascending order; empty if they are the same numbers.
    [[nodiscard]] const std::vector<NodeId>& ids() const { return data_->ids; }
    /// The switches, and the links with times of their own; empty but for graphs from edges and lists.
    [[nodiscard]] const Fabric& fabric() const { return data_->fabric; }
    /// Directed links: twice the edges.
    [[nodiscard]] std::size_t directed_links() const { return data_->neighbours.size(); }
    /// The number of a node's ports.
    [[nodiscard]] Port ports(NodeId node) const { return data_->first_port[node + 1] - data_->first_port[node]; }
    /// The node at the other end of a port, which must exist.
    [[nodiscard]] NodeId neighbour(NodeId node, Port port) const
    {
        return data_->neighbours[data_->first_port[node] + port];
    }
    /// The port at which that neighbour sees the same link.
    [[nodiscard]] Port arrival_port(NodeId node, Port port) const
    {
        return data_->arrival_ports[data_->first_port[node] + port];
    }

    /// The fewest links between two nodes; 0 if one of them is missing.
    [[nodiscard]] unsigned distance(NodeId a, NodeId b) const { return data_->distances[index(a, b)]; }
    /// Calls work(port) for the ports of `from` that begin a shortest path to `to`, in ascending order.
    template <class Work>
    void for_each_port_towards(NodeId from, NodeId to, const Work& work) const
    {
        const unsigned left = distance(from, to);
        for (Port port = 0; port < ports(from); ++port)
            if (distance(neighbour(from, port), to) < left)
                work(port);
    }
    /// The largest distance.
    [[nodiscard]] unsigned diameter() const { return data_->diameter; }
    /// The sum of all distances from a node (Dimakopoulos & Dimopoulos 1998: its status).
    [[nodiscard]] std::uint64_t status(NodeId node) const { return data_->statuses[node]; }

    /// True for Cayley graphs: node ids are elements of a group, and port k of x leads to x g_k.
    [[nodiscard]] bool symmetric() const { return data_->kind != Kind::path && data_->kind != Kind::list; }
    /// The group's product a b; in graphs without a group (a + b) mod n, which is a symmetry of the labels only.
    [[nodiscard]] NodeId times(NodeId a, NodeId b) const
    {
        if (!data_->products.empty())
            return data_->products[index(a, b)];
        const NodeId sum = a + b;
        return sum >= data_->nodes ? sum - data_->nodes : sum;
    }
    /// The group's inverse of an element; in graphs without a group -a mod n.
    [[nodiscard]] NodeId inverse(NodeId a) const
    {
        if (!data_->products.empty())
            return data_->inverses[a];
        return a == 0 ? 0 : data_->nodes - a;
    }

    /// The same nodes, links, ports, switches and times; names do not count.
    friend bool operator==(const Graph& a, const Graph& b)
    {
        return a.data_ == b.data_ || (a.data_->kind == b.data_->kind && a.data_->first_port == b.data_->first_port &&
                                      a.data_->neighbours == b.data_->neighbours &&
                                      a.data_->products == b.data_->products && a.data_->fabric == b.data_->fabric);
    }

private:
    struct Data {
        Kind kind = Kind::list;
        std::string name{};
        NodeId nodes = 0;
        std::vector<NodeId> ids{};
        Fabric fabric{};
        std::vector<std::uint32_t> first_port{};  // by node, and the end
        std::vector<NodeId> neighbours{};
        std::vector<Port> arrival_ports{};
        std::vector<std::uint16_t> distances{};
        std::vector<std::uint64_t> statuses{};
        unsigned diameter = 0;
        std::vector<std::uint16_t> products{};  // for groups that do not commute
        std::vector<std::uint16_t> inverses{};
    };

    explicit Graph(Data&& data) : data_(std::make_shared<const Data>(std::move(data))) {}

    // Completes `data`, in which first_port is set, with these neighbours.
    template <class Neighbour>
    static Graph make(Data&& data, const Neighbour& neighbour);
    [[gnu::visibility("hidden")]] static Graph of_permutations(std::string_view family, unsigned symbols);
    [[gnu::visibility("hidden")]] static Graph of_lists(std::string name, Kind kind,
                                                        std::vector<std::vector<NodeId>> lists, Fabric fabric = {});

    [[nodiscard]] std::size_t index(NodeId a, NodeId b) const { return std::size_t{a} * data_->nodes + b; }

    std::shared_ptr<const Data> data_;
};

/// @}

}  // namespace dcube
#pragma GCC visibility pop

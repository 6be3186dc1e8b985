#pragma once
// Layouts: where the nodes of a network stand in a drawing, and which lines its links take.

#include <dcube/topology.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dcube::view {

// x to the right, y downwards.
struct Point {
    double x = 0;
    double y = 0;

    friend bool operator==(const Point&, const Point&) = default;
};

using Line = std::vector<Point>;

struct Box {
    double left = 0;
    double top = 0;
    double right = 0;
    double bottom = 0;

    friend bool operator==(const Box&, const Box&) = default;
};

// Both directions of a link, from < to. Link i's directed links are 2i, which leaves `from`, and 2i + 1.
struct UndirectedLink {
    NodeId from = 0;
    NodeId to = 0;
    Port from_port = 0;
    Port to_port = 0;
    unsigned dimension = 0;  // the bit that it changes (0 the lowest); not on hypercubes: the factor (0 the first)

    friend bool operator==(const UndirectedLink&, const UndirectedLink&) = default;
};

// The links by `from`, then by its port: the numbering that bends, stubs and the page mean.
std::vector<UndirectedLink> undirected_links(const Topology& topology);

// Where a link leaves the drawing, the number of the node that it leads to stands there.
struct Stub {
    std::uint32_t link = 0;  // undirected
    Point end;               // its outer end
    NodeId node = 0;         // the node that it leads to

    friend bool operator==(const Stub&, const Stub&) = default;
};

// One shape of a layout, in a unit of its own. All numbers are multiples of 1/1000.
struct Variant {
    double stretch = 1;  // how much more one axis may be scaled than the other
    std::vector<Point> nodes{};
    Box box{};  // around all nodes' centres, lines and stubs
    // The lines of links that are not straight, by undirected link, from `from` to `to`. Two lines: the link leaves the
    // drawing at the end of the first, and comes in elsewhere.
    std::map<std::uint32_t, std::vector<Line>> bends{};
    std::vector<Stub> stubs{};
    std::vector<Line> lost{};  // the lines of links that the network lacks although it has both nodes

    friend bool operator==(const Variant&, const Variant&) = default;
};

struct Layout {
    std::string name;                 // "cube in cube"
    std::vector<Variant> variants{};  // wide, tall
    bool on_demand = false;           // more than 64 nodes: drawn on request

    friend bool operator==(const Layout&, const Layout&) = default;
};

constexpr NodeId most_drawn = 128;         // nodes
constexpr NodeId most_drawn_unasked = 64;  // the most nodes that are drawn without being asked

// The default first; none if the network is too large, or if its drawing would be a tangle: each has its nearest nodes
// at least 24 px apart, and no link nearer than 10 px to a node that is not its end, in a box of 900 x 640 px. With
// `root`, hypercubes can also be drawn by the distance from it. The same numbers every time, everywhere.
std::vector<Layout> layouts_of(const Topology& topology, std::optional<NodeId> root = std::nullopt);

// A large network as at most 16 groups: the nodes that have the same high digits, or whose first digits are
// neighbours'.
struct Groups {
    Topology network;                     // its nodes are the groups, its links are groups that meet
    std::vector<std::uint32_t> of{};      // the group of every node
    std::vector<std::string> names{};     // the common part of a group's nodes: "0110" high bits, "2,0" first digits
    std::vector<UndirectedLink> links{};  // of `network`; dimensions are those of the large network
    std::vector<Layout> layouts{};        // of `network`; none if it would be a tangle
};

// Throws InvalidArgument unless the network has at least 2 nodes.
Groups groups_of(const Topology& topology);

}  // namespace dcube::view

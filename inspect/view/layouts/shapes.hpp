#pragma once
// The parts of layouts. Shapes are in doubles and any unit; finished() makes variants of them.

#include "inspect/view/layouts/geometry.hpp"
#include "inspect/view/layouts/layout.hpp"

#include <vector>

namespace dcube::view {

// A network and its links by number.
struct Network {
    Topology topology;
    std::vector<UndirectedLink> links;

    explicit Network(Topology network) : topology(std::move(network)), links(undirected_links(topology)) {}
};

// Node 0 on top, then clockwise; neighbours on the circle are about 1 apart.
std::vector<Point> circle(std::size_t nodes);

// Half an ellipse from a to b, as far out at its middle as `out`.
Line arc(Point a, Point b, Point out);

// The shape with its box, all numbers rounded to 1/1000.
Variant finished(Variant shape);

// The readability in 900 x 640 px: at least 1 if it is readable (see layouts_of()).
double readability(const Variant& shape, const Network& network);
bool is_readable(const Layout& layout, const Network& network);

// The shape that is seen best, the first of those that differ too little to be sure of on every machine.
template <class Candidates, class Make>
Variant best_shape(const Network& network, const Candidates& candidates, const Make& make)
{
    Variant best;
    double most = -1;
    for (const auto& candidate : candidates) {
        Variant shape = finished(make(candidate));
        if (const double seen = readability(shape, network); seen > most * (1 + 1e-6)) {
            most = seen;
            best = std::move(shape);
        }
    }
    return best;
}

// Families: each file of this folder knows some. None if the network is of another family.
std::vector<Layout> cube_layouts(const Network& network, std::optional<NodeId> root);
std::vector<Layout> grid_layouts(const Network& network);
std::vector<Layout> circle_layouts(const Network& network);
std::vector<Layout> ring_layouts(const Network& network);
std::vector<Layout> nested_layouts(const Network& network);
std::vector<Layout> force_layouts(const Network& network);

// A lattice: node i stands in column i % columns and row i / columns, rows 1 apart and columns `pitch`. Neighbours are
// joined straight; a ring's wrap-around leaves the drawing; other links are arcs, upwards in rows, leftwards in
// columns, those of the k-th shortest span as high as bends[k] of a pitch.
struct Lattice {
    NodeId columns = 1;
    double pitch = 1.3;
    std::vector<double> bends;
};
Variant lattice(const Network& network, const Lattice& how);

}  // namespace dcube::view

#pragma once
// Layouts fitted into a box, in pixels or any other unit. The page does the same: web/page/, where it fits its stage.

#include "inspect/view/layouts/layout.hpp"

namespace dcube::view {

struct Room {
    double width = 900;
    double height = 640;
    double label = 14;        // height of a node's number
    double most_side = .105;  // of a node's box: a share of the lesser of width and height
};

// A layout in a room, from (0, 0) at its top left.
struct Fitted {
    std::vector<Point> nodes;              // centres
    std::vector<std::vector<Line>> links;  // by undirected link, from `from` to `to`; two lines: see Variant
    std::vector<Stub> stubs;
    std::vector<Line> lost{};  // the missing links'
    double nearest = 0;        // distance of the two nearest nodes
    double clearance = 0;      // distance of a node's centre from the nearest line that is not one of its links
    double side = 0;           // a node's box's
};

// The margin is half a node's box and its number; one axis is stretched as far as the variant allows.
Fitted fit(const Variant& variant, const std::vector<UndirectedLink>& links, const Room& room);

// The variant whose nearest nodes are farthest apart, the first of equals.
Fitted fit(const Layout& layout, const std::vector<UndirectedLink>& links, const Room& room);

}  // namespace dcube::view

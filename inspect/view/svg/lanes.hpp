#pragma once
// Lanes: the two directions of a link run beside it, each on its right.

#include "inspect/view/layouts/geometry.hpp"

#include <vector>

namespace dcube::view {

// The way of packets over a directed link: one line, or two if the link leaves the drawing.
using Lane = std::vector<Line>;

// `lines` lead from the sender's centre to the receiver's; both boxes are `box`, about (0, 0), and cover its ends.
Lane lane_beside(const std::vector<Line>& lines, double aside, const Box& box);

// The same in the other direction.
std::vector<Line> backwards(std::vector<Line> lines);

struct Place {
    Point at;
    Point ahead;  // unit vector
};
// After that share of the lane's length.
Place along(const Lane& lane, double share);
double length_of(const Lane& lane);

// The lane from its beginning to there.
Lane until(const Lane& lane, double share);

}  // namespace dcube::view

#pragma once
// Points, lines and their distances.

#include "inspect/view/layouts/layout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace dcube::view {

constexpr double pi = 3.14159265358979323846;

inline Point operator+(Point a, Point b)
{
    return {a.x + b.x, a.y + b.y};
}

inline Point operator-(Point a, Point b)
{
    return {a.x - b.x, a.y - b.y};
}

inline Point operator*(Point a, double factor)
{
    return {a.x * factor, a.y * factor};
}

// Only sums, products and square roots, which are the same everywhere.
inline double length(Point a)
{
    return std::sqrt(a.x * a.x + a.y * a.y);
}

// Turned by `angle` about (0, 0), clockwise in a drawing.
inline Point turned(Point a, double angle)
{
    const double c = std::cos(angle);
    const double s = std::sin(angle);
    return {c * a.x - s * a.y, s * a.x + c * a.y};
}

inline double distance_to_segment(Point p, Point a, Point b)
{
    const Point along = b - a;
    const double square = along.x * along.x + along.y * along.y;
    if (square == 0)
        return length(p - a);
    const double t = ((p.x - a.x) * along.x + (p.y - a.y) * along.y) / square;
    return length(p - (a + along * std::clamp(t, 0.0, 1.0)));
}

inline double distance_to_line(Point p, const Line& line)
{
    double least = std::numeric_limits<double>::max();
    for (std::size_t i = 1; i < line.size(); ++i)
        least = std::min(least, distance_to_segment(p, line[i - 1], line[i]));
    return least;
}

// The distance of the two points that are nearest to each other.
inline double least_distance(const std::vector<Point>& points)
{
    double least = std::numeric_limits<double>::max();
    for (std::size_t a = 0; a < points.size(); ++a)
        for (std::size_t b = 0; b < a; ++b)
            least = std::min(least, length(points[a] - points[b]));
    return least;
}

inline void widen(Box& box, Point p)
{
    box = {std::min(box.left, p.x), std::min(box.top, p.y), std::max(box.right, p.x), std::max(box.bottom, p.y)};
}

}  // namespace dcube::view

#include "inspect/view/svg/lanes.hpp"

namespace dcube::view {

namespace {

Point unit(Point p)
{
    const double size = length(p);
    return size > 0 ? p * (1 / size) : Point{1, 0};
}

// Every point goes to the right of the way through it.
Line shifted(const Line& line, double aside)
{
    Line moved;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const Point ahead = unit(line[std::min(i + 1, line.size() - 1)] - line[i == 0 ? 0 : i - 1]);
        moved.push_back(line[i] + Point{-ahead.y, ahead.x} * aside);
    }
    return moved;
}

bool inside(Point p, const Box& box, Point centre)
{
    return p.x > centre.x + box.left && p.x < centre.x + box.right && p.y > centre.y + box.top &&
           p.y < centre.y + box.bottom;
}

// The line without the beginning that lies in the box.
Line outside(const Line& line, const Box& box, Point centre)
{
    std::size_t first = 0;
    while (first + 2 < line.size() && inside(line[first + 1], box, centre))
        ++first;
    if (!inside(line[first], box, centre))
        return {line.begin() + static_cast<std::ptrdiff_t>(first), line.end()};
    Point in = line[first];
    Point out = line[first + 1];
    for (unsigned halving = 0; halving < 20; ++halving) {
        const Point middle = (in + out) * .5;
        (inside(middle, box, centre) ? in : out) = middle;
    }
    Line rest{out};
    rest.insert(rest.end(), line.begin() + static_cast<std::ptrdiff_t>(first) + 1, line.end());
    return rest;
}

double length_of_line(const Line& line)
{
    double sum = 0;
    for (std::size_t i = 1; i < line.size(); ++i)
        sum += length(line[i] - line[i - 1]);
    return sum;
}

Line reversed(Line line)
{
    std::ranges::reverse(line);
    return line;
}

}  // namespace

std::vector<Line> backwards(std::vector<Line> lines)
{
    std::ranges::reverse(lines);
    for (Line& line : lines)
        std::ranges::reverse(line);
    return lines;
}

Lane lane_beside(const std::vector<Line>& lines, double aside, const Box& box)
{
    Lane lane;
    for (const Line& line : lines)
        lane.push_back(shifted(line, aside));
    lane.front() = outside(lane.front(), box, lines.front().front());
    lane.back() = reversed(outside(reversed(lane.back()), box, lines.back().back()));
    return lane;
}

double length_of(const Lane& lane)
{
    double sum = 0;
    for (const Line& line : lane)
        sum += length_of_line(line);
    return sum;
}

Lane until(const Lane& lane, double share)
{
    double left = share * length_of(lane);
    Lane begin;
    for (const Line& line : lane) {
        begin.push_back({line.front()});
        for (std::size_t i = 1; i < line.size(); ++i) {
            const Point piece = line[i] - line[i - 1];
            const double size = length(piece);
            if (left <= size) {
                begin.back().push_back(line[i - 1] + piece * (size > 0 ? left / size : 0));
                return begin;
            }
            begin.back().push_back(line[i]);
            left -= size;
        }
    }
    return begin;
}

Place along(const Lane& lane, double share)
{
    double left = share * length_of(lane);
    for (const Line& line : lane)
        for (std::size_t i = 1; i < line.size(); ++i) {
            const Point piece = line[i] - line[i - 1];
            const double size = length(piece);
            if (left <= size && size > 0)
                return {line[i - 1] + piece * (left / size), unit(piece)};
            left -= size;
        }
    const Line& last = lane.back();
    return {last.back(), unit(last.back() - last[last.size() - 2])};
}

}  // namespace dcube::view

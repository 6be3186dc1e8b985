#include "inspect/view/layouts/fit.hpp"

#include "inspect/view/layouts/geometry.hpp"

namespace dcube::view {

namespace {

constexpr double least_side = 14;   // px of a box; a number's height is 14 too
constexpr double digit_width = .6;  // in heights of a number

// The place of a variant's unit in the room.
struct Frame {
    Point scale;
    Point origin;

    Point operator()(Point p) const { return {origin.x + p.x * scale.x, origin.y + p.y * scale.y}; }
};

Frame frame_of(const Variant& variant, double side, const Room& room)
{
    const std::size_t digits = std::to_string(variant.nodes.size() - 1).size();
    const double across = side / 2 + digit_width * room.label * static_cast<double>(digits);
    const double above = side / 2 + room.label;
    const Box& box = variant.box;
    const Point extent{box.right - box.left, box.bottom - box.top};
    const Point free{std::max(1.0, room.width - 2 * across), std::max(1.0, room.height - 2 * above)};
    Point scale{extent.x > 0 ? free.x / extent.x : 0, extent.y > 0 ? free.y / extent.y : 0};
    if (extent.x <= 0)
        scale.x = scale.y;
    if (extent.y <= 0)
        scale.y = scale.x;
    scale = {std::min(scale.x, scale.y * variant.stretch), std::min(scale.y, scale.x * variant.stretch)};
    return {scale,
            {room.width / 2 - scale.x * (box.left + box.right) / 2,
             room.height / 2 - scale.y * (box.top + box.bottom) / 2}};
}

double least_clearance(const Fitted& fitted, const std::vector<UndirectedLink>& links, const Room& room)
{
    double least = std::min(room.width, room.height);
    for (std::size_t i = 0; i < links.size(); ++i)
        for (NodeId node = 0; node < fitted.nodes.size(); ++node)
            if (node != links[i].from && node != links[i].to)
                for (const Line& line : fitted.links[i])
                    least = std::min(least, distance_to_line(fitted.nodes[node], line));
    return least;
}

// The side of a node's box: a share of the distance between nodes, and never so large that foreign links touch it.
double side_of(const Variant& variant, double nearest, double clearance, const Room& room)
{
    const std::size_t nodes = variant.nodes.size();
    const bool arcs = !variant.bends.empty() && variant.stubs.empty();
    const double share = nodes <= 8 ? .40 : nodes > 16 ? .44 : arcs ? .42 : .50;
    const double most =
        std::min({share * nearest, 1.3 * clearance, room.most_side * std::min(room.width, room.height)});
    return std::max(least_side * room.label / 14, most);
}

}  // namespace

Fitted fit(const Variant& variant, const std::vector<UndirectedLink>& links, const Room& room)
{
    Fitted fitted;
    // The margin depends on the box, the box on the scale, the scale on the margin: three rounds settle that.
    fitted.side = room.most_side * std::min(room.width, room.height) / 2;
    Frame frame;
    for (unsigned round = 0; round < 3; ++round) {
        frame = frame_of(variant, fitted.side, room);
        fitted.nodes.clear();
        for (const Point& node : variant.nodes)
            fitted.nodes.push_back(frame(node));
        fitted.links.assign(links.size(), {});
        for (std::uint32_t i = 0; i < links.size(); ++i)
            if (const auto bent = variant.bends.find(i); bent == variant.bends.end())
                fitted.links[i] = {{fitted.nodes[links[i].from], fitted.nodes[links[i].to]}};
            else
                for (const Line& line : bent->second) {
                    fitted.links[i].emplace_back();
                    for (const Point& p : line)
                        fitted.links[i].back().push_back(frame(p));
                }
        fitted.nearest = std::min({room.width, room.height, least_distance(fitted.nodes)});
        fitted.clearance = least_clearance(fitted, links, room);
        fitted.side = side_of(variant, fitted.nearest, fitted.clearance, room);
    }
    for (const Line& line : variant.lost) {
        fitted.lost.emplace_back();
        for (const Point& p : line)
            fitted.lost.back().push_back(frame(p));
    }
    for (const Stub& stub : variant.stubs)
        fitted.stubs.push_back({stub.link, frame(stub.end), stub.node});
    return fitted;
}

Fitted fit(const Layout& layout, const std::vector<UndirectedLink>& links, const Room& room)
{
    Fitted best;
    for (const Variant& variant : layout.variants)
        if (Fitted fitted = fit(variant, links, room); fitted.nearest > best.nearest)
            best = std::move(fitted);
    return best;
}

}  // namespace dcube::view

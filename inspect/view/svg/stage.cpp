#include "inspect/view/svg/stage.hpp"

#include <algorithm>

namespace dcube::view {

namespace {

constexpr double column = 238;    // points: 84 mm, which most journals' columns have at least
constexpr double most_side = 28;  // of a node's box in a column; wider figures are seen from farther away
constexpr double most_label = 9;  // the same
constexpr double least_label = 5.5;
constexpr double most_radius = 6.5;     // the same
constexpr double least_numbered = 3.4;  // radius of a packet that bears a number
constexpr double crowded = 34;          // nearest nodes: below that, an upright shape is taken if it has more room
constexpr double most_height = 1.3;     // in widths

// Larger than on a screen: numbers have to be read in print.
double packet_share(std::size_t nodes)
{
    return nodes <= 8 ? .22 : nodes <= 16 ? .25 : nodes <= 36 ? .19 : .16;
}

double height_of(const Variant& variant, double width)
{
    const double across = variant.box.right - variant.box.left;
    const double ratio = across > 0 ? (variant.box.bottom - variant.box.top) / across : 1;
    return std::max(std::clamp(ratio, .12, most_height) * width, 6 * type_size);
}

}  // namespace

double text_width(std::string_view text, double size)
{
    return .6 * size * static_cast<double>(text.size());
}

Box at(const Box& box, Point centre)
{
    return {centre.x + box.left, centre.y + box.top, centre.x + box.right, centre.y + box.bottom};
}

Box grown(const Box& box, double by)
{
    return {box.left - by, box.top - by, box.right + by, box.bottom + by};
}

bool Stage::is_numbered() const
{
    return radius >= least_numbered;
}

Box Stage::node_box(NodeId node) const
{
    return at(box, fitted.nodes[node]);
}

Point Stage::label_base(NodeId node) const
{
    const Box place = node_box(node);
    return {place.left - 3, place.top + .3 * label};
}

Box Stage::label_box(NodeId node) const
{
    const Point base = label_base(node);
    return {base.x - text_width(std::to_string(node), label), base.y - .74 * label, base.x, base.y};
}

Lane Stage::lane(std::uint32_t directed, double aside) const
{
    const std::vector<Line>& lines = fitted.links[directed / 2];
    return lane_beside(directed % 2 == 0 ? lines : backwards(lines), aside, box);
}

double Stage::reach(const PacketMark& packet) const
{
    if (packet.faint)
        return std::min(1.2, .5 * radius);
    if (packet.cells.empty())
        return packet.reached ? .8 * radius : radius;  // it cannot make room for another
    return token_share * std::max(box.right - box.left, box.bottom - box.top) / 2;
}

void Stage::size(const Variant& variant, double width, double height, double scale)
{
    const Room room{width, height, label, most_side * scale / std::min(width, height)};
    fitted = fit(variant, figure.links, room);
    label = std::clamp(.3 * fitted.side, std::clamp(.2 * fitted.nearest, least_label, type_size), most_label * scale);
    fitted = fit(variant, figure.links, {width, height, label, room.most_side});

    const double pad = std::max(.8, .09 * fitted.side);
    cell = (fitted.side - 2 * pad) / std::max(figure.columns, figure.rows);
    const Point half{std::max(.5 * fitted.side, figure.columns * cell + 2 * pad) / 2,
                     std::max(.5 * fitted.side, figure.rows * cell + 2 * pad) / 2};
    box = {-half.x, -half.y, half.x, half.y};
    const std::size_t nodes = fitted.nodes.size();
    radius = std::clamp(packet_share(nodes) * fitted.side, nodes <= 16 ? 2.6 : 1.6, most_radius * scale);
}

// Everything that may stand beside nodes and links, whether this frame has it or not.
void Stage::measure()
{
    extent = at(box, fitted.nodes[0]);
    const auto take = [&](const Box& part) {
        widen(extent, {part.left, part.top});
        widen(extent, {part.right, part.bottom});
    };
    for (NodeId node = 0; node < fitted.nodes.size(); ++node) {
        take(grown(node_box(node), 2.4));
        take(grown(label_box(node), 1.2));
    }
    double packet = radius;
    for (const FrameMark& frame : figure.frames) {
        for (NodeId node = 0; node < frame.nodes.size(); ++node)
            if (frame.nodes[node].kept > 0) {
                const double pill = .22 * fitted.side;
                const Box place = node_box(node);
                take({place.right - pill, place.bottom - pill, place.right + pill, place.bottom + pill});
            }
        if (!frame.packets.empty() && !frame.packets[0].cells.empty())
            packet = reach(frame.packets[0]);
    }
    const double beside = 2 * packet + 1.2;
    for (std::uint32_t link = 0; link < 2 * fitted.links.size(); ++link)
        for (const Line& line : lane(link, beside))
            for (const Point& p : line)
                take({p.x, p.y, p.x, p.y});
    for (const Stub& stub : fitted.stubs)
        take(grown({stub.end.x, stub.end.y, stub.end.x, stub.end.y}, 1.6 * label));
}

Stage::Stage(const Figure& drawn, const Layout& layout, double width) : figure(drawn)
{
    const double scale = std::max(1.0, width / (2 * column));
    const Variant* shape = &layout.variants.front();
    size(*shape, width, height_of(*shape, width), scale);
    for (const Variant& other : layout.variants) {
        const double nearest = fitted.nearest;
        if (&other == shape || nearest >= crowded * scale)
            continue;
        size(other, width, height_of(other, width), scale);
        if (fitted.nearest > 1.2 * nearest)
            shape = &other;
    }
    // Objects beside the drawing need room too: the second time it is known how much.
    double inner = width;
    for (unsigned round = 0; round < 2; ++round) {
        size(*shape, inner, height_of(*shape, inner), scale);
        measure();
        const double over = extent.right - extent.left - width;
        if (over <= 0)
            break;
        inner -= over;
    }
    size(*shape, inner, height_of(*shape, inner), scale);
    measure();
}

}  // namespace dcube::view

#include "view/svg/marks.hpp"

#include "view/svg/places.hpp"

#include <algorithm>

namespace dcube::view {

namespace {

constexpr double link_width = .4;
constexpr double outline = .6;
constexpr double band_width = 3.6;
constexpr double streak_width = 2;  // of a link as far as it is filled
constexpr Colour pale{0xbb, 0xbb, 0xbb};
constexpr Colour band{0xe5, 0xd5, 0xf0};  // the bound's, as if it were thin

void paint_stubs(Drawing& drawing, const Stage& stage)
{
    for (const Stub& stub : stage.fitted.stubs) {
        const UndirectedLink& link = stage.figure.links[stub.link];
        const Point node = stage.fitted.nodes[stub.node == link.to ? link.from : link.to];
        const Point out = stub.end - node;
        const double size = .8 * stage.label;
        const bool sideways = std::abs(out.x) > std::abs(out.y);
        const Anchor anchor = !sideways ? Anchor::middle : out.x < 0 ? Anchor::end : Anchor::start;
        const Point moved =
            sideways ? Point{out.x < 0 ? -1.5 : 1.5, .35 * size} : Point{0, out.y < 0 ? -1.5 : 1 + .75 * size};
        drawing.text(stub.end + moved, std::to_string(stub.node), size, anchor, palette::link);
    }
}

void paint_links(Drawing& drawing, const Stage& stage, const FrameMark& frame)
{
    const auto add = [&](std::uint32_t link) {
        for (const Line& line : stage.fitted.links[link])
            drawing.add_curve(line);
    };
    const std::vector<std::uint32_t>& binding = stage.figure.binding;
    std::ranges::for_each(binding, add);
    drawing.finish_path({.stroke = band, .width = band_width});
    for (std::uint32_t link = 0; link < stage.fitted.links.size(); ++link)
        if (!std::ranges::binary_search(binding, link))
            add(link);
    drawing.finish_path({.stroke = palette::link, .width = link_width});
    std::ranges::for_each(binding, add);
    drawing.finish_path({.stroke = palette::bound, .width = 2 * link_width});
    for (const std::uint32_t link : frame.idle)
        for (const Line& line : stage.lane(link, band_width / 2 + 1))
            drawing.add_curve(line);
    drawing.finish_path({.stroke = palette::wrong, .width = 1.5 * link_width, .dashes = "2 1.5"});
    paint_stubs(drawing, stage);
}

// The cells of one box, from its top left corner on.
struct CellGrid {
    std::size_t columns;
    Point corner;
    double cell;

    // Of `count` cells of a row, filled to a share from below.
    [[nodiscard]] Box part(std::size_t first, std::size_t count, double share) const
    {
        const double left = corner.x + static_cast<double>(first % columns) * cell;
        const double base = corner.y + static_cast<double>(first / columns + 1) * cell;
        return {left, base - share * cell, left + static_cast<double>(count) * cell, base};
    }
};

// How many cells from there on are alike, in its row.
std::size_t alike(const std::vector<CellMark>& cells, std::size_t first, std::size_t columns)
{
    std::size_t end = first + 1;
    while (end < cells.size() && end % columns != 0 && cells[end].share == cells[first].share &&
           cells[end].colour == cells[first].colour)
        ++end;
    return end - first;
}

// Frames of all cells; where no cell is missing, as long lines.
void paint_grid(Drawing& drawing, const std::vector<CellMark>& cells, const CellGrid& grid)
{
    const std::size_t rows = (cells.size() + grid.columns - 1) / grid.columns;
    const auto in_row = [&](std::size_t row) {
        return row >= rows ? 0 : std::min(grid.columns, cells.size() - row * grid.columns);
    };
    const auto at = [&](std::size_t column, std::size_t row) {
        return grid.corner + Point{static_cast<double>(column) * grid.cell, static_cast<double>(row) * grid.cell};
    };
    if (std::ranges::any_of(cells, [](const CellMark& cell) { return cell.share < 0; })) {
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (cells[i].share >= 0)
                drawing.add_box(grid.part(i, 1, 1));
    } else {
        for (std::size_t row = 0; row <= rows; ++row)
            drawing.add_line({at(0, row), at(std::max(in_row(row), row == 0 ? 0 : in_row(row - 1)), row)});
        for (std::size_t column = 0; column <= grid.columns; ++column)
            drawing.add_line({at(column, 0), at(column, in_row(rows - 1) >= column ? rows : rows - 1)});
    }
    const bool fine = grid.cell < 1.5;
    drawing.finish_path({.stroke = fine ? pale : palette::link, .width = fine ? .1 : .2});
}

enum class Lines : std::uint8_t { between, none };

// Filled ones of one colour as one path, then the lines between them.
void paint_cells(Drawing& drawing, const std::vector<CellMark>& cells, const CellGrid& grid, Lines lines)
{
    std::vector<Colour> colours;
    for (const CellMark& cell : cells)
        if (cell.share > 0 && std::ranges::count(colours, cell.colour) == 0)
            colours.push_back(cell.colour);
    for (const Colour& colour : colours) {
        for (std::size_t i = 0, count = 0; i < cells.size(); i += count) {
            count = alike(cells, i, grid.columns);
            if (cells[i].share > 0 && cells[i].colour == colour)
                drawing.add_box(grid.part(i, count, cells[i].share));
        }
        drawing.finish_path({.fill = colour});
    }
    if (lines == Lines::between)
        paint_grid(drawing, cells, grid);
}

void paint_node(Drawing& drawing, const Stage& stage, const NodeMark& mark, NodeId node)
{
    const Point centre = stage.fitted.nodes[node];
    const Box box = stage.node_box(node);
    const double corner = std::min(2.0, .12 * stage.fitted.side);
    if (mark.root)
        drawing.rectangle(grown(box, 1.8), corner + 1.5, {.stroke = palette::ink, .width = outline});
    drawing.rectangle(box, corner,
                      {.fill = palette::white,
                       .stroke = mark.complete ? palette::complete : palette::ink,
                       .width = mark.complete ? 2 * outline : outline});
    const Point inside{stage.figure.columns * stage.cell / -2, stage.figure.rows * stage.cell / -2};
    paint_cells(drawing, mark.cells, {stage.figure.columns, centre + inside, stage.cell}, Lines::between);
    const double size = std::min(.55 * stage.fitted.side, 1.2 * stage.label);
    if (!mark.number.empty())
        drawing.text(centre + Point{0, .36 * size}, mark.number, size, Anchor::middle, palette::ink);
}

void paint_number(Drawing& drawing, const Stage& stage, NodeId node)
{
    const Box box = stage.label_box(node);
    const Point middle{(box.left + box.right) / 2, (box.top + box.bottom) / 2};
    const double reach = std::max(box.right - box.left, box.bottom - box.top) / 2 + .5;
    const bool crossed = std::ranges::any_of(stage.fitted.links, [&](const std::vector<Line>& lines) {
        return std::ranges::any_of(lines, [&](const Line& line) { return distance_to_line(middle, line) < reach; });
    });
    if (crossed)
        drawing.rectangle(grown(box, .4), 0, {.fill = palette::white});
    drawing.text(stage.label_base(node), std::to_string(node), stage.label, Anchor::end, palette::ink);
}

void paint_kept(Drawing& drawing, const Stage& stage, const NodeMark& mark, NodeId node)
{
    const double size = std::max(5.0, .3 * stage.fitted.side);
    if (mark.kept == 0 || stage.fitted.side < 20)
        return;
    const std::string text = std::to_string(mark.kept);
    const Box box = stage.node_box(node);
    const double half = std::max(.6 * size, text_width(text, size) / 2 + .2 * size);
    const Box pill{box.right - half, box.bottom - .6 * size, box.right + half, box.bottom + .6 * size};
    drawing.rectangle(pill, .6 * size, {.fill = palette::white, .stroke = palette::ink, .width = link_width});
    drawing.text({box.right, box.bottom + .36 * size}, text, size, Anchor::middle, palette::ink);
}

// A number as large as its disc allows.
void paint_disc_number(Drawing& drawing, const std::string& number, double radius, Point centre, Colour ground)
{
    const double size = radius * (number.size() > 2 ? .9 : number.size() == 2 ? 1.2 : 1.4);
    drawing.text(centre + Point{0, .36 * size}, number, size, Anchor::middle, text_on(ground));
}

void paint_streak(Drawing& drawing, const Stage& stage, const PacketMark& packet)
{
    const Lane filled = until(stage.lane(packet.link, stage.reach(packet) + .6), *packet.reached);
    for (const double rim : {2 * link_width, .0}) {
        for (const Line& line : filled)
            drawing.add_curve(line);
        drawing.finish_path({.stroke = rim > 0 ? palette::ink : packet.colour, .width = streak_width + rim});
    }
}

void paint_sum(Drawing& drawing, const Stage& stage, const PacketMark& packet, const Place& place)
{
    const double cell = stage.cell * token_share;
    const Point half{stage.figure.columns * cell / 2 + .8, stage.figure.rows * cell / 2 + .8};
    const auto [centre, ahead] = place;
    const Point right{-ahead.y, ahead.x};
    const double x = std::abs(ahead.x) * half.y > std::abs(ahead.y) * half.x ? half.x / std::abs(ahead.x)
                                                                             : half.y / std::abs(ahead.y);
    const Point front = centre + ahead * x;
    drawing.add_polygon({front + ahead * 3, front + right * 2, front - right * 2});
    drawing.finish_path({.fill = palette::ink});
    drawing.rectangle({centre.x - half.x, centre.y - half.y, centre.x + half.x, centre.y + half.y}, .8,
                      {.fill = palette::white, .stroke = palette::ink, .width = link_width});
    paint_cells(drawing, packet.cells, {stage.figure.columns, centre - half + Point{.8, .8}, cell}, Lines::none);
}

void paint_packet(Drawing& drawing, const Stage& stage, const PacketMark& packet, const Place& place)
{
    if (packet.reached)
        paint_streak(drawing, stage, packet);
    if (!packet.cells.empty()) {
        paint_sum(drawing, stage, packet, place);
        return;
    }
    const double radius = stage.reach(packet);
    drawing.add_drop(place.at, radius, place.ahead);
    drawing.finish_path({.fill = packet.colour, .stroke = palette::ink, .width = link_width});
    if (!packet.number.empty() && stage.is_numbered())
        paint_disc_number(drawing, packet.number, radius, place.at, packet.colour);
}

// Small packets of one colour are one path.
void paint_small_packets(Drawing& drawing, const Stage& stage, const FrameMark& frame, const Places& places)
{
    std::vector<Colour> colours;
    for (const PacketMark& packet : frame.packets)
        if (std::ranges::count(colours, packet.colour) == 0)
            colours.push_back(packet.colour);
    for (const Colour& colour : colours) {
        for (std::size_t i = 0; i < frame.packets.size(); ++i)
            if (frame.packets[i].colour == colour && !frame.packets[i].faint)
                drawing.add_drop(places.of[i].at, stage.radius, places.of[i].ahead);
        drawing.finish_path({.fill = colour, .stroke = palette::ink, .width = link_width});
    }
}

void paint_packets(Drawing& drawing, const Stage& stage, const FrameMark& frame)
{
    const Places places = places_of(stage, frame);
    for (std::size_t i = 0; i < frame.packets.size(); ++i)
        if (frame.packets[i].faint)
            drawing.disc(places.of[i].at, stage.reach(frame.packets[i]), {.fill = pale});
    const auto is_plain = [](const PacketMark& packet) { return packet.cells.empty() && !packet.reached; };
    if (!stage.is_numbered() && std::ranges::all_of(frame.packets, is_plain)) {
        paint_small_packets(drawing, stage, frame, places);
        return;
    }
    for (std::size_t i = 0; i < frame.packets.size(); ++i)
        if (!frame.packets[i].faint)
            paint_packet(drawing, stage, frame.packets[i], places.of[i]);
}

}  // namespace

void paint(Drawing& drawing, const Stage& stage, const FrameMark& frame)
{
    paint_links(drawing, stage, frame);
    for (NodeId node = 0; node < frame.nodes.size(); ++node)
        paint_node(drawing, stage, frame.nodes[node], node);
    for (NodeId node = 0; node < frame.nodes.size(); ++node)
        paint_number(drawing, stage, node);
    paint_packets(drawing, stage, frame);
    for (NodeId node = 0; node < frame.nodes.size(); ++node)
        paint_kept(drawing, stage, frame.nodes[node], node);
}

}  // namespace dcube::view

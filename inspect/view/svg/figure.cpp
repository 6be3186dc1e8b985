#include "inspect/view/svg/figure.hpp"

#include "base/lines.hpp"
#include "inspect/view/svg/drawing.hpp"
#include "inspect/view/svg/places.hpp"
#include "inspect/view/svg/stage.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace dcube::view {

namespace {

// The marks of one frame: links, nodes, packets, where a layout has them.

constexpr double link_width = .4;
constexpr double outline = .6;
constexpr double band_width = 3.6;
constexpr double streak_width = 2;  // on a link, as far as it is filled
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
    for (const Line& line : stage.fitted.lost)
        drawing.add_curve(line);
    drawing.finish_path({.stroke = palette::wrong, .width = 1.5 * link_width, .dashes = "1 3"});
    paint_stubs(drawing, stage);
}

// The cells of one box, from its top left corner on.
struct CellGrid {
    std::size_t columns;
    Point corner;
    double cell;

    // The box of `count` cells of a row, filled to a share from below.
    [[nodiscard]] Box part(std::size_t first, std::size_t count, double share) const
    {
        const double left = corner.x + static_cast<double>(first % columns) * cell;
        const double base = corner.y + static_cast<double>(first / columns + 1) * cell;
        return {left, base - share * cell, left + static_cast<double>(count) * cell, base};
    }
};

// The number of cells from there on that are alike, in its row.
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
    if (mark.missing) {  // a box in dashes, crossed out
        drawing.add_box(box);
        drawing.add_line({{box.left, box.top}, {box.right, box.bottom}});
        drawing.add_line({{box.left, box.bottom}, {box.right, box.top}});
        drawing.finish_path({.stroke = palette::wrong, .width = outline, .dashes = "2 2"});
        return;
    }
    const double corner = mark.passes_on ? .5 * (box.right - box.left) : std::min(2.0, .12 * stage.fitted.side);
    if (mark.root)
        drawing.rectangle(grown(box, 1.8), corner + 1.5, {.stroke = palette::ink, .width = outline});
    drawing.rectangle(box, corner,
                      {.fill = palette::white,
                       .stroke = mark.complete ? palette::complete : palette::ink,
                       .width = mark.complete ? 2 * outline : outline});
    const Point inside{stage.figure.columns * stage.cell / -2, stage.figure.rows * stage.cell / -2};
    if (mark.passes_on)
        return;
    paint_cells(drawing, mark.cells, {stage.figure.columns, centre + inside, stage.cell}, Lines::between);
    const double size = std::min(.55 * stage.fitted.side, 1.2 * stage.label);
    if (!mark.number.empty())
        drawing.text(centre + Point{0, .36 * size}, mark.number, size, Anchor::middle, palette::ink);
}

Lane filled_lane(const Stage& stage, const PacketMark& packet)
{
    return until(stage.lane(packet.link, stage.reach(packet) + .6), *packet.reached);
}

// Whether a link, or what fills one, runs through a node's number.
bool is_crossed(const Stage& stage, const FrameMark& frame, const Box& box)
{
    const Point middle{(box.left + box.right) / 2, (box.top + box.bottom) / 2};
    const double reach = std::max(box.right - box.left, box.bottom - box.top) / 2 + .5;
    const auto through = [&](const std::vector<Line>& lines) {
        return std::ranges::any_of(lines, [&](const Line& line) { return distance_to_line(middle, line) < reach; });
    };
    return std::ranges::any_of(stage.fitted.links, through) ||
           std::ranges::any_of(frame.packets, [&](const PacketMark& packet) {
               return packet.reached && through(filled_lane(stage, packet));
           });
}

// Above links and packets.
void paint_number(Drawing& drawing, const Stage& stage, const FrameMark& frame, NodeId node)
{
    const Box box = stage.label_box(node);
    if (is_crossed(stage, frame, box))
        drawing.rectangle(grown(box, .4), 0, {.fill = palette::white});
    drawing.text(stage.label_base(node), std::to_string(node), stage.label, Anchor::end, palette::ink);
}

void paint_kept(Drawing& drawing, const Stage& stage, const NodeMark& mark, NodeId node)
{
    const double size = std::max(5.0, .3 * stage.fitted.side);
    if (mark.missing || mark.kept == 0 || stage.fitted.side < 20)
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
    const Lane filled = filled_lane(stage, packet);
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

// The cross over a packet that is lost there.
void paint_loss(Drawing& drawing, const Stage& stage, const PacketMark& packet, const Point& at)
{
    const double reach = 1.5 * stage.reach(packet);
    drawing.add_line({at - Point{reach, reach}, at + Point{reach, reach}});
    drawing.add_line({at - Point{reach, -reach}, at + Point{reach, -reach}});
    drawing.finish_path({.stroke = palette::wrong, .width = 2 * outline});
}

void paint_whole_packet(Drawing& drawing, const Stage& stage, const PacketMark& packet, const Place& place)
{
    if (packet.reached)
        paint_streak(drawing, stage, packet);
    if (!packet.cells.empty()) {
        paint_sum(drawing, stage, packet, place);
        return;
    }
    const double radius = stage.reach(packet);
    drawing.disc(place.at, radius, {.fill = packet.colour, .stroke = palette::ink, .width = link_width});
    if (!packet.number.empty() && stage.is_numbered())
        paint_disc_number(drawing, packet.number, radius, place.at, packet.colour);
}

void paint_packet(Drawing& drawing, const Stage& stage, const PacketMark& packet, const Place& place)
{
    paint_whole_packet(drawing, stage, packet, place);
    if (packet.lost)
        paint_loss(drawing, stage, packet, place.at);
}

std::vector<Colour> colours_of(const FrameMark& frame)
{
    std::vector<Colour> colours;
    for (const PacketMark& packet : frame.packets)
        if (std::ranges::count(colours, packet.colour) == 0)
            colours.push_back(packet.colour);
    return colours;
}

// Behind a disc, so that its direction is seen; those of one colour are one path. Sums have an arrowhead in front, and
// packets that fill their links a streak.
void paint_tails(Drawing& drawing, const Stage& stage, const FrameMark& frame, const Places& places)
{
    constexpr double tail = 3.6;  // in radii, from the centre
    constexpr double tail_width = 1.1;
    for (const Colour& colour : colours_of(frame)) {
        double radius = stage.radius;
        for (std::size_t i = 0; i < frame.packets.size(); ++i) {
            const PacketMark& packet = frame.packets[i];
            if (packet.colour != colour || packet.faint || packet.reached || !packet.cells.empty())
                continue;
            radius = stage.reach(packet);
            drawing.add_line({places.of[i].at - places.of[i].ahead * (tail * radius), places.of[i].at});
        }
        drawing.finish_path({.stroke = mixed(colour, palette::white, .6), .width = tail_width * radius});
    }
}

// Small packets of one colour are one path.
void paint_small_packets(Drawing& drawing, const Stage& stage, const FrameMark& frame, const Places& places)
{
    for (const Colour& colour : colours_of(frame)) {
        for (std::size_t i = 0; i < frame.packets.size(); ++i)
            if (frame.packets[i].colour == colour && !frame.packets[i].faint)
                drawing.add_disc(places.of[i].at, stage.radius);
        drawing.finish_path({.fill = colour, .stroke = palette::ink, .width = link_width});
    }
}

void paint_packets(Drawing& drawing, const Stage& stage, const FrameMark& frame, const Places& places)
{
    for (std::size_t i = 0; i < frame.packets.size(); ++i)
        if (frame.packets[i].faint)
            drawing.disc(places.of[i].at, stage.reach(frame.packets[i]), {.fill = pale});
    const auto is_plain = [](const PacketMark& packet) {
        return packet.cells.empty() && !packet.reached && !packet.lost;
    };
    if (!stage.is_numbered() && std::ranges::all_of(frame.packets, is_plain)) {
        paint_small_packets(drawing, stage, frame, places);
        return;
    }
    for (std::size_t i = 0; i < frame.packets.size(); ++i)
        if (!frame.packets[i].faint)
            paint_packet(drawing, stage, frame.packets[i], places.of[i]);
}

void paint(Drawing& drawing, const Stage& stage, const FrameMark& frame)
{
    const Places places = places_of(stage, frame);
    paint_links(drawing, stage, frame);
    paint_tails(drawing, stage, frame, places);
    for (NodeId node = 0; node < frame.nodes.size(); ++node)
        paint_node(drawing, stage, frame.nodes[node], node);
    paint_packets(drawing, stage, frame, places);
    for (NodeId node = 0; node < frame.nodes.size(); ++node)
        paint_number(drawing, stage, frame, node);
    for (NodeId node = 0; node < frame.nodes.size(); ++node)
        paint_kept(drawing, stage, frame.nodes[node], node);
}

// The frames of a figure.

constexpr double points_per_mm = 72 / 25.4;
constexpr double gap = 10;            // between frames
constexpr double line_height = 1.25;  // in type sizes
constexpr double letter = .56;        // mean width, in type sizes; not every computer has Helvetica
constexpr double least_nearest = 18;  // points between nodes, in a strip of several frames a row
constexpr double least_frame = 48;    // width

double frame_width(double width, std::size_t in_row)
{
    const auto count = static_cast<double>(in_row);
    return (width - gap * (count - 1)) / count;
}

std::size_t covered(const Stage& stage)
{
    std::size_t sum = 0;
    for (const FrameMark& frame : stage.figure.frames)
        sum += places_of(stage, frame).covered;
    return sum;
}

struct Plan {
    std::size_t in_row;
    Stage stage;
};

enum class Packets : std::uint8_t {
    clear,  // they bear their numbers, and cover nothing
    dots,
};

bool are_clear(const Stage& stage)
{
    const bool numbers = std::ranges::any_of(stage.figure.frames, [](const FrameMark& frame) {
        return std::ranges::any_of(frame.packets, [](const PacketMark& packet) { return !packet.number.empty(); });
    });
    return (!numbers || stage.is_numbered()) && covered(stage) == 0;
}

// The plan with the most frames in a row that can be read; none if that is only one.
std::optional<Plan> rows_of(const Figure& figure, double width, Packets packets)
{
    for (std::size_t in_row = figure.frames.size(); in_row > 1; --in_row) {
        const std::size_t rows = (figure.frames.size() + in_row - 1) / in_row;
        const std::size_t even = (figure.frames.size() + rows - 1) / rows;
        const double each = frame_width(width, even);
        for (const Layout& layout : figure.layouts) {
            Plan plan{even, Stage(figure, layout, each)};
            if (each >= least_frame && plan.stage.fitted.nearest >= least_nearest &&
                (packets == Packets::dots || are_clear(plan.stage)))
                return plan;
        }
    }
    return std::nullopt;
}

// A page shows the first layout. A figure does too, where there is room for numbers and few packets cover anything.
bool is_good_enough(const Stage& stage)
{
    std::size_t packets = 0;
    for (const FrameMark& frame : stage.figure.frames)
        packets += frame.packets.size();
    return stage.is_numbered() && 5 * covered(stage) <= packets;
}

// With one frame in a row, the layout is the page's, or else the one in which packets cover least.
Plan plan_of(const Figure& figure, double width)
{
    for (const Packets packets : {Packets::clear, Packets::dots})
        if (const std::optional<Plan> rows = rows_of(figure, width, packets))
            return *rows;
    if (Stage first(figure, figure.layouts.front(), width); is_good_enough(first))
        return {1, std::move(first)};
    const Layout* best = nullptr;
    std::size_t least = std::numeric_limits<std::size_t>::max();
    for (const Layout& layout : figure.layouts)
        if (const std::size_t here = covered(Stage(figure, layout, width)); here < least) {
            least = here;
            best = &layout;
        }
    return {1, Stage(figure, *best, width)};
}

double points(double width_mm)
{
    if (!(width_mm >= least_width_mm && width_mm <= most_width_mm))
        throw InvalidArgument(fmt::format("a figure of {:.15g} mm is not possible: expected {:.15g} to {:.15g} mm",
                                          width_mm, least_width_mm, most_width_mm));
    return width_mm * points_per_mm;
}

}  // namespace

bool is_numbered(const Figure& figure, double width_mm)
{
    return plan_of(figure, points(width_mm)).stage.is_numbered();
}

std::string svg(const Figure& figure, double width_mm)
{
    const double width = points(width_mm);
    const Plan plan = plan_of(figure, width);
    const Stage& stage = plan.stage;
    const double each = frame_width(width, plan.in_row);
    const bool captions = std::ranges::any_of(figure.frames, [](const FrameMark& one) { return !one.caption.empty(); });
    const double drawn = stage.extent.bottom - stage.extent.top;
    const double row_height = drawn + (captions ? 2 * type_size : 0) + gap;
    const Point to_middle{(each - stage.extent.left - stage.extent.right) / 2, -stage.extent.top};

    Drawing drawing;
    const std::size_t rows = (figure.frames.size() + plan.in_row - 1) / plan.in_row;
    for (std::size_t i = 0; i < figure.frames.size(); ++i) {
        const Point origin{static_cast<double>(i % plan.in_row) * (each + gap),
                           static_cast<double>(i / plan.in_row) * row_height};
        drawing.begin_group(origin + to_middle);
        paint(drawing, stage, figure.frames[i]);
        if (!figure.frames[i].caption.empty())
            drawing.text({(stage.extent.left + stage.extent.right) / 2, stage.extent.bottom + 1.6 * type_size},
                         figure.frames[i].caption, type_size, Anchor::middle, palette::ink);
        drawing.end_group();
    }
    double height = static_cast<double>(rows) * row_height - gap;
    const auto letters = static_cast<std::size_t>(width / (letter * type_size));
    for (const std::string& line : in_lines(figure.legend, letters, letters)) {
        height += line_height * type_size;
        drawing.text({0, height + .4 * type_size}, line, type_size, Anchor::start, palette::ink);
    }
    if (!figure.legend.empty() || captions)
        height += .7 * type_size;  // descenders of the last line of text
    return drawing.file(width_mm, width, height, figure.title, figure.description);
}

}  // namespace dcube::view

#include "view/svg/figure.hpp"

#include "view/svg/drawing.hpp"
#include "view/svg/marks.hpp"
#include "view/svg/places.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>

namespace dcube::view {

namespace {

constexpr double points_per_mm = 72 / 25.4;
constexpr double gap = 10;            // between frames
constexpr double line_height = 1.25;  // of type
constexpr double letter = .56;        // mean width, of type; not every computer has Helvetica
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

// Of several frames as many in a row as can be read; none if that is one.
std::optional<Plan> rows_of(const Figure& figure, double width)
{
    for (std::size_t in_row = figure.frames.size(); in_row > 1; --in_row)
        for (const Layout& layout : figure.layouts)
            if (const double each = frame_width(width, in_row);
                each >= least_frame && Stage(figure, layout, each).fitted.nearest >= least_nearest) {
                const std::size_t rows = (figure.frames.size() + in_row - 1) / in_row;
                const std::size_t even = (figure.frames.size() + rows - 1) / rows;
                return Plan{even, Stage(figure, layout, frame_width(width, even))};
            }
    return std::nullopt;
}

// One in a row is drawn in the layout in which packets cover least.
Plan plan_of(const Figure& figure, double width)
{
    if (const std::optional<Plan> rows = rows_of(figure, width))
        return *rows;
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

// Lines of about that width; words stay whole.
std::vector<std::string> wrapped(const std::string& text, double width)
{
    const auto most = static_cast<std::size_t>(width / (letter * type_size));
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        std::size_t end = std::min(text.find(' ', begin), text.size());
        for (std::size_t next = end; next - begin <= most; next = std::min(text.find(' ', next + 1), text.size())) {
            end = next;
            if (next == text.size())
                break;
        }
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
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
    for (const std::string& line : wrapped(figure.legend, width)) {
        height += line_height * type_size;
        drawing.text({0, height + .4 * type_size}, line, type_size, Anchor::start, palette::ink);
    }
    if (!figure.legend.empty() || captions)
        height += .7 * type_size;  // what hangs below a line of text
    return drawing.file(width_mm, width, height, figure.title, figure.description);
}

}  // namespace dcube::view

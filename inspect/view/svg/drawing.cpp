#include "inspect/view/svg/drawing.hpp"

#include "inspect/view/words/clean.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dcube::view {

namespace {

// "12.5", "12", "0": at most one decimal.
std::string number(double value)
{
    const long long tenths = std::llround(value * 10);
    const long long size = std::llabs(tenths);
    const char* const sign = tenths < 0 ? "-" : "";
    if (size % 10 == 0)
        return fmt::format("{}{}", sign, size / 10);
    return fmt::format("{}{}.{}", sign, size / 10, size % 10);
}

std::string attributes(const Pen& pen)
{
    std::string text = fmt::format(" fill=\"{}\"", pen.fill ? hex(*pen.fill) : "none");
    if (pen.stroke)
        text += fmt::format(" stroke=\"{}\" stroke-width=\"{}\"", hex(*pen.stroke), number(pen.width));
    if (!pen.dashes.empty())
        text += fmt::format(" stroke-dasharray=\"{}\"", pen.dashes);
    return text;
}

}  // namespace

void Drawing::rectangle(const Box& box, double corner, const Pen& pen)
{
    body_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", number(box.left), number(box.top),
                         number(box.right - box.left), number(box.bottom - box.top));
    if (corner > 0)
        body_ += fmt::format(" rx=\"{}\"", number(corner));
    body_ += attributes(pen) + "/>\n";
}

void Drawing::disc(Point centre, double radius, const Pen& pen)
{
    body_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>\n", number(centre.x), number(centre.y),
                         number(radius), attributes(pen));
}

void Drawing::add_disc(Point centre, double radius)
{
    const double r = std::round(radius * 10) / 10;  // as it is written: both halves fit together
    path_ += fmt::format("M{0} {1}a{2} {2} 0 1 1 {3} 0a{2} {2} 0 1 1 -{3} 0Z", number(centre.x - r), number(centre.y),
                         number(r), number(2 * r));
}

void Drawing::text(Point base, std::string_view text, double size, Anchor anchor, Colour colour)
{
    static constexpr std::string_view anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    body_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\"{} fill=\"{}\">{}</text>\n", number(base.x),
                         number(base.y), number(size), anchors[static_cast<std::size_t>(anchor)], hex(colour),
                         escaped(text));
}

void Drawing::begin_group(Point origin)
{
    body_ += fmt::format("<g transform=\"translate({} {})\">\n", number(origin.x), number(origin.y));
}

void Drawing::end_group()
{
    body_ += "</g>\n";
}

void Drawing::add_line(const Line& line)
{
    std::string x;
    std::string y;
    for (std::size_t i = 0; i < line.size(); ++i) {
        std::string now_x = number(line[i].x);
        std::string now_y = number(line[i].y);
        if (i > 0 && now_y == y)
            path_ += 'H' + now_x;
        else if (i > 0 && now_x == x)
            path_ += 'V' + now_y;
        else
            path_ += fmt::format("{}{} {}", i == 0 ? 'M' : 'L', now_x, now_y);
        x = std::move(now_x);
        y = std::move(now_y);
    }
}

void Drawing::add_curve(const Line& line)
{
    if (line.size() < 3) {
        add_line(line);
        return;
    }
    const auto way = [&](std::size_t i) {  // through point i
        return (line[std::min(i + 1, line.size() - 1)] - line[i == 0 ? 0 : i - 1]) * (1.0 / 6);
    };
    path_ += fmt::format("M{} {}", number(line[0].x), number(line[0].y));
    for (std::size_t i = 1; i < line.size(); ++i) {
        const Point out = line[i - 1] + way(i - 1);
        const Point in = line[i] - way(i);
        path_ += fmt::format("C{} {} {} {} {} {}", number(out.x), number(out.y), number(in.x), number(in.y),
                             number(line[i].x), number(line[i].y));
    }
}

void Drawing::add_box(const Box& box)
{
    path_ += fmt::format("M{} {}H{}V{}H{}Z", number(box.left), number(box.top), number(box.right), number(box.bottom),
                         number(box.left));
}

void Drawing::add_polygon(const Line& line)
{
    add_line(line);
    path_ += "Z";
}

void Drawing::finish_path(const Pen& pen)
{
    if (!path_.empty())
        body_ += fmt::format("<path d=\"{}\"{}/>\n", path_, attributes(pen));
    path_.clear();
}

std::string Drawing::file(double width_mm, double width, double height, std::string_view title,
                          std::string_view description) const
{
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{}mm\" height=\"{}mm\" viewBox=\"0 0 {} {}\" "
        "font-family=\"Helvetica, Arial, sans-serif\" stroke-linejoin=\"round\">\n<title>{}</title>\n<desc>{}</desc>\n"
        "{}</svg>\n",
        number(width_mm), number(width_mm * height / width), number(width), number(height), escaped(title),
        escaped(description), body_);
}

}  // namespace dcube::view

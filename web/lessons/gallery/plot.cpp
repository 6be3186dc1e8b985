#include "web/lessons/gallery/plot.hpp"

#include "web/lessons/gallery/markdown.hpp"

#include <dcube/error.hpp>
#include <dcube/link.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <sstream>
#include <string_view>
#include <utility>

namespace dcube::gallery {

namespace {

// A line of CSV; a field in quotes may hold commas and doubled quotes.
std::vector<std::string> fields_of(const std::string& line)
{
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (const char c : line)
        if (c == '"')
            quoted = !quoted;  // a doubled one disappears, which is fine here
        else if (c == ',' && !quoted)
            fields.emplace_back();
        else
            fields.back() += c;
    return fields;
}

std::size_t column_of(const std::vector<std::string>& names, const std::string& name)
{
    const auto found = std::ranges::find(names, name);
    if (found == names.end())
        throw InvalidArgument("a plot: dcube compare has no column " + name);
    return static_cast<std::size_t>(found - names.begin());
}

// "12 288", "0.5"
std::string number(double value)
{
    std::array<char, 32> digits{};
    std::snprintf(digits.data(), digits.size(), "%.10g", std::round(value * 100) / 100);
    std::string text = digits.data();
    const std::size_t point = std::min(text.find('.'), text.size());
    if (point >= 5)
        for (std::size_t at = point; at > 3; at -= 3)
            text.insert(at - 3, "\u202f");
    return text;
}

// The size in the largest unit that makes it a whole number.
std::string bytes_words(double size)
{
    if (size >= 1024 && std::fmod(size, 1024) == 0)
        return number(size / 1024) + " KiB";
    return number(size) + (size == 1 ? " byte" : " bytes");
}

std::size_t best_at(const Plot& plot, std::size_t i, std::size_t so_far)
{
    std::size_t best = so_far;
    for (std::size_t line = 0; line < plot.lines.size(); ++line)
        if (plot.lines[line].values[i] < plot.lines[best].values[i])
            best = line;
    return best;
}

// An axis of the figure, which maps values to places.
struct Axis {
    double low = 0;
    double high = 1;
    double begin = 0;  // the place of low
    double end = 1;
    Axes kind = Axes::linear;
    std::vector<double> ticks{};

    [[nodiscard]] double place(double value) const
    {
        const auto scaled = [&](double v) { return kind == Axes::linear ? v : std::log(v); };
        return begin + (scaled(value) - scaled(low)) / (scaled(high) - scaled(low)) * (end - begin);
    }
};

// Ticks at multiples of 1, 2 or 5 times a power of ten, about five of them, from the one at or below `low`.
std::vector<double> linear_ticks(double low, double high)
{
    const double least = (high - low) / 5;
    const double power = std::pow(10, std::floor(std::log10(least)));
    double step = 10 * power;
    for (const double factor : {5.0, 2.0, 1.0})
        if (factor * power >= least)
            step = factor * power;
    std::vector<double> ticks;
    for (double i = std::floor(low / step); i * step <= high * (1 + 1e-9); ++i)
        ticks.push_back(i * step);
    return ticks;
}

// 1, 2 and 5 times powers of ten, or these only where there are many.
std::vector<double> decade_ticks(double low, double high)
{
    std::vector<double> ticks;
    for (double power = std::pow(10, std::floor(std::log10(low))); power <= high; power *= 10)
        for (const double factor : {1.0, 2.0, 5.0})
            if (factor * power >= low * (1 - 1e-9) && factor * power <= high * (1 + 1e-9) &&
                (factor == 1 || high / low < 500))
                ticks.push_back(factor * power);
    return ticks;
}

constexpr double width = 520;
constexpr double height = 330;

struct Frame {
    Axis x;
    Axis y;
};

Frame frame_of(const Plot& plot)
{
    std::size_t longest = 0;
    double lowest = plot.lines.front().values.front();
    double highest = lowest;
    for (const Line& line : plot.lines) {
        longest = std::max(longest, line.algorithm.size());
        lowest = std::min(lowest, std::ranges::min(line.values));
        highest = std::max(highest, std::ranges::max(line.values));
    }
    const bool logarithmic = plot.axes == Axes::logarithmic;
    Frame frame{.x = {.low = logarithmic ? plot.sizes.front() : 0,
                      .high = plot.sizes.back(),
                      .begin = 58,
                      .end = width - 16 - 7.1 * static_cast<double>(longest),
                      .kind = plot.axes},
                .y = {.low = logarithmic ? lowest / 1.15 : 0,
                      .high = highest * (logarithmic ? 1.15 : 1.06),
                      .begin = height - 44,
                      .end = 26,
                      .kind = plot.axes}};
    if (logarithmic) {
        const std::size_t every = (plot.sizes.size() + 4) / 5;
        for (std::size_t i = 0; i < plot.sizes.size(); i += every)
            frame.x.ticks.push_back(plot.sizes[i]);
    } else {
        frame.x.ticks = linear_ticks(0, frame.x.high);
    }
    if (logarithmic) {
        frame.y.ticks = decade_ticks(frame.y.low, frame.y.high);
    } else {  // from 0, unless a third of the figure were empty
        frame.y.ticks = linear_ticks(lowest > highest / 3 ? lowest : 0, frame.y.high);
        frame.y.low = frame.y.ticks.front();
    }
    return frame;
}

std::string at(double place)
{
    std::array<char, 32> digits{};
    std::snprintf(digits.data(), digits.size(), "%.1f", place);
    return digits.data();
}

std::string text_at(double x, double y, std::string_view anchor, const std::string& text, std::string_view rest = "")
{
    return "<text x=\"" + at(x) + "\" y=\"" + at(y) + "\" text-anchor=\"" + std::string(anchor) + "\"" +
           std::string(rest) + ">" + escaped(text) + "</text>\n";
}

std::string axes_svg(const Plot& plot, const Frame& frame)
{
    const auto& [x, y] = frame;
    std::string svg = "<g class=\"axes\" stroke=\"currentColor\" stroke-opacity=\".16\">\n";
    for (const double tick : x.ticks)
        svg += "<path d=\"M" + at(x.place(tick)) + " " + at(y.begin) + "V" + at(y.end) + "\"/>";
    for (const double tick : y.ticks)
        svg += "<path d=\"M" + at(x.begin) + " " + at(y.place(tick)) + "H" + at(x.end) + "\"/>";
    svg += "\n</g>\n";
    const bool kibibytes = plot.axes == Axes::logarithmic && plot.sizes.front() >= 1024;
    for (const double tick : x.ticks)
        svg += text_at(x.place(tick), y.begin + 17, "middle", number(kibibytes ? tick / 1024 : tick));
    for (const double tick : y.ticks)
        svg += text_at(x.begin - 7, y.place(tick) + 4.5, "end", number(tick));
    return svg + text_at((x.begin + x.end) / 2, height - 8, "middle", kibibytes ? "KiB" : "bytes") +
           text_at(x.begin - 7, 14, "end", plot.unit);
}

// The places of the names at the lines' ends, from the top, far enough from each other.
std::vector<double> label_places(const Plot& plot, const Axis& y)
{
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = 0; i < plot.lines.size(); ++i)
        order.emplace_back(y.place(plot.lines[i].values.back()), i);
    std::ranges::sort(order);
    constexpr double apart = 16;
    for (std::size_t i = 1; i < order.size(); ++i)
        order[i].first = std::max(order[i].first, order[i - 1].first + apart);
    std::vector<double> places(plot.lines.size());
    for (const auto& [place, line] : order)
        places[line] = place;
    return places;
}

std::string lines_svg(const Plot& plot, const Frame& frame)
{
    // Lines differ by their dashes as well as by colours; yellow is left out.
    static constexpr std::array hues{0, 5, 2, 3, 7, 4};
    static constexpr std::array dashes{"", "7 4", "2 4", "10 4 2 4", "4 2", "12 3"};
    const std::vector<double> places = label_places(plot, frame.y);
    std::string svg;
    for (std::size_t i = 0; i < plot.lines.size(); ++i) {
        const Line& line = plot.lines[i];
        const std::string colour = "var(--hue-" + std::to_string(hues[i % hues.size()]) + ", currentColor)";
        svg += "<polyline fill=\"none\" stroke-width=\"2.4\" stroke=\"" + colour + "\" stroke-dasharray=\"" +
               dashes[i % dashes.size()] + "\" points=\"";
        for (std::size_t k = 0; k < plot.sizes.size(); ++k)
            svg.append(k == 0 ? "" : " ")
                .append(at(frame.x.place(plot.sizes[k])))
                .append(",")
                .append(at(frame.y.place(line.values[k])));
        svg += "\"/>\n" + text_at(frame.x.end + 8, places[i] + 4.5, "start", line.algorithm, " font-weight=\"650\"");
    }
    return svg;
}

std::string crossing_words(const Crossing& crossing, const Plot& plot)
{
    if (crossing.from == crossing.to)
        return bytes_words(crossing.size) + ": " + number(crossing.value) + " " + plot.unit;
    if (plot.axes == Axes::linear)
        return "about " + bytes_words(std::round(crossing.size));
    return bytes_words(crossing.from) + " to " + bytes_words(crossing.to);
}

struct Label {
    double x;  // the left end
    double y;  // the foot
    double width;

    [[nodiscard]] bool covers(const Label& other) const
    {
        return x < other.x + other.width && other.x < x + width && std::abs(y - other.y) < 15;
    }
};

// Lines rise: there is room below to the right of a crossing, and above to the left.
Label label_place(double x, double y, double wide, const Frame& frame, const std::vector<Label>& others)
{
    const std::array<Label, 4> places{Label{x + 10, y + 24, wide}, Label{x + 10, y + 42, wide},
                                      Label{x + 10, y + 60, wide}, Label{x - 10 - wide, y - 12, wide}};
    for (const Label& place : places)
        if (place.x >= frame.x.begin && place.x + wide <= width && place.y < frame.y.begin &&
            place.y - 12 > frame.y.end &&
            std::ranges::none_of(others, [&](const Label& other) { return place.covers(other); }))
            return place;
    return places.front();
}

std::string crossings_svg(const Plot& plot, const Frame& frame)
{
    std::string svg;
    std::vector<Label> labels;
    for (const Crossing& crossing : crossings_of(plot)) {
        if (crossing.size == plot.sizes.front())
            continue;  // the lines only begin together
        const double x = frame.x.place(crossing.size);
        const double y = frame.y.place(crossing.value);
        svg += "<circle cx=\"" + at(x) + "\" cy=\"" + at(y) +
               "\" r=\"5\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.6\"/>\n";
        const std::string words = crossing_words(crossing, plot);
        labels.push_back(label_place(x, y, 7.2 * static_cast<double>(words.size()), frame, labels));
        svg += text_at(labels.back().x, labels.back().y, "start", words);
    }
    return svg;
}

}  // namespace

Plot plot_of(const std::string& csv, Axes axes)
{
    std::istringstream text(csv);
    std::string line;
    std::getline(text, line);
    const std::vector<std::string> names = fields_of(line);
    const std::size_t algorithm = column_of(names, "algorithm");
    const std::size_t bytes = column_of(names, "bytes");
    const std::size_t time = column_of(names, "virtual_time_ns");
    const std::size_t steps = column_of(names, "steps");
    std::vector<std::string> order;
    std::map<double, std::map<std::string, double>> values;
    Plot plot{.sizes = {}, .lines = {}, .unit = "ns", .axes = axes};
    while (std::getline(text, line)) {
        const std::vector<std::string> fields = fields_of(line);
        if (fields.size() != names.size())
            continue;  // not a row of the table
        if (fields[time].empty())
            plot.unit = "steps";
        if (std::ranges::find(order, fields[algorithm]) == order.end())
            order.push_back(fields[algorithm]);
        const std::size_t value = fields[time].empty() ? steps : time;
        values[std::stod(fields[bytes])][fields[algorithm]] = parse_rational(names[value], fields[value]).to_double();
    }
    if (values.size() < 2)
        throw InvalidArgument("a plot needs two sizes or more, e.g. --bytes 1KiB:64KiB:x2");
    for (const std::string& name : order)
        plot.lines.push_back({.algorithm = name, .values = {}});
    for (const auto& [size, row] : values) {
        plot.sizes.push_back(size);
        for (Line& drawn : plot.lines) {
            if (!row.contains(drawn.algorithm))
                throw InvalidArgument("a plot: " + drawn.algorithm + " has no value for " + bytes_words(size));
            drawn.values.push_back(row.at(drawn.algorithm));
        }
    }
    return plot;
}

std::vector<Crossing> crossings_of(const Plot& plot)
{
    std::vector<Crossing> crossings;
    std::size_t best = best_at(plot, 0, 0);
    for (std::size_t i = 1; i < plot.sizes.size(); ++i) {
        const std::size_t next = best_at(plot, i, best);
        if (next == best)
            continue;
        const auto& old_values = plot.lines[best].values;
        const auto& new_values = plot.lines[next].values;
        const double before = new_values[i - 1] - old_values[i - 1];
        const double behind = old_values[i] - new_values[i];
        const double share = before / (before + behind);
        // Between two sizes the lines are taken to be straight, as they are drawn.
        const auto between = [&](double a, double b) {
            return plot.axes == Axes::linear ? a + share * (b - a) : a * std::pow(b / a, share);
        };
        const bool equal = before == 0;
        crossings.push_back({.size = between(plot.sizes[i - 1], plot.sizes[i]),
                             .value = between(old_values[i - 1], old_values[i]),
                             .from = plot.sizes[i - 1],
                             .to = equal ? plot.sizes[i - 1] : plot.sizes[i],
                             .before = plot.lines[best].algorithm,
                             .behind = plot.lines[next].algorithm});
        best = next;
    }
    return crossings;
}

std::string words_of(const Plot& plot)
{
    const std::vector<Crossing> crossings = crossings_of(plot);
    if (crossings.empty())
        return plot.lines[best_at(plot, 0, 0)].algorithm + " is best at all sizes.";
    std::string words;
    for (const Crossing& crossing : crossings)
        words += crossing.before + " is best up to " + bytes_words(crossing.from) + ", then ";
    return words + crossings.back().behind + ".";
}

std::string svg_of(const Plot& plot, const std::string& title)
{
    const Frame frame = frame_of(plot);
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + at(width) + " " + at(height) +
           "\" role=\"img\" font-size=\"13\" fill=\"currentColor\">\n<title>" + escaped(title) + "</title>\n<desc>" +
           escaped(words_of(plot)) + "</desc>\n" + axes_svg(plot, frame) + lines_svg(plot, frame) +
           crossings_svg(plot, frame) + "</svg>\n";
}

std::string table_of(const Plot& plot)
{
    std::string html = "<table>\n<thead><tr><th scope=\"col\">bytes</th>";
    for (const Line& line : plot.lines)
        html += "<th scope=\"col\">" + escaped(line.algorithm) + ", " + plot.unit + "</th>";
    html += "</tr></thead>\n<tbody>\n";
    for (std::size_t i = 0; i < plot.sizes.size(); ++i) {
        html += "<tr><th scope=\"row\">" + number(plot.sizes[i]) + "</th>";
        for (const Line& line : plot.lines)
            html += "<td>" + number(line.values[i]) + "</td>";
        html += "</tr>\n";
    }
    return html + "</tbody>\n</table>\n";
}

}  // namespace dcube::gallery

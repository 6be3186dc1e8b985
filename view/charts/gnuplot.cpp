#include "view/charts/gnuplot.hpp"

#include "view/charts/bench_cells.hpp"
#include "view/charts/curves.hpp"
#include "view/palette.hpp"
#include "view/words/clean.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace dcube::view {

namespace {

constexpr int panel_width = 620;
constexpr int figure_height = 640;

// Between single quotes gnuplot takes everything as it stands, but for the quote, which is doubled, and the end of a
// line.
std::string in_quotes(std::string_view text)
{
    std::string result = "'";
    for (const char sign : clean(text, longest_sentence)) {
        result += sign;
        if (sign == '\'')
            result += '\'';
    }
    return result + "'";
}

// Colour, dash and marker of the curve in that place: each of the eight has its own of all three.
std::string look(std::size_t place)
{
    constexpr std::array<std::size_t, most_curves> hues{0, 5, 2, 3, 1, 4, 7, 6};
    constexpr std::array<int, most_curves> markers{7, 5, 9, 13, 11, 15, 6, 4};
    return fmt::format("lw 2 dt {} pt {} ps 0.8 lc rgb '{}'", place % 5 + 1, markers[place],
                       hex(mixed(palette::hues[hues[place]], palette::ink, place == most_curves - 1 ? .3 : 0)));
}

// "$data3 << EOD .. EOD": x, y, low, high, limit of each point.
std::string data_block(std::string_view name, const Curve& curve)
{
    std::string text = fmt::format("{} << EOD\n", name);
    for (const CurvePoint& point : curve.points)
        text += fmt::format("{:.9g} {:.9g} {:.9g} {:.9g} {}\n", point.x, point.y, point.low, point.high,
                            point.limit ? fmt::format("{:.9g}", *point.limit) : "NaN");
    return text + "EOD\n";
}

struct Span {
    double low = INFINITY;
    double high = -INFINITY;
    void take(double value)
    {
        low = std::min(low, value);
        high = std::max(high, value);
    }
};

// Of all values; an interval that is much wider than these differ leaves the frame.
Span span_of(const PanelCurves& panel)
{
    Span values;
    Span ends;
    for (const Curve& curve : panel.curves)
        for (const CurvePoint& point : curve.points) {
            values.take(point.y);
            values.take(point.limit.value_or(point.y));
            ends.take(point.low);
            ends.take(point.high);
        }
    return {std::min(values.low, std::max(ends.low, values.low / 1.5)),
            std::max(values.high, std::min(ends.high, values.high * 1.5))};
}

// A mark at every place that there is, but no more than can be read.
std::string places_of(const PanelCurves& panel)
{
    std::set<double> places;
    for (const Curve& curve : panel.curves)
        for (const CurvePoint& point : curve.points)
            places.insert(point.x);
    const std::size_t every = (places.size() + 7) / 8;
    std::string text;
    std::size_t at = 0;
    for (const double place : places)
        if (at++ % every == 0)
            text += fmt::format("{}'{}' {:.9g}", text.empty() ? "" : ", ",
                                panel.in_bytes ? short_size(place) : fmt::format("{:.0f}", place), place);
    const double first = *places.begin();
    const double last = *places.rbegin();
    const std::string range =
        first < last && panel.x_doubles ? fmt::format("[{:.9g}:{:.9g}]", first / 1.12, last * 1.12)
        : first < last ? fmt::format("[{:.9g}:{:.9g}]", first - (last - first) * .04, last + (last - first) * .04)
                       : fmt::format("[{:.9g}:{:.9g}]", first - 1, last + 1);
    return fmt::format("set xtics ({})\nset xrange {}\n", text, range);
}

// 1, 2, 5, 10, 20 .. between both.
std::string decades(double low, double high)
{
    std::string text;
    for (int power = static_cast<int>(std::floor(std::log10(low))); std::pow(10, power) <= high; ++power)
        for (const double digit : {1., 2., 5.})
            if (const double value = digit * std::pow(10, power); low <= value && value <= high)
                text += fmt::format("{}{:.6g}", text.empty() ? "" : ", ", value);
    return text;
}

std::string axes(const PanelCurves& panel)
{
    const auto [low, high] = span_of(panel);
    const bool doubles = panel.panel == Panel::speed_up && panel.over_threads && panel.x_doubles;
    const bool log_y = doubles || (panel.panel != Panel::speed_up && high / low > 12);
    std::string text = "unset logscale\nset ytics auto\n";
    if (panel.x_doubles)
        text += "set logscale x 2\n";
    text += places_of(panel);
    if (!log_y) {
        const double first = low > .6 * high ? low - (high - low) * .15 : 0;
        return text + fmt::format("set yrange [{:.9g}:{:.9g}]\n", first, high + (high - first) * .1);
    }
    text += fmt::format("set logscale y {}\nset yrange [{:.9g}:{:.9g}]\n", doubles ? 2 : 10, low / 1.3, high * 1.3);
    if (!doubles)
        text += fmt::format("set ytics ({})\n", decades(low / 1.3, high * 1.3));
    return text;
}

std::string_view title_of(Panel panel)
{
    switch (panel) {
    case Panel::speed_up: return "speed-up (times one thread)";
    case Panel::throughput: return "link throughput (GB/s)";
    case Panel::hop: return "time of a hop (ns)";
    }
    return "";
}

std::string draw(const PanelCurves& panel, std::size_t first_block)
{
    std::string all;
    if (panel.all > panel.curves.size())
        all = fmt::format("; {} of {} curves", panel.curves.size(), panel.all);
    std::string text = fmt::format("set title {}\nset xlabel {}\nset ylabel {}\n", in_quotes(panel.common + all),
                                   in_quotes(panel.axis), in_quotes(title_of(panel.panel)));
    text += axes(panel);
    text += "plot ";
    if (panel.panel == Panel::speed_up && panel.over_threads)
        text += "x with lines lw 1.5 dt 2 lc rgb '#58626f' title 'ideal', \\\n  ";
    bool has_limit = false;
    for (std::size_t i = 0; i < panel.curves.size(); ++i) {
        const std::string block = fmt::format("$curve{}", first_block + i);
        const std::string style = look(i);
        const Curve& curve = panel.curves[i];
        text += i == 0 ? "" : ", \\\n  ";
        if (std::ranges::any_of(curve.points, [](const CurvePoint& point) { return point.limit.has_value(); })) {
            text += fmt::format("{} using 1:5 with lines dt 3 lw 1.3 {} notitle, \\\n  ", block,
                                style.substr(style.find("lc rgb")));
            has_limit = true;
        }
        text += fmt::format("{} using 1:2:3:4 with yerrorbars {} dt 1 notitle, \\\n  ", block,
                            "lw 1.6 pt 0 " + style.substr(style.find("lc rgb")));
        text += fmt::format("{} using 1:2 with linespoints {} title {}", block, style,
                            in_quotes(curve.label.empty() ? title_of(panel.panel) : curve.label));
    }
    if (has_limit)
        text += ", \\\n  NaN with lines dt 3 lw 1.3 lc rgb '#58626f' title 'limit of each'";
    return text + "\n";
}

}  // namespace

std::string gnuplot_script(std::string_view json, std::string_view svg_file)
{
    if (clean(svg_file, svg_file.size()) != svg_file)
        throw InvalidArgument("the name of a figure's file must be UTF-8 without control characters");
    const BenchmarkCurves figure = curves_of(json);
    const double columns = std::max<double>(1.4, static_cast<double>(figure.panels.size()));
    std::string text = fmt::format(
        "set encoding utf8\nset terminal svg size {},{} noenhanced font 'Helvetica,15' background '#ffffff'\n",
        static_cast<int>(panel_width * columns), figure_height);
    if (!svg_file.empty())
        text += fmt::format("set output {}\n", in_quotes(svg_file));
    std::size_t block = 0;
    for (const PanelCurves& panel : figure.panels)
        for (const Curve& curve : panel.curves)
            text += data_block(fmt::format("$curve{}", block++), curve);
    text +=
        "set grid lc rgb '#dde2e8' lt 1\nset border 3 lc rgb '#5b6673'\nset tics nomirror\n"
        "set key at graph 0.5, graph -0.22 top center vertical maxrows 4 Left reverse\nset samples 200\nset bars 0.6\n";
    text +=
        fmt::format("set multiplot layout 1,{} title {} noenhanced font ',17' margins {:.3g},0.985,0.33,0.84 spacing "
                    "{:.3g}\n",
                    figure.panels.size(), in_quotes(figure.command), 0.19 / columns, 0.22 / columns);
    text += fmt::format("set label 1 {} at screen 0.01, screen 0.015 left front font ',12' textcolor rgb '#58626f'\n",
                        in_quotes(figure.source));
    block = 0;
    for (const PanelCurves& panel : figure.panels) {
        text += draw(panel, block) + "unset label 1\n";
        block += panel.curves.size();
    }
    return text + "unset multiplot\n";
}

}  // namespace dcube::view

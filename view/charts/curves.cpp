#include "view/charts/curves.hpp"

#include "view/charts/bench_cells.hpp"
#include "view/words/counting.hpp"

#include <dcube/error.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace dcube::view {

namespace {

enum class Over { threads, size, nodes };

// What panels ask of all cells.
struct Whole {
    std::vector<BenchCell> cells;
    bool weak = false;
    bool messages = false;     // messages of several sizes: these are the sizes that curves are drawn over
    bool cubes = false;        // networks are told by their dimension
    bool few_threads = false;  // two numbers of threads make poor curves
};

Whole whole_of(BenchCells read)
{
    Whole whole;
    whole.weak = read.weak;
    whole.cells = std::move(read.cells);
    std::set<std::optional<double>> sizes;
    std::set<double> threads;
    for (const BenchCell& cell : whole.cells) {
        sizes.insert(cell.bytes);
        threads.insert(cell.threads);
    }
    whole.messages = sizes.size() > 1 && !sizes.contains(std::nullopt);
    whole.cubes = std::ranges::all_of(whole.cells, [](const BenchCell& cell) { return cell.dimension.has_value(); });
    whole.few_threads = threads.size() < 3;
    return whole;
}

// "torus:4x4" and "torus:8x8" are one family.
std::string family(const BenchCell& cell)
{
    if (cell.dimension)
        return "hypercube";
    std::string text;
    for (const char sign : cell.names[network_name])
        if (std::isdigit(static_cast<unsigned char>(sign)) == 0)
            text += sign;
        else if (text.empty() || text.back() != 'n')
            text += 'n';
    return text;
}

// The names that the cells of a curve share.
CellNames shared(const BenchCell& cell, Over over, const Whole& whole)
{
    CellNames names = cell.names;
    const std::string weak = counted(static_cast<std::uint64_t>(cell.nodes / cell.threads), "node") + " a thread";
    if (over == Over::threads) {
        names[thread_count].clear();
        if (whole.weak)
            names[network_name] = family(cell) + ", " + weak;
    } else if (over == Over::size && whole.messages) {
        names[message_size].clear();
    } else {
        names[network_name] = family(cell);
        if (whole.weak)
            names[thread_count] = weak;
    }
    return names;
}

std::optional<double> place(const BenchCell& cell, Over over, const Whole& whole)
{
    if (over == Over::threads)
        return cell.threads;
    if (over == Over::nodes)
        return whole.cubes ? *cell.dimension : cell.nodes;
    const std::optional<double> size = whole.messages ? cell.bytes : cell.size_bytes;
    return size && *size > 0 ? size : std::nullopt;
}

// A rate falls with the seconds of an interval (sign -1), a time grows (1).
CurvePoint scaled_point(const BenchCell& cell, double x, double y, int sign)
{
    const auto at = [&](double seconds) { return y * std::pow(seconds / cell.median, sign); };
    CurvePoint point{x, y, y, y, std::nullopt};
    if (cell.interval) {
        const std::array<double, 2> ends{at((*cell.interval)[0]), at((*cell.interval)[1])};
        point.low = std::ranges::min(ends);
        point.high = std::ranges::max(ends);
    }
    if (cell.limit && *cell.limit > 0)
        point.limit = at(*cell.limit);
    return point;
}

std::optional<CurvePoint> point_of(const BenchCell& cell, Panel panel, Over over, const Whole& whole)
{
    const std::optional<double> x = place(cell, over, whole);
    if (!x)
        return std::nullopt;
    if (panel == Panel::speed_up) {
        if (!cell.speed_up || *cell.speed_up <= 0 || (over != Over::threads && cell.threads < 2))
            return std::nullopt;
        const Interval ends = cell.speed_up_interval.value_or(Interval{*cell.speed_up, *cell.speed_up});
        return CurvePoint{*x, *cell.speed_up, ends[0], ends[1], std::nullopt};
    }
    const std::optional<double> value = panel == Panel::throughput ? cell.link_bytes_per_second : cell.ns_per_hop;
    if (!value || *value <= 0)
        return std::nullopt;
    return panel == Panel::throughput ? scaled_point(cell, *x, *value / 1e9, -1) : scaled_point(cell, *x, *value, 1);
}

using Named = std::vector<std::pair<CellNames, std::vector<CurvePoint>>>;

std::set<std::string> values_of(const Named& curves, std::size_t variable)
{
    std::set<std::string> values;
    for (const auto& [names, points] : curves)
        values.insert(names[variable]);
    return values;
}

Named with(const Named& curves, std::size_t variable, const std::string& value)
{
    Named left;
    std::ranges::copy_if(curves, std::back_inserter(left),
                         [&](const auto& one) { return one.first[variable] == value; });
    return left;
}

// Leaves as many as are drawn. That variable is fixed at its first value which leaves the most curves but not too many;
// if none does, the one that leaves the fewest, and so on.
Named few_of(Named curves)
{
    while (curves.size() > most_curves) {
        Named best;
        Named least;
        for (std::size_t variable = 0; variable < variable_count; ++variable) {
            if (values_of(curves, variable).size() < 2)
                continue;
            Named left = with(curves, variable, curves.front().first[variable]);
            if (left.size() <= most_curves && left.size() > best.size())
                best = left;
            if (least.empty() || left.size() < least.size())
                least = std::move(left);
        }
        curves = best.empty() ? least : best;
    }
    return curves;
}

Named named_curves(Panel panel, Over over, const Whole& whole)
{
    Named curves;
    std::map<CellNames, std::size_t> known;
    for (const BenchCell& cell : whole.cells) {
        const std::optional<CurvePoint> point = point_of(cell, panel, over, whole);
        if (!point)
            continue;
        const CellNames names = shared(cell, over, whole);
        const auto [found, is_new] = known.try_emplace(names, curves.size());
        if (is_new)
            curves.emplace_back(names, std::vector<CurvePoint>());
        curves[found->second].second.push_back(*point);
    }
    for (auto& [names, points] : curves)
        std::ranges::stable_sort(points, {}, &CurvePoint::x);
    return curves;
}

// A curve is one only if it has two places.
bool is_long(const Named::value_type& curve)
{
    return curve.second.front().x < curve.second.back().x;
}

std::string axis_of(Over over, const Whole& whole)
{
    if (over == Over::threads)
        return "threads";
    if (over == Over::size)
        return whole.messages ? "bytes of a message" : "bytes of a node in all";
    return whole.cubes ? "dimension" : "nodes";
}

PanelCurves panel_curves(Panel panel, Over over, Named curves, const Whole& whole)
{
    PanelCurves made;
    made.panel = panel;
    made.all = curves.size();
    made.axis = axis_of(over, whole);
    made.in_bytes = over == Over::size;
    made.over_threads = over == Over::threads;
    curves = few_of(std::move(curves));
    std::vector<std::string> common;
    std::vector<std::size_t> different;
    for (std::size_t variable = 0; variable < variable_count; ++variable)
        if (values_of(curves, variable).size() > 1)
            different.push_back(variable);
        else if (variable <= thread_count)
            common.push_back(curves.front().first[variable]);
    made.common = listed(common);
    double most = 0;
    for (auto& [names, points] : curves) {
        std::vector<std::string> label;
        for (const std::size_t variable : different)
            label.push_back(names[variable]);
        most = std::max(most, points.back().x);
        made.curves.push_back({listed(label), std::move(points)});
    }
    made.x_doubles = over == Over::size || (over == Over::nodes ? !whole.cubes : most > 8);
    return made;
}

// Over the first of these that makes curves; of the time of a hop there are points in any case.
std::optional<PanelCurves> panel_of(Panel panel, std::initializer_list<Over> overs, const Whole& whole)
{
    for (const Over over : overs) {
        Named curves = named_curves(panel, over, whole);
        std::erase_if(curves, [](const auto& curve) { return !is_long(curve); });
        if (!curves.empty())
            return panel_curves(panel, over, std::move(curves), whole);
    }
    Named points = named_curves(panel, Over::nodes, whole);
    if (panel != Panel::hop || points.empty())
        return std::nullopt;
    return panel_curves(panel, Over::nodes, std::move(points), whole);
}

}  // namespace

BenchmarkCurves curves_of(std::string_view json)
{
    BenchCells read = bench_cells(json);
    BenchmarkCurves made{read.command, read.source, {}};
    const Whole whole = whole_of(std::move(read));
    const auto add = [&](std::optional<PanelCurves> panel) {
        if (panel)
            made.panels.push_back(std::move(*panel));
    };
    add(whole.few_threads ? panel_of(Panel::speed_up, {Over::nodes, Over::size, Over::threads}, whole)
                          : panel_of(Panel::speed_up, {Over::threads, Over::nodes, Over::size}, whole));
    add(panel_of(Panel::throughput, {Over::size, Over::nodes, Over::threads}, whole));
    add(panel_of(Panel::hop, {Over::nodes, Over::size, Over::threads}, whole));
    if (made.panels.empty())
        throw InvalidArgument("there is nothing to draw: the benchmark has no cell with the time of a hop");
    return made;
}

}  // namespace dcube::view

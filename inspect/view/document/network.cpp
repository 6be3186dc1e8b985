#include "inspect/view/document/network.hpp"

#include "inspect/view/layouts/geometry.hpp"
#include "inspect/view/layouts/layout.hpp"
#include "inspect/view/words/clean.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

namespace dcube::view {

namespace {

constexpr std::size_t longest_name = 40;

// A whole number is written without a fraction, which is shorter.
Json number_json(double number)
{
    const auto whole = static_cast<std::int64_t>(number);
    return static_cast<double>(whole) == number ? Json(whole) : Json(number);
}

Json box_json(const Box& box)
{
    return {number_json(box.left), number_json(box.top), number_json(box.right), number_json(box.bottom)};
}

Json lines_json(const std::vector<Line>& lines)
{
    Json told = Json::array();
    for (const Line& line : lines) {
        Json points = Json::array();
        for (const Point& point : line) {
            points.push_back(number_json(point.x));
            points.push_back(number_json(point.y));
        }
        told.push_back(std::move(points));
    }
    return told;
}

// Whether `other` is `lines` moved by `by`. Places are rounded to thousandths.
bool moved_by(Point by, const std::vector<Line>& lines, const std::vector<Line>& other)
{
    constexpr double rounding = 2.5e-3;
    const auto same_point = [&](const Point& here, const Point& there) {
        const Point off = there - here - by;
        return std::abs(off.x) < rounding && std::abs(off.y) < rounding;
    };
    return std::ranges::equal(
        lines, other, [&](const Line& line, const Line& moved) { return std::ranges::equal(line, moved, same_point); });
}

// Most bends of a lattice are one shape in many places: a bend like an earlier one, seen from its link's first node, is
// written as the earlier link's number.
Json bends_json(const Variant& variant, std::span<const UndirectedLink> links)
{
    Json bends = Json::object();
    std::vector<std::uint32_t> shapes;
    for (const auto& [link, lines] : variant.bends) {
        const Point start = variant.nodes[links[link].from];
        const auto same = std::ranges::find_if(shapes, [&](std::uint32_t earlier) {
            return moved_by(start - variant.nodes[links[earlier].from], variant.bends.at(earlier), lines);
        });
        Json& told = bends[std::to_string(link)];
        if (same != shapes.end()) {
            told = *same;
            continue;
        }
        told = lines_json(lines);
        shapes.push_back(link);
    }
    return bends;
}

Json variant_json(const Variant& variant, std::span<const UndirectedLink> links)
{
    Json x = Json::array();
    Json y = Json::array();
    for (const Point& node : variant.nodes) {
        x.push_back(number_json(node.x));
        y.push_back(number_json(node.y));
    }
    Json stubs = Json::array();
    for (const Stub& stub : variant.stubs)
        stubs.push_back({stub.link, number_json(stub.end.x), number_json(stub.end.y), stub.node});
    Json json{{"stretch", variant.stretch},
              {"x", std::move(x)},
              {"y", std::move(y)},
              {"box", box_json(variant.box)},
              {"bends", bends_json(variant, links)},
              {"stubs", std::move(stubs)}};
    if (!variant.lost.empty())
        json["lost"] = lines_json(variant.lost);
    return json;
}

Json layout_json(const Layout& layout, std::span<const UndirectedLink> links)
{
    Json variants = Json::array();
    for (const Variant& variant : layout.variants)
        variants.push_back(variant_json(variant, links));
    Json json{{"name", layout.name}, {"variants", std::move(variants)}};
    if (layout.on_demand)
        json["on_demand"] = true;
    return json;
}

Json groups_json(const Topology& topology)
{
    if (topology.nodes() <= most_drawn_unasked)
        return nullptr;
    const Groups groups = groups_of(topology);
    if (groups.layouts.empty())
        return nullptr;
    Json names = Json::array();
    for (const std::string& name : groups.names)
        names.push_back(clean(name, longest_name));
    Json links = Json::array();
    for (const UndirectedLink& link : groups.links) {
        links.push_back(link.from);
        links.push_back(link.to);
    }
    return {{"of", groups.of},
            {"names", std::move(names)},
            {"layout", layout_json(groups.layouts.front(), groups.links)},
            {"links", std::move(links)}};
}

Json relative_json(const Relative& relative)
{
    switch (relative.relation()) {
    case Relation::exclusive_or: return "xor";
    case Relation::digits: return {{"digits", relative.sizes()}};
    case Relation::plain: break;
    }
    return "plain";
}

Json links_json(std::span<const UndirectedLink> all)
{
    Json links = Json::array();
    for (const UndirectedLink& link : all)
        for (const std::uint64_t number : {link.from, link.to, link.from_port, link.to_port, link.dimension})
            links.push_back(number);
    return links;
}

}  // namespace

Json network_json(const Topology& topology, const Relative& relative, std::optional<NodeId> root)
{
    const std::vector<UndirectedLink> links = undirected_links(topology);
    Json layouts = Json::array();
    for (const Layout& layout : layouts_of(topology, root))
        layouts.push_back(layout_json(layout, links));
    Json network{{"name", clean(topology.name(), longest_title)},
                 {"nodes", topology.nodes()},
                 {"links", links_json(links)},
                 {"relative", relative_json(relative)},
                 {"layouts", std::move(layouts)},
                 {"groups", groups_json(topology)}};
    if (topology.dimension() > 1 && !topology.is_hypercube())
        for (unsigned i = 0; i < topology.dimension(); ++i)
            network["coordinates"].push_back(topology.factor(i).nodes());
    if (!topology.fabric().switches.empty())
        network["switches"] = topology.fabric().switches;
    return network;
}

LinkNumbers::LinkNumbers(const Topology& topology)
    : topology_(topology), numbers_(allocatable(topology.directed_links()))
{
    std::uint32_t number = 0;
    for (const UndirectedLink& link : undirected_links(topology)) {
        numbers_[as_size(topology.link(link.from, link.from_port))] = number++;
        numbers_[as_size(topology.link(link.to, link.to_port))] = number++;
    }
}

}  // namespace dcube::view

#include "web/lessons/gallery/shorter.hpp"

#include <algorithm>
#include <regex>
#include <sstream>
#include <utility>
#include <vector>

namespace dcube::gallery {

namespace {

/// An element in one line, in two parts: what it hands on to elements in it, and the rest.
struct Element {
    std::string whole;
    std::string handed_on;
    std::string rest;
};

bool is_handed_on(const std::string& attribute)
{
    static const std::vector<std::string> names{"fill",           "stroke",        "stroke-width", "stroke-linejoin",
                                                "stroke-linecap", "text-anchor",   "font-size",    "font-weight",
                                                "fill-opacity",   "stroke-opacity"};
    return std::ranges::find(names, attribute) != names.end();
}

// Nothing in `handed_on` if the line is no such element.
Element element_in(const std::string& line)
{
    static const std::regex form(R"re(<(path|text|rect|circle|line)((?: [\w-]+="[^"]*")+)(/>|>.*</\w+>))re");
    static const std::regex attribute(R"re( ([\w-]+)="[^"]*")re");
    Element element{.whole = line, .handed_on = {}, .rest = {}};
    std::smatch parts;
    if (!std::regex_match(line, parts, form))
        return element;
    const std::string attributes = parts[2];
    element.rest = "<" + parts[1].str();
    for (std::sregex_iterator found(attributes.begin(), attributes.end(), attribute), end; found != end; ++found)
        (is_handed_on((*found)[1]) ? element.handed_on : element.rest) += found->str();
    element.rest += parts[3];
    return element;
}

}  // namespace

std::string shorter(const std::string& svg)
{
    static const std::regex colour(R"re(#([0-9a-f])\1([0-9a-f])\2([0-9a-f])\3")re");
    std::istringstream lines(std::regex_replace(svg, colour, "#$1$2$3\""));
    std::string text;
    std::vector<Element> alike;
    const auto close = [&] {
        const bool group = alike.size() > 1 && !alike.front().handed_on.empty();
        if (group)
            text += "<g" + alike.front().handed_on + ">\n";
        for (const Element& element : alike)
            text += (group ? element.rest : element.whole) + '\n';
        if (group)
            text += "</g>\n";
        alike.clear();
    };
    for (std::string line; std::getline(lines, line);) {
        Element element = element_in(line);
        if (!alike.empty() && (element.handed_on.empty() || element.handed_on != alike.front().handed_on))
            close();
        alike.push_back(std::move(element));
    }
    close();
    return text;
}

}  // namespace dcube::gallery

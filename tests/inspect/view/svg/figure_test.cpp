// Figures: what stands in the file.

#include "inspect/view/svg/figure.hpp"

#include "inspect/view/svg/drawing.hpp"
#include "inspect/view/svg/lanes.hpp"
#include "inspect/view/svg/places.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"

#include <algorithm>
#include <cmath>
#include <regex>

using namespace dcube;
using namespace dcube::view;
using test_support::contains;
using test_support::count_of;

namespace {

Figure of(const char* network, std::size_t frames = 1)
{
    const Topology topology = Topology::parse(network);
    Figure figure{.title = "A title",
                  .description = "What is seen",
                  .legend = "A legend",
                  .layouts = {layouts_of(topology).at(0)},
                  .links = undirected_links(topology)};
    for (std::size_t i = 0; i < frames; ++i) {
        FrameMark& frame = figure.frames.emplace_back();
        frame.caption = "step " + std::to_string(i + 1);
        for (NodeId node = 0; node < topology.nodes(); ++node)
            frame.nodes.push_back({.cells = {{node == 0 ? 1.0 : 0.0, palette::hues[0]}}});
    }
    return figure;
}

// Each <text> with its place.
struct Text {
    double x;
    double y;
    std::string text;
};
std::vector<Text> texts(const std::string& file)
{
    static const std::regex one("<text x=\"([-0-9.]+)\" y=\"([-0-9.]+)\"[^>]*>([^<]*)</text>");
    std::vector<Text> all;
    for (std::sregex_iterator i(file.begin(), file.end(), one), end; i != end; ++i)
        all.push_back({std::stod((*i)[1]), std::stod((*i)[2]), (*i)[3]});
    return all;
}

}  // namespace

TEST_CASE("figure: a file has its size in mm, a title, a description, and nothing that runs or is fetched", "[view]")
{
    const std::string file = svg(of("hypercube:3"), 84);
    CHECK(file.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"84mm\" height=\""));
    CHECK(contains(file, "viewBox=\"0 0 238.1 "));
    CHECK(contains(file, "<title>A title</title>\n<desc>What is seen</desc>"));
    CHECK(file.ends_with("</svg>\n"));
    for (const char* const foreign :
         {"<script", "<style", "<filter", "<image", "<use", "href", "url(", "@font", "opacity"})
        CHECK_FALSE(contains(file, foreign));
    CHECK(file == svg(of("hypercube:3"), 84));
}

TEST_CASE("figure: no number has more than one digit after the point", "[view]")
{
    Figure figure = of("hypercube:5", 3);
    figure.binding = {1, 2, 3};
    figure.frames[0].packets = {{.link = 3, .number = "5", .colour = palette::hues[1]}};
    const std::string file = svg(figure, 123.4);
    const std::string marks = file.substr(file.find("<desc>"));
    CHECK_FALSE(std::regex_search(marks, std::regex("[0-9]\\.[0-9][0-9]")));
    CHECK_FALSE(std::regex_search(marks, std::regex("-0[\" ]|[ \"]nan|[ \"]inf")));
}

TEST_CASE("figure: text is text, and none of it ends a tag", "[view]")
{
    Figure figure = of("hypercube:2");
    figure.title = "</title><script>alert(1)</script>";
    figure.frames[0].caption = "a < b & \"c\"\x01";
    const std::string file = svg(figure, 60);
    CHECK(contains(file, "<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;</title>"));
    CHECK(contains(file, ">a &lt; b &amp; &quot;c&quot; </text>"));
    CHECK(contains(file, ">A legend</text>"));
}

TEST_CASE("figure: every node has its box and its number, and a packet its disc, its tail and its number", "[view]")
{
    Figure figure = of("hypercube:3");
    figure.frames[0].packets = {{.link = 0, .number = "77", .colour = palette::hues[6]},
                                {.link = 1, .number = "78", .colour = palette::hues[7]}};
    figure.frames[0].nodes[5].complete = true;
    figure.frames[0].nodes[6].root = true;
    const std::string file = svg(figure, 120);
    CHECK(count_of(file, "<rect ") == 8 + 1);  // and the root's second frame
    CHECK(count_of(file, hex(palette::complete)) == 1);
    CHECK(count_of(file, "<circle ") == 2);
    for (const std::size_t hue : {6U, 7U})
        CHECK(count_of(file, "stroke=\"" + hex(mixed(palette::hues[hue], palette::white, .6))) == 1);
    std::vector<std::string> numbers;
    for (const Text& text : texts(file))
        numbers.push_back(text.text);
    for (const char* const number : {"0", "1", "2", "3", "4", "5", "6", "7", "77", "78", "step 1"})
        CHECK(std::ranges::count(numbers, number) == 1);
    CHECK(contains(file, "fill=\"#000000\">77<"));  // on yellow
    CHECK(contains(file, "fill=\"#ffffff\">78<"));  // on near black
}

TEST_CASE("figure: a node that is missing is crossed out, with its number", "[view]")
{
    Figure figure = of("hypercube:3");
    figure.frames[0].nodes[5].missing = true;
    figure.frames[0].nodes[5].kept = 3;
    const std::string file = svg(figure, 120);
    CHECK(count_of(file, "<rect ") == 7);
    CHECK(count_of(file, hex(palette::wrong)) == 1);
    CHECK(count_of(file, ">5</text>") == 1);
    CHECK(count_of(file, ">3</text>") == 1);  // node 3
}

TEST_CASE("figure: only links that bind are purple, and only idle ones red", "[view]")
{
    Figure figure = of("hypercube:3");
    CHECK_FALSE(contains(svg(figure, 84), hex(palette::bound)));
    CHECK_FALSE(contains(svg(figure, 84), hex(palette::wrong)));
    figure.binding = {2};
    figure.frames[0].idle = {4, 5};
    CHECK(count_of(svg(figure, 84), hex(palette::bound)) == 1);
    CHECK(count_of(svg(figure, 84), hex(palette::wrong)) == 1);
}

TEST_CASE("figure: frames stand in rows that fill the width, each with its caption", "[view]")
{
    const auto places = [](double width_mm, std::size_t frames) {
        const std::string file = svg(of("hypercube:3", frames), width_mm);
        std::vector<std::pair<double, double>> found;
        static const std::regex group("translate\\(([-0-9.]+) ([-0-9.]+)\\)");
        for (std::sregex_iterator i(file.begin(), file.end(), group), end; i != end; ++i)
            found.emplace_back(std::stod((*i)[2]), std::stod((*i)[1]));
        CHECK(count_of(file, ">step ") == frames);
        return found;
    };
    const auto wide = places(180, 4);
    REQUIRE(wide.size() == 4);
    CHECK(wide[0].first == wide[3].first);  // one row
    CHECK(wide[1].second > wide[0].second + 100);
    const auto narrow = places(84, 4);
    CHECK(narrow[0].first == narrow[1].first);  // two and two
    CHECK(narrow[2].first > narrow[0].first + 40);
    CHECK(narrow[2].second == narrow[0].second);
}

TEST_CASE("figure: packets on crossing links do not cover each other, and if they must, another layout is taken",
          "[view]")
{
    Figure figure = of("hypercube:4");
    figure.layouts = layouts_of(Topology::hypercube(4));
    REQUIRE(figure.layouts.size() == 2);
    figure.frames[0].caption = figure.legend = "";
    const std::string empty = svg(figure, 84);
    for (std::uint32_t link = 0; link < 64; ++link)
        figure.frames[0].packets.push_back({.link = link, .number = "9", .colour = palette::hues[0]});
    const std::string full = svg(figure, 84);
    figure.layouts = {figure.layouts[1]};
    CHECK(svg(figure, 84) == full);
    CHECK(is_numbered(figure, 84));
    figure.frames[0].packets.clear();
    CHECK(svg(figure, 84) != empty);

    const Topology cube = Topology::hypercube(3);
    Figure crowd = of("hypercube:3");
    for (std::uint32_t link = 0; link < 24; ++link)
        crowd.frames[0].packets.push_back({.link = link});
    const Stage stage(crowd, layouts_of(cube).at(0), 238);
    const Places places = places_of(stage, crowd.frames[0]);
    CHECK(places.covered == 0);
    for (std::size_t a = 0; a < 24; ++a)
        for (std::size_t b = 0; b < a; ++b)
            CHECK(length(places.of[a].at - places.of[b].at) > 2 * stage.radius);
}

TEST_CASE("figure: nothing that is drawn lies outside the file", "[view]")
{
    for (const char* const network : {"ring:6", "hypercube:3", "hypercube:5", "torus:4x4", "petersen"}) {
        Figure figure = of(network);
        figure.frames[0].caption = figure.legend = "";
        for (NodeMark& node : figure.frames[0].nodes)
            node.kept = 12;
        for (std::uint32_t link = 0; link < 2 * figure.links.size(); ++link)
            figure.frames[0].packets.push_back({.link = link, .colour = palette::hues[1]});
        const Stage stage(figure, figure.layouts[0], 238);
        INFO(network);
        CHECK(stage.extent.right - stage.extent.left <= 240);
        for (const Place& place : places_of(stage, figure.frames[0]).of) {
            CHECK(place.at.x - stage.radius > stage.extent.left);
            CHECK(place.at.x + stage.radius < stage.extent.right);
            CHECK(place.at.y - stage.radius > stage.extent.top);
            CHECK(place.at.y + stage.radius < stage.extent.bottom);
        }
    }
}

TEST_CASE("figure: a width that nobody prints is refused", "[view][negative]")
{
    for (const double width : {0.0, -3.0, 19.0, 2001.0, std::nan("")})
        CHECK(contains(test_support::error_of([&] { static_cast<void>(svg(of("hypercube:2"), width)); }),
                       "mm is not possible: expected 20 to 2000 mm"));
}

TEST_CASE("lanes: the two directions of a link keep to their right, and both begin and end at the boxes", "[view]")
{
    const Box box{-10, -5, 10, 5};
    const std::vector<Line> link{{{0, 0}, {100, 0}}};
    const Lane there = lane_beside(link, 3, box);
    CHECK(there[0].front().x == Approx(10).margin(.01));
    CHECK(there[0].back().x == Approx(90).margin(.01));
    CHECK(there[0].front().y == 3);
    const Lane back = lane_beside(backwards(link), 3, box);
    CHECK(back[0].front().x == Approx(90).margin(.01));
    CHECK(back[0].front().y == -3);
    const Place place = along(there, .25);
    CHECK(place.at.x == Approx(30).margin(.01));
    CHECK(place.ahead == Point{1, 0});
    CHECK(along(back, .25).at.x == Approx(70).margin(.01));
}

TEST_CASE("lanes: a lane ends where it is filled to, also where it has left the drawing", "[view]")
{
    const Box box{-1, -1, 1, 1};
    const std::vector<Line> link{{{0, 0}, {-11, 0}}, {{111, 0}, {100, 0}}};
    const Lane lane = lane_beside(link, 0, box);
    CHECK(length_of(lane) == Approx(20).margin(.01));
    CHECK(until(lane, .25).size() == 1);
    CHECK(until(lane, .25)[0].back().x == Approx(-6).margin(.01));
    CHECK(until(lane, .75).size() == 2);
    CHECK(until(lane, .75)[1].back().x == Approx(106).margin(.01));
    CHECK(length_of(until(lane, .75)) == Approx(15).margin(.01));
}

TEST_CASE("lanes: on a link that leaves the drawing a packet goes out on one side and comes in on the other", "[view]")
{
    const Box box{-1, -1, 1, 1};
    const Lane lane = lane_beside({{{0, 0}, {-11, 0}}, {{111, 0}, {100, 0}}}, 0, box);
    CHECK(along(lane, .25).at.x == Approx(-6));
    CHECK(along(lane, .75).at.x == Approx(106));
    CHECK(along(lane, 1).at.x == Approx(101).margin(.01));
}

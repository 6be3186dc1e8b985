// Plots of what dcube compare prints.

#include "tests/support/catch.hpp"
#include "web/lessons/gallery/plot.hpp"

#include <dcube/error.hpp>

#include <array>
#include <cmath>
#include <string>
#include <vector>

using namespace dcube;
using namespace dcube::gallery;
using Catch::Contains;

namespace {

// The columns that a plot reads, and one with a comma in it.
std::string csv(const std::string& rows)
{
    return "schema,algorithm,paper,bytes,steps,virtual_time_ns\n" + rows;
}

const std::string two_lines = csv("1,a,\"A & B, section 2\",0,3,300\n1,b,\"B <c>\",0,4,400\n"
                                  "1,a,,200,3,500\n1,b,,200,4,1000/2\n"
                                  "1,a,,400,3,700\n1,b,,400,4,600\n");

}  // namespace

TEST_CASE("a plot has a line for each algorithm and the places where the best one changes", "[lessons]")
{
    const Plot plot = plot_of(two_lines, Axes::linear);
    CHECK(plot.unit == "ns");
    CHECK(plot.sizes == std::vector<double>{0, 200, 400});
    REQUIRE(plot.lines.size() == 2);
    CHECK(plot.lines[1].algorithm == "b");
    CHECK(plot.lines[1].values == std::vector<double>{400, 500, 600});
    const std::vector<Crossing> crossings = crossings_of(plot);
    REQUIRE(crossings.size() == 1);
    CHECK(crossings[0].size == 200);  // both are equal there
    CHECK(crossings[0].from == crossings[0].to);
    CHECK(crossings[0].value == 500);
    CHECK(words_of(plot) == "a is best up to 200 bytes, then b.");
}

TEST_CASE("between two sizes a crossing lies where the drawn lines meet", "[lessons]")
{
    const std::string rows = "1,a,,1024,3,100\n1,b,,1024,4,200\n1,a,,4096,3,400\n1,b,,4096,4,200\n";
    const Crossing linear = crossings_of(plot_of(csv(rows), Axes::linear)).at(0);
    CHECK(std::abs(linear.size - 2048) < 1e-6);
    CHECK(std::abs(linear.value - 200) < 1e-6);
    CHECK(linear.from == 1024);
    CHECK(linear.to == 4096);
    const Plot logarithmic = plot_of(csv(rows), Axes::logarithmic);
    CHECK_THAT(svg_of(logarithmic, "c"), Contains(">1 KiB to 4 KiB</text>"));
}

TEST_CASE("a plot's figure has equal distances for equal differences, and says in words what it shows", "[lessons]")
{
    const std::string svg = svg_of(plot_of(two_lines, Axes::linear), "dcube compare <x>");
    CHECK_THAT(svg, Contains("<title>dcube compare &lt;x&gt;</title>") &&
                        Contains("<desc>a is best up to 200 bytes, then b.</desc>") &&
                        Contains(">200 bytes: 500 ns</text>"));
    // The middle point of a straight line is half-way.
    std::size_t at = svg.find("points=\"") + 8;
    std::array<double, 3> x{};
    std::array<double, 3> y{};
    for (std::size_t i = 0; i < 3; ++i) {
        x.at(i) = std::stod(svg.substr(at));
        at = svg.find(',', at) + 1;
        y.at(i) = std::stod(svg.substr(at));
        at = svg.find_first_of(" \"", at) + 1;
    }
    CHECK(std::abs((x[1] - x[0]) - (x[2] - x[1])) < 0.2);
    CHECK(std::abs((y[1] - y[0]) - (y[2] - y[1])) < 0.2);
    CHECK_THAT(table_of(plot_of(two_lines, Axes::linear)),
               Contains("<th scope=\"col\">b, ns</th>") &&
                   Contains("<tr><th scope=\"row\">400</th><td>700</td><td>600</td></tr>"));
}

TEST_CASE("a plot without two sizes, or with a gap, is refused", "[lessons]")
{
    CHECK_THROWS_AS(plot_of(csv("1,a,,0,3,300\n"), Axes::linear), InvalidArgument);
    CHECK_THROWS_AS(plot_of(csv("1,a,,0,3,300\n1,a,,8,3,300\n1,b,,8,3,300\n"), Axes::linear), InvalidArgument);
    CHECK_THROWS_AS(plot_of("algorithm,steps\na,3\n", Axes::linear), InvalidArgument);
}

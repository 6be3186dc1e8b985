// A benchmark's figure: what is drawn of a document, and a script in which its texts are texts.

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"
#include "tests/view/benchmarks.hpp"
#include "view/charts/curves.hpp"
#include "view/charts/gnuplot.hpp"

#include <algorithm>
#include <vector>

using namespace dcube;
using namespace test_support;
using view::Panel;

namespace {

std::vector<Panel> panels_of(const view::BenchmarkCurves& figure)
{
    std::vector<Panel> panels;
    for (const view::PanelCurves& panel : figure.panels)
        panels.push_back(panel.panel);
    return panels;
}

}  // namespace

TEST_CASE("curves: three panels of a sweep, with what each is drawn over", "[view][charts]")
{
    const view::BenchmarkCurves figure = view::curves_of(bench_sweep({6, 8}, {64, 4096}, {1, 2, 4}).dump());
    REQUIRE(panels_of(figure) == std::vector{Panel::speed_up, Panel::throughput, Panel::hop});
    CHECK(figure.source == "dcube 0.1.0, 0123abc, A made-up processor, 2026-01-02T03:04:05Z");
    const view::PanelCurves& speed_up = figure.panels[0];
    CHECK(speed_up.axis == "threads");
    CHECK(speed_up.common == "all-to-all, optimal");
    REQUIRE(speed_up.curves.size() == 4);
    CHECK(speed_up.curves[1].label == "d = 6, 4 KiB");
    REQUIRE(speed_up.curves[1].points.size() == 3);
    CHECK(speed_up.curves[1].points[2].x == 4);
    CHECK(speed_up.curves[1].points[2].y == 4);
    CHECK(speed_up.curves[1].points[2].low == Approx(3.6));
    CHECK(speed_up.curves[1].points[2].high == Approx(4.4));
    CHECK(figure.panels[1].axis == "bytes of a message");
    CHECK(figure.panels[1].curves.size() == 6);
    CHECK(figure.panels[2].axis == "dimension");
    CHECK(figure.panels[2].curves[0].label == "64 B, 1 thread");
}

TEST_CASE("curves: a rate's interval and its limit are those of the time, turned round", "[view][charts]")
{
    // 2^8 * 2^8 * 8 / 2 hops of 64 bytes in 1 ms; the interval is .5 to 2 ms, the limit .25 ms.
    const view::BenchmarkCurves figure = view::curves_of(bench_sweep({8}, {64, 128}, {1}).dump());
    REQUIRE(panels_of(figure) == std::vector{Panel::throughput, Panel::hop});
    const view::CurvePoint& rate = figure.panels[0].curves[0].points[0];
    CHECK(rate.y == Approx(16.777216));
    CHECK(rate.low == Approx(rate.y / 2));
    CHECK(rate.high == Approx(rate.y * 2));
    CHECK(rate.limit.value() == Approx(rate.y * 4));
    CHECK(figure.panels[1].axis == "bytes of a message");
    const view::CurvePoint& hop = figure.panels[1].curves[0].points[0];
    CHECK(hop.y == Approx(1e6 / 262144));
    CHECK(hop.low == Approx(hop.y / 2));
    CHECK(hop.high == Approx(hop.y * 2));
    CHECK(hop.limit.value() == Approx(hop.y / 4));
}

TEST_CASE("curves: two numbers of threads give a speed-up over networks, without the cells it is of", "[view][charts]")
{
    const view::BenchmarkCurves figure = view::curves_of(bench_sweep({6, 7, 8}, {64}, {1, 2}).dump());
    const view::PanelCurves& speed_up = figure.panels[0];
    CHECK(speed_up.axis == "dimension");
    REQUIRE(speed_up.curves.size() == 1);
    CHECK(std::ranges::all_of(speed_up.curves[0].points, [](const view::CurvePoint& point) { return point.y == 2; }));
}

TEST_CASE("curves: no panel without data; one cell alone is a point of the last", "[view][charts]")
{
    const view::BenchmarkCurves one = view::curves_of(benchmark_of({bench_cell(6, 64, 1)}).dump());
    REQUIRE(panels_of(one) == std::vector{Panel::hop});
    CHECK(one.panels[0].curves[0].points.size() == 1);

    nlohmann::json bare = bench_cell(6, 64, 1);
    for (const char* key : {"bytes", "packets", "size_bytes", "interval_seconds", "ns_per_hop", "link_bytes_per_second",
                            "speed_up", "speed_up_interval", "limit_seconds"})
        bare[key] = nullptr;
    CHECK(contains(error_of([&] { view::curves_of(benchmark_of({bare}).dump()); }), "nothing to draw"));
    CHECK(contains(error_of([] { view::curves_of(benchmark_of({}).dump()); }), "nothing to draw"));
    CHECK(view::curves_of(benchmark_of({bare, bench_cell(6, 64, 1)}).dump()).panels[0].curves.size() == 1);
}

TEST_CASE("curves: of many, those are drawn that have one thing in common", "[view][charts]")
{
    const view::BenchmarkCurves figure =
        view::curves_of(bench_sweep({6, 7, 8, 9, 10, 11, 12}, {8, 64, 512}, {1, 2, 4}).dump());
    const view::PanelCurves& speed_up = figure.panels[0];
    CHECK(speed_up.all == 21);
    CHECK(speed_up.curves.size() == 7);
    CHECK(speed_up.common == "all-to-all, optimal, 8 B");
    CHECK(speed_up.curves[6].label == "d = 12");
}

TEST_CASE("curves: weak scaling compares networks that grow with the threads", "[view][charts]")
{
    nlohmann::json document = benchmark_of({bench_cell(6, 64, 1), bench_cell(7, 64, 2), bench_cell(8, 64, 4),
                                            bench_cell(7, 64, 1), bench_cell(8, 64, 2), bench_cell(9, 64, 4)});
    document["settings"]["weak"] = true;
    const view::PanelCurves speed_up = view::curves_of(document.dump()).panels[0];
    REQUIRE(speed_up.curves.size() == 2);
    CHECK(speed_up.curves[1].label == "hypercube, 128 nodes a thread");
    CHECK(speed_up.curves[1].points.size() == 3);
}

TEST_CASE("gnuplot script: it draws every panel into the file, or into standard output", "[view][charts]")
{
    const std::string json = bench_sweep({6, 8}, {64, 4096}, {1, 2, 4}).dump();
    const std::string script = view::gnuplot_script(json, "it's a figure.svg");
    CHECK(contains(script, "set output 'it''s a figure.svg'\n"));
    CHECK(contains(script, "set multiplot layout 1,3 "));
    CHECK(count_of(script, "\nplot ") == 3);
    CHECK(contains(script, "set xtics ('64 B' 64, '4 KiB' 4096)"));
    CHECK(contains(script, "title 'd = 6, 4 KiB'"));
    CHECK(contains(script, "\n4 4 3.6 4.4 NaN\n"));
    CHECK_FALSE(contains(view::gnuplot_script(json), "set output"));
    CHECK(contains(error_of([&] { view::gnuplot_script(json, "a\nb"); }), "without control characters"));
}

TEST_CASE("gnuplot script: an interval far wider than all values does not flatten them", "[view][charts]")
{
    nlohmann::json document = bench_sweep({6, 7}, {64}, {1, 2, 4});
    document["cells"][2]["speed_up_interval"] = {.1, 4000};
    const std::string script = view::gnuplot_script(document.dump());
    CHECK(contains(script, "\n4 4 0.1 4000 NaN\n"));
    CHECK(contains(script, "set yrange [0:6.6]\n"));
}

TEST_CASE("gnuplot script: a document's texts stay between quotes", "[view][charts]")
{
    nlohmann::json document = bench_sweep({6, 7}, {64}, {1, 2});
    const std::string evil = "x'\nsystem('touch harmed') \"`touch harmed`\" @x EOD\n";
    document["command"] = document["host"]["cpu"] = evil;
    for (nlohmann::json& cell : document["cells"])
        cell["collective"] = cell["channel"] = evil;
    document["cells"][0]["channel"] = "other";
    const std::string script = view::gnuplot_script(document.dump());
    CHECK_FALSE(contains(script, "\nsystem"));
    CHECK(count_of(script, "\nEOD\n") == count_of(script, "<< EOD\n"));
    for (std::size_t at = script.find("x'"); at != std::string::npos; at = script.find("x'", at + 1))
        CHECK(script.substr(at, 3) == "x''");
}

TEST_CASE("gnuplot script: what is no benchmark is refused", "[view][charts]")
{
    const auto refused = [](const nlohmann::json& document) {
        return contains(error_of([&] { view::gnuplot_script(document.dump()); }), "not a benchmark's document");
    };
    CHECK(contains(error_of([] { view::gnuplot_script("{"); }), "not a benchmark's document"));
    CHECK(refused(nlohmann::json::array()));
    CHECK(refused({{"schema", 1}, {"kind", "limits"}, {"cells", nlohmann::json::array()}}));
    nlohmann::json document = bench_sweep({6}, {64}, {1});
    document["schema"] = 2;
    CHECK(refused(document));
    for (const char* key : {"nodes", "threads", "median_seconds"})
        for (const nlohmann::json& value :
             {nlohmann::json(), nlohmann::json(0), nlohmann::json(-1), nlohmann::json("x")}) {
            document = bench_sweep({6}, {64}, {1});
            document["cells"][0][key] = value;
            CHECK(refused(document));
        }
    document = bench_sweep({6}, {64}, {1});
    document["cells"][0]["nodes"] = 1e300;
    CHECK(refused(document));
    document["cells"][0] = 5;
    CHECK(refused(document));
}

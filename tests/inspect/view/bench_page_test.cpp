// The page of a benchmark: one file, in which nothing that a document says is markup or script.

#include "inspect/view/html/bench_page.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"

#include <nlohmann/json.hpp>

#include <regex>
#include <string>
#include <vector>

using namespace dcube;
using namespace test_support;

namespace {

// Made-up benchmarks: the shapes of docs/report.md, and no figure in them was measured.

// A total exchange on a hypercube that takes `seconds`, of which one thread would take twice as many.
nlohmann::json bench_cell(unsigned dimension, unsigned bytes, unsigned threads, double seconds = 1e-3)
{
    const double nodes = static_cast<double>(1U << dimension);
    const double hops = nodes * nodes * dimension / 2;
    return {{"collective", "all-to-all"},
            {"algorithm", "optimal"},
            {"asked", "auto"},
            {"topology", "hypercube:" + std::to_string(dimension)},
            {"nodes", 1U << dimension},
            {"ports", "all"},
            {"link_model", "unit"},
            {"bytes", bytes},
            {"packets", 1},
            {"rows", nullptr},
            {"columns", nullptr},
            {"threads", threads},
            {"channel", "slots"},
            {"pin", "none"},
            {"size_bytes", nodes * bytes},
            {"count", 3},
            {"median_seconds", seconds},
            {"interval_seconds", {seconds * .5, seconds * 2}},
            {"ns_per_hop", seconds * 1e9 / hops},
            {"link_bytes_per_second", hops * bytes / seconds},
            {"speed_up", threads},
            {"speed_up_interval", {threads * .9, threads * 1.1}},
            {"limit_seconds", seconds * .25},
            {"doubts", nlohmann::json::array()},
            {"rounds", nlohmann::json::array()}};
}

nlohmann::json benchmark_of(std::vector<nlohmann::json> cells)
{
    return {{"schema", 1},
            {"kind", "benchmark"},
            {"command", "dcube bench all-to-all"},
            {"date", "2026-01-02T03:04:05Z"},
            {"program", {{"version", "1.0.0"}, {"commit", "0123abc"}}},
            {"host", {{"cpu", "A made-up processor"}}},
            {"settings", {{"weak", false}}},
            {"warnings", nlohmann::json::array()},
            {"limits", nullptr},
            {"left_out", nlohmann::json::array()},
            {"cells", std::move(cells)}};
}

// Every combination of these.
nlohmann::json bench_sweep(const std::vector<unsigned>& dimensions, const std::vector<unsigned>& sizes,
                           const std::vector<unsigned>& threads)
{
    std::vector<nlohmann::json> cells;
    for (const unsigned dimension : dimensions)
        for (const unsigned bytes : sizes)
            for (const unsigned count : threads)
                cells.push_back(bench_cell(dimension, bytes, count));
    return benchmark_of(std::move(cells));
}

// Two benchmarks compared, as measure::comparison_document() writes it.
nlohmann::json bench_comparison()
{
    return {{"schema", 1},
            {"kind", "benchmark comparison"},
            {"differences", {{{"what", "compiler"}, {"old", "GNU 12.2.0"}, {"new", "Clang 16.0.6"}}}},
            {"cells",
             {{{"cell", "all-to-all, hypercube:6, 64 B, 2 threads"},
               {"old_median_seconds", 1e-3},
               {"new_median_seconds", 1.25e-3},
               {"ratio", 1.25},
               {"ratio_interval", {1.125, 1.5}},
               {"p_value", 0.001},
               {"verdict", "slower"},
               {"equal_within", nullptr},
               {"doubts", {"old: few: only 3 samples were not disturbed"}}}}},
            {"only_old", nlohmann::json::array()},
            {"only_new", nlohmann::json::array()}};
}

}  // namespace

TEST_CASE("bench page: the page has its title, a text that needs no script, and the document", "[view][charts]")
{
    const nlohmann::json document = bench_sweep({6, 7}, {64}, {1, 2});
    const std::string page = view::bench_page(document.dump());
    CHECK(count_of(page, "<title>Benchmark: dcube bench all-to-all</title>") == 1);
    CHECK(count_of(page, "<!--dcube:") == 0);
    CHECK(count_of(page, "id=\"view-0\"") == 1);
    CHECK(count_of(page, "<td>hypercube:7</td>") == 2);
    CHECK(contains(page, document.dump()));
}

TEST_CASE("bench page: the page is one file that needs no network, with a policy that forbids other scripts",
          "[view][charts]")
{
    const std::string page = view::bench_page(bench_sweep({6}, {64}, {1}).dump());
    CHECK(count_of(page, "<script>") == 1);
    CHECK(contains(page, "content=\"default-src 'none'; script-src 'sha256-"));
    CHECK_FALSE(contains(page, "unsafe-inline"));
    for (const char* source :
         {"src=\"", "url(http", "@import", "<link ", "<iframe", "fetch(", "XMLHttpRequest", "WebSocket"})
        CHECK(count_of(page, source) == 0);
    CHECK_FALSE(std::regex_search(page.substr(0, page.find("<script>")), std::regex("https?://")));
    CHECK(page.size() < 380'000);
}

TEST_CASE("bench page: whatever a document holds, its script ends where it should", "[view][charts]")
{
    const std::string evil = "</script><script>alert(1)</script><img src=x onerror=alert(1)><!--";
    nlohmann::json document = bench_sweep({6}, {64}, {1});
    document["command"] = document["warnings"][0] = document["cells"][0]["collective"] = evil;
    const std::string page = view::bench_page(document.dump());
    CHECK_FALSE(contains(page, "<script>alert"));
    CHECK_FALSE(contains(page, "alert(1)</script>"));
    CHECK_FALSE(contains(page, "<img"));
    CHECK(contains(page, R"(\u003c/script>\u003cscript>alert(1)\u003c/script>)"));
    CHECK(contains(page, "<td>&lt;/script&gt;&lt;script&gt;alert(1)"));
}

TEST_CASE("bench page: a document that is no benchmark is refused", "[view][charts]")
{
    for (const char* text : {"", "{", "[]", "null", "{}", R"({"kind":"limits","cells":[]})", R"({"kind":"benchmark"})",
                             R"({"kind":"benchmark","cells":5})", R"({"kind":"benchmark","cells":[5]})"})
        CHECK(contains(error_of([&] { view::bench_page(text); }), "wants a JSON object"));
}

TEST_CASE("bench page: a table without a script has what decides: speed-up, share of the limit, doubts",
          "[view][charts]")
{
    nlohmann::json document = bench_sweep({6}, {64}, {2});
    document["cells"][0]["share_of_limit"] = 0.75;
    document["cells"][0]["doubts"] = {"few: only 3 samples", "limit: it is busy"};
    const std::string page = view::bench_page(document.dump());
    CHECK(contains(page, "<td>2</td><td>2</td><td>0.75</td><td>few: only 3 samples; limit: it is busy</td>"));
}

TEST_CASE("bench page: compared benchmarks have a page with their names, and a table that needs no script",
          "[view][charts]")
{
    const std::string page = view::comparison_page(bench_comparison().dump(), "old.json", "new.json");
    CHECK(count_of(page, "<title>Benchmarks compared: new.json against old.json</title>") == 1);
    CHECK(count_of(page, "<!--dcube:") == 0);
    CHECK(contains(page, "<td>all-to-all, hypercube:6, 64 B, 2 threads</td><td>slower</td><td>1.25</td>"
                         "<td>1.125; 1.5</td>"));
    CHECK(contains(page, R"("old":"old.json")"));
    CHECK(contains(page, R"("new":"new.json")"));
}

TEST_CASE("bench page: names and cells of a comparison are no markup", "[view][charts]")
{
    const std::string evil = "</script><script>alert(1)</script>";
    nlohmann::json document = bench_comparison();
    document["cells"][0]["cell"] = document["cells"][0]["doubts"][0] = evil;
    const std::string page = view::comparison_page(document.dump(), evil, "new \xff.json");
    CHECK_FALSE(contains(page, "<script>alert"));
    CHECK_FALSE(contains(page, "alert(1)</script>"));
    CHECK(contains(page, "<td>&lt;/script&gt;&lt;script&gt;alert(1)"));
}

TEST_CASE("bench page: a document that is no comparison is refused", "[view][charts]")
{
    for (const char* text : {"", "[]", "{}", R"({"kind":"benchmark","cells":[]})", R"({"kind":"benchmark comparison"})",
                             R"({"kind":"benchmark comparison","cells":[5]})"})
        CHECK(contains(error_of([&] { view::comparison_page(text, "old", "new"); }), "wants a JSON object"));
}

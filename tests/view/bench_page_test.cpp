// The page of a benchmark: one file, in which nothing that a document says is markup or script.

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"
#include "tests/view/benchmarks.hpp"
#include "view/html/bench_page.hpp"

#include <regex>

using namespace dcube;
using namespace test_support;

TEST_CASE("bench page: it has its title, what can be read without a script, and the document", "[view][charts]")
{
    const nlohmann::json document = bench_sweep({6, 7}, {64}, {1, 2});
    const std::string page = view::bench_page(document.dump());
    CHECK(count_of(page, "<title>Benchmark: dcube bench all-to-all</title>") == 1);
    CHECK(count_of(page, "<!--dcube:") == 0);
    CHECK(count_of(page, "id=\"view-0\"") == 1);
    CHECK(count_of(page, "<td>hypercube:7</td>") == 2);
    CHECK(contains(page, document.dump()));
}

TEST_CASE("bench page: it is one file that asks no network, with a policy that forbids other scripts", "[view][charts]")
{
    const std::string page = view::bench_page(bench_sweep({6}, {64}, {1}).dump());
    CHECK(count_of(page, "<script>") == 1);
    CHECK(contains(page, "content=\"default-src 'none'; script-src 'sha256-"));
    CHECK_FALSE(contains(page, "unsafe-inline"));
    for (const char* source :
         {"src=\"", "url(http", "@import", "<link ", "<iframe", "fetch(", "XMLHttpRequest", "WebSocket"})
        CHECK(count_of(page, source) == 0);
    CHECK_FALSE(std::regex_search(page.substr(0, page.find("<script>")), std::regex("https?://")));
    CHECK(page.size() < 350'000);
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

TEST_CASE("bench page: what is no benchmark is refused", "[view][charts]")
{
    for (const char* text : {"", "{", "[]", "null", "{}", R"({"kind":"limits","cells":[]})", R"({"kind":"benchmark"})",
                             R"({"kind":"benchmark","cells":5})", R"({"kind":"benchmark","cells":[5]})"})
        CHECK(contains(error_of([&] { view::bench_page(text); }), "wants a JSON object"));
}

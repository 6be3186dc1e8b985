// Pages: one file, in which nothing that a stranger wrote is markup or script.

#include "inspect/view/html/built_page.hpp"
#include "inspect/view/html/page.hpp"
#include "inspect/view/words/clean.hpp"
#include "tests/inspect/view/recordings.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"

using namespace dcube;
using namespace test_support;
using view::Film;

TEST_CASE("page: text is escaped", "[view]")
{
    CHECK(view::escaped("<b a=\"1\" c='2'>&") == "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;");
}

TEST_CASE("page: the page has its title, a text that needs no script, and the document", "[view]")
{
    const Film film(*recording_of(Topology::hypercube(3), {Collective::all_to_all, 8}));
    const std::string page = view::film_page(std::span(&film, 1), "dcube view all-to-all --dim 3");
    CHECK(count_of(page, "<title>Total exchange on a 3-cube</title>") == 1);
    CHECK(page.find("<title>dcube</title>") == std::string::npos);
    CHECK(page.find("<!--dcube:") == std::string::npos);
    CHECK(count_of(page, "<h1>Total exchange on a 3-cube</h1>") == 1);
    CHECK(page.find("the fewest there can be") != std::string::npos);
    CHECK(count_of(page, "id=\"view-0\"") == 1);
}

TEST_CASE("page: the page of a small run is below 220 000 bytes", "[view]")
{
    const Film film(*recording_of(Topology::hypercube(4), {Collective::all_to_all, 8}));
    CHECK(view::film_page(std::span(&film, 1), "dcube view all-to-all").size() < 220'000);
}

TEST_CASE("page: whatever a document holds, its script ends where it should", "[view]")
{
    const std::string evil = R"({"title":"</script><script>alert(1)</script><!--"})";
    const std::string page = view::filled(view::built_page(), "</title><script>alert(2)</script>", "<p>x</p>", evil);
    CHECK(page.find("alert(1)</script>") == std::string::npos);
    CHECK(page.find("<script>alert") == std::string::npos);
    CHECK(page.find(R"({"title":"\u003c/script>\u003cscript>alert(1)\u003c/script>\u003c!--"})") != std::string::npos);
    CHECK(page.find("<title>&lt;/title&gt;&lt;script&gt;alert(2)&lt;/script&gt;</title>") != std::string::npos);
}

TEST_CASE("page: a network's name and a judge's message are text", "[view]")
{
    Recording recording;
    recording.topology = Topology::product({Graph::from_edges("<img src=x onerror=alert(1)>\xE2\x80\xAE",
                                                              std::vector<std::pair<NodeId, NodeId>>{{0, 1}})});
    recording.problem = {Collective::broadcast, 8};
    recording.links_used = {};
    recording.ending = Ending{.message = "line 1: </script><script>alert(1)</script>\n\033[2J", .line = 1};
    const Film film(recording);
    const std::string page = view::film_page(std::span(&film, 1), "dcube view --trace '</script>'");
    CHECK(page.find("<img") == std::string::npos);
    CHECK(page.find("<script>alert") == std::string::npos);
    CHECK(page.find('\033') == std::string::npos);
    CHECK(page.find("\xE2\x80\xAE") == std::string::npos);
}

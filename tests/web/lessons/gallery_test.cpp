// The pages that the gallery makes of lessons, with films that stand in for those of dcube view.

#include "tests/support/catch.hpp"
#include "web/lessons/gallery/markdown.hpp"
#include "web/lessons/gallery/pages.hpp"
#include "web/lessons/gallery/schedule.hpp"
#include "web/lessons/gallery/shorter.hpp"

#include <dcube/error.hpp>

#include <regex>
#include <string>
#include <vector>

using namespace dcube;
using namespace dcube::gallery;

namespace {

const std::string player = R"(<!doctype html>
<html lang="en">
<head>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-x='; style-src 'sha256-abc='; form-action 'none'">
<title>dcube</title>
<style>:root{--ink: #111}:root[data-theme=dark]{--ink: #eee}p{margin:0}</style>
</head>
<body>
<main>
<!--dcube:static-->
</main>
<!--dcube:data-->
</body>
</html>
)";

const std::string beats = R"(
::: view send --dim 1 @step=1 @colour=hops
One.
::: ask Is `1 < 2`?
*Yes.*
:::
:::
::: view send --dim 2 --tau 1 @step=3 @time=40
Two.
:::
::: view send --dim 1 @step=0
Three.
:::
::: ask How many?
Look.
- [ ] *3* => Too few.
- [x] 4
Because.
:::
::: note
Let them vote.
:::
::: exercise steps 16
How many?
```sh
./dcube run send --dim 1
```
- 8 => Twice
  that.
::: solution
[Two](#node=2) nodes.
:::
:::
::: exercise choose
Which?
- [x] a
- [x] b => Yes.
- [ ] c
:::
)";

std::vector<Lesson> two_lessons()
{
    const std::string rest = "minutes: 10\naim: To <know>.\npicture: send --dim 4 @step=2\n";
    return {parse_lesson("01-a", "---\ntitle: Why \"a\"?\n" + rest + "---\nSee [it](02-b.md).\n" + beats),
            parse_lesson("02-b", "---\ntitle: Why b?\nneeds: 01-a\n" + rest + "---\n")};
}

const Films films{
    .document = [](const std::string& arguments) { return R"({"title":"A run of )" + arguments + "\",\"films\":[]}"; },
    .figure = [](const View& view,
                 Captions) { return "<svg>" + view.arguments + " at " + view.state.at("step") + "</svg>"; },
    .comparison =
        [](const std::string& arguments) {
            return "algorithm,bytes,steps,virtual_time_ns\n" + arguments.substr(0, 1) + ",1,3,10\nx,1,3,20\n" +
                   arguments.substr(0, 1) + ",2,3,30\nx,2,3,20\n";
        },
    .trace = [](const std::string&) -> std::string { throw InvalidArgument("no table is asked for"); },
    .request = [](const std::string& arguments) { return "{\"of\":\"" + arguments + "\"}"; }};

// The lines of a trace that a table needs: step, sender, port, origin and target of each packet.
std::string trace_of(const std::string& network, const std::vector<std::vector<int>>& hops)
{
    std::string trace =
        R"({"dcube_trace":1,"collective":"all-to-all","topology":")" + network + "\",\"ports\":\"all\"}\n";
    for (const std::vector<int>& hop : hops)
        trace += R"({"step":)" + std::to_string(hop[0]) + R"(,"from":)" + std::to_string(hop[1]) +
                 R"(,"to":9,"port":)" + std::to_string(hop[2]) + R"(,"bytes":64,"start_ns":null,"pieces":[{"origin":)" +
                 std::to_string(hop[3]) + R"(,"target":)" + std::to_string(hop[4]) + R"(,"offset":0,"length":64}]})" +
                 "\n";
    return trace;
}

// Its rows, without the elements.
std::string text_of_table(const std::string& arguments, const std::string& trace)
{
    const std::string html = schedule_table(view_of(arguments), trace);
    static const std::regex cell_end("</t[hd]>(?=<t[hd])");
    static const std::regex tag("<[^>]*>");
    return std::regex_replace(std::regex_replace(html, cell_end, "|"), tag, "");
}

}  // namespace

TEST_CASE("gallery: sliders have a film for each value, plots a figure and its numbers", "[lessons]")
{
    const Lesson lesson =
        parse_lesson("01-a", "---\ntitle: A?\nminutes: 10\naim: B.\npicture: send --dim 2 @step=1\n---\n"
                             "::: view send --dim {d=1|*2} --bytes {m=4|8} @step=1\nC.\n:::\n"
                             "::: plot broadcast --bytes 1:2:x2\nD.\n:::\n");
    const std::string page = lesson_page(lesson, {lesson}, player, films);
    CHECK_THAT(page, Catch::Contains("data-view=\"0\" data-sliders=\"d:dim=1|2 m:bytes=4|8\" data-documents=\"1 2 0 "
                                     "3\" data-requests=\"[{&quot;of"));
    CHECK_THAT(page, Catch::Contains("id=\"view-3\">{\"title\":\"A run of send --dim 2 --bytes 8\","));
    CHECK_THAT(page, Catch::Contains("<figure class=\"plot\" data-unit=\"ns\">\n<svg "));
    CHECK_THAT(page,
               Catch::Contains("<p>D.</p>\n<p><code>./dcube compare broadcast --bytes 1:2:x2</code></p></figcaption>"));
    CHECK_THAT(page, Catch::Contains("<tr><th scope=\"row\">2</th><td>30</td><td>20</td></tr>"));
}

TEST_CASE("gallery: the figure of a network that grows is its last film's", "[lessons]")
{
    const Lesson lesson =
        parse_lesson("01-a", "---\ntitle: A?\nminutes: 10\naim: B.\npicture: send --dim 2 @step=1\n---\n"
                             "::: view send --dim {d=*0|1|2|+3} @step=0 @look=network\nC.\n:::\n"
                             "::: view send --dim {d=*0|1|2|+3} @step=0\nD.\n:::\n");
    const std::string page = lesson_page(lesson, {lesson}, player, films);
    CHECK_THAT(page, Catch::Contains("<svg>send --dim 2 at 0</svg><figcaption>Figure 1.1: A run of send --dim 2.<"));
    CHECK_THAT(page, Catch::Contains("<svg>send --dim 0 at 0</svg><figcaption>Figure 1.2: A run of send --dim 0.<"));
}

TEST_CASE("gallery: a table of a figure is there without scripts, of the same run", "[lessons]")
{
    Films traced = films;
    traced.trace = [](const std::string& arguments) {
        CHECK(arguments == "scatter --dim 2");
        return trace_of("hypercube:2", {{1, 0, 0, 0, 3}, {1, 0, 1, 0, 2}, {2, 1, 1, 0, 3}, {2, 0, 0, 0, 1}});
    };
    const Lesson lesson =
        parse_lesson("01-a", "---\ntitle: A?\nminutes: 10\naim: B.\npicture: send --dim 2 @step=1\n---\n"
                             "::: view scatter --dim 2 @step=1 @table=1 @rows=steps\nC.\n:::\n");
    const std::string page = lesson_page(lesson, {lesson}, player, traced);
    CHECK_THAT(page,
               Catch::Contains("</figcaption></figure>\n<noscript>\n<table><caption>What node 0 sends.</caption>\n"
                               "<thead><tr><td></td><th scope=\"col\">port 0</th><th scope=\"col\">port 1</th>"));
    CHECK_THAT(page, Catch::Contains("<tr><th scope=\"row\">step 1</th><td>11</td><td>10</td></tr>\n"
                                     "<tr><th scope=\"row\">step 2</th><td>01</td><td></td></tr>\n"
                                     "</tbody>\n</table>\n</noscript>\n</section>"));
}

TEST_CASE("gallery: tables have a lesson's names, and the sides that it asks for", "[lessons]")
{
    // Node 0's blocks and one of another node's, which says that all send.
    const std::string cube =
        trace_of("hypercube:2", {{1, 0, 0, 0, 3}, {1, 3, 0, 3, 1}, {2, 1, 1, 0, 3}, {2, 0, 1, 0, 2}});
    const std::string head = "What every node does, seen from node 0.\n";
    CHECK(text_of_table("all-to-all --dim 2 @table=1 @names=flat,the_bridge", cube) ==
          head + "|step 1|step 2\n\nflat|0 for 3|\nthe bridge||1 for 2, 0 for 2\n\n\n");
    CHECK(text_of_table("all-to-all --dim 2 @table=2", cube) == head + "|step 1|step 2\n\n10||1\n11|0|1\n\n\n");
    const std::string torus =
        trace_of("torus:3x5", {{1, 0, 1, 0, 3}, {2, 4, 1, 0, 3}, {3, 3, 3, 0, 13}, {1, 7, 0, 7, 8}});
    CHECK(text_of_table("all-to-all @table=3 @names=right,left,down,up", torus) ==
          head + "|left|up\n\n2 left|1, 2|\n2 left and up||3\n\n\n");
}

TEST_CASE("gallery: a document that a lesson names is a link where the site has it", "[lessons]")
{
    const Lesson lesson = parse_lesson("01-a", "---\ntitle: A\nminutes: 1\naim: B.\npicture: send --dim 1\n---\n"
                                               "See `docs/optimality.md`.\n");
    const std::string name = "<code>docs/optimality.md</code>";
    CHECK_THAT(lesson_page(lesson, {lesson}, player, films), Catch::Contains("See " + name));
    CHECK_THAT(lesson_page(lesson, {lesson}, player, films, "../index.html"),
               Catch::Contains("<a href=\"../docs/optimality.html\">" + name + "</a>"));
}

TEST_CASE("gallery: a lesson's page has its text, its beats, and each film once", "[lessons]")
{
    const std::vector<Lesson> all = two_lessons();
    const std::string page = lesson_page(all[0], all, player, films);
    CHECK_THAT(page, Catch::Contains("<title>Why &quot;a&quot;?</title>"));
    CHECK_THAT(page, Catch::Contains("<h1>Why &quot;a&quot;?</h1>"));
    CHECK(page.find("<p class=\"aim\">To &lt;know&gt;.</p>") > page.find("exercise-2"));
    CHECK_THAT(page, Catch::Contains("<a href=\"02-b.html\">it</a>"));
    CHECK_THAT(
        page,
        Catch::Contains(
            "<section class=\"beat\" id=\"beat-1\" data-view=\"0\" data-request=\"{&quot;of&quot;:&quot;send --dim "
            "1&quot;}\" data-colour=\"hops\" data-step=\"1\">"));
    CHECK_THAT(
        page,
        Catch::Contains(
            "<section class=\"beat\" id=\"beat-2\" data-view=\"1\" data-request=\"{&quot;of&quot;:&quot;send --dim 2 "
            "--tau 1&quot;}\" data-time=\"40\">"));
    CHECK_THAT(page, Catch::Contains("<section class=\"beat\" id=\"beat-3\" data-view=\"0\" "
                                     "data-request=\"{&quot;of&quot;:&quot;send --dim 1&quot;}\" data-step=\"0\">"));
    CHECK_THAT(page, Catch::Contains("<figcaption>Figure 1.3: A run of send --dim 1.</figcaption>"));
    CHECK_THAT(page, Catch::Contains("<svg>send --dim 1 at 1</svg>"));
    CHECK_THAT(page, Catch::Contains("id=\"view-0\">{\"title\":\"A run of send --dim 1\","));
    CHECK_THAT(page, Catch::Contains("id=\"view-1\">{\"title\":\"A run of send --dim 2 --tau 1\","));
    CHECK_THAT(page, !Catch::Contains("view-2"));
    CHECK_THAT(page, Catch::Contains("<summary>Is <code>1 &lt; 2</code>?</summary>\n<p><em>Yes.</em></p>"));
    CHECK_THAT(page,
               Catch::Contains("<form class=\"exercise\" id=\"exercise-1\" data-answer=\"16\">\n<h3>Exercise 1.1<"));
    CHECK_THAT(page, Catch::Contains("style-src 'sha256-abc='; form-action 'none'"));
    CHECK_THAT(page, Catch::Contains("Next: <a href=\"02-b.html\">Why b?</a>") && !Catch::Contains("Before: "));
    CHECK_THAT(page, !Catch::Contains("<!--dcube:"));
}

TEST_CASE("gallery: votes, hints, solutions and notes are elements that a script makes use of", "[lessons]")
{
    const std::vector<Lesson> all = two_lessons();
    const std::string page = lesson_page(all[0], all, player, films);
    CHECK_THAT(page, Catch::Contains("<fieldset class=\"vote\"><legend>How many?</legend>\n<p>Look.</p>\n"));
    CHECK_THAT(page, Catch::Contains("<li class=\"wrong\"><label><input type=\"radio\" name=\"vote-1\"> "
                                     "<span><em>3</em></span></label><p class=\"reply\">Too few.</p></li>"));
    CHECK_THAT(page, Catch::Contains("<details class=\"answer\"><summary>Answer</summary>\n<p>Because.</p>"));
    CHECK_THAT(page, Catch::Contains("<aside class=\"note\" hidden>\n<p>Let them vote.</p>"));
    CHECK_THAT(page, Catch::Contains("<ul class=\"hints\" hidden>\n<li data-answer=\"8\">Twice that.</li>"));
    CHECK_THAT(page,
               Catch::Contains("<p>Answer: 16</p>\n<p><a class=\"thing node\" href=\"#node=2\">Two</a> nodes.</p>"));
    CHECK_THAT(page, Catch::Contains("<li class=\"right\"><label><input type=\"checkbox\" name=\"exercise-2\">"));
    CHECK_THAT(page, !Catch::Contains("style="));
}

TEST_CASE("gallery: exercises are numbered by lesson on a sheet, and another has their solutions", "[lessons]")
{
    const std::vector<Lesson> all = two_lessons();
    const std::string sheet = exercises_page(all, Solutions::none);
    CHECK_THAT(sheet, Catch::Contains("<h2>1. Why &quot;a&quot;?</h2>") &&
                          Catch::Contains("<h3>Exercise 1.2</h3>\n<p>Which?"));
    CHECK_THAT(sheet, Catch::Contains("<li>c</li>") && !Catch::Contains("Answer") && !Catch::Contains("Twice"));
    CHECK_THAT(sheet, !Catch::Contains("<button") && !Catch::Contains("<script"));
    const std::string solved = exercises_page(all, Solutions::below);
    CHECK_THAT(solved, Catch::Contains("<p>Answer: 16</p>") && Catch::Contains("<p>Answer: a</p>\n<p>Answer: b</p>"));
    CHECK_THAT(solved, Catch::Contains("Two</a> nodes."));
}

TEST_CASE("gallery: the index has a card for each lesson, in their order, and needs nothing from elsewhere",
          "[lessons]")
{
    const std::vector<Lesson> all = two_lessons();
    const std::string page = index_page(all, player, films);
    CHECK_THAT(page, Catch::Contains("<a href=\"02-b.html\">Why b?</a></h2>"));
    CHECK(page.find("<a href=\"01-a.html\">Why &quot;a&quot;?</a></h2>") <
          page.find("<a href=\"02-b.html\">Why b?</a></h2>"));
    CHECK_THAT(page, Catch::Contains("src=\"01-a.html?embed#opening=3\""));
    CHECK_THAT(page, Catch::Contains("{--ink: #111}") && Catch::Contains("dark) { :root{--ink: #eee} }"));
    CHECK_THAT(page, Catch::Contains("<svg>send --dim 4 at 2</svg>"));
    CHECK_THAT(page, !Catch::Contains("To &lt;know&gt;."));  // it would tell the answer
    CHECK_THAT(page, Catch::Contains("10 minutes, after <a href=\"01-a.html\">lesson 1</a>"));
    CHECK_THAT(page, !Catch::Contains("http:") && !Catch::Contains("https:") && !Catch::Contains("<script"));
}

TEST_CASE("gallery: lessons that cannot be made into pages are refused", "[lessons][negative]")
{
    std::vector<Lesson> all = two_lessons();
    CHECK_THROWS_WITH(lesson_page(all[0], all, "<title>dcube</title></head>", films),
                      "the player's page has no <!--dcube:static-->");
    CHECK(between("a{b}c", "{", "}") == "b");
    CHECK_THROWS_WITH(between("a{b", "{", "}"), "the player's page has no { with } behind it");
    all[0].needs = {"03-c"};
    CHECK_THROWS_WITH(index_page(all, player, films), "there is no lesson '03-c'");
}

TEST_CASE("gallery: HTML in Markdown is shown, not used", "[lessons]")
{
    CHECK(html_of("<b>a</b> & [l](x.md)") == "<p>&lt;b&gt;a&lt;/b&gt; &amp; <a href=\"x.html\">l</a></p>\n");
    CHECK(html_of_line("*a* < b") == "<em>a</em> &lt; b");
    CHECK(html_of_line("").empty());
    for (const char* const more : {"- a", "# a", "a\n\nb"})
        CHECK_THROWS_WITH(html_of_line(more), "'" + std::string(more) + "' is not a line of text");
    CHECK_THAT(html_of("| a | b |\n| --- | --- |\n| 1 | 2 |\n"), Catch::StartsWith("<table>"));
    CHECK_THAT(html_of("```cpp\na < b\n```\n"),
               Catch::StartsWith("<pre class=\"columns-10\" tabindex=\"0\"><code class=\"language-cpp\">a &lt; b"));
    CHECK(escaped("a<\"b\">&") == "a&lt;&quot;b&quot;&gt;&amp;");
}

TEST_CASE("gallery: lessons may load lab.js, and have no film where one is run in the page", "[lessons]")
{
    const Lesson lesson =
        parse_lesson("01-a", "---\ntitle: A?\nminutes: 10\naim: B.\npicture: send --dim 2 @step=1\n---\n"
                             "::: view send --dim {d=1|*2|+3} @step=1\nC.\n:::\n");
    const std::string page = lesson_page(lesson, {lesson}, player, films);
    CHECK_THAT(page, Catch::Contains("script-src 'sha256-x=' 'self' 'wasm-unsafe-eval' blob:; worker-src blob:; "));
    CHECK_THAT(page, Catch::Contains("data-sliders=\"d:dim=1|2|3\" data-documents=\"1 0 -\""));
    CHECK(page.find("id=\"view-2\"") == std::string::npos);
}

TEST_CASE("gallery: an exercise that is done by a run has its request, what is wanted, and hints", "[lessons]")
{
    const std::string fence = "```";
    const Lesson lesson = parse_lesson(
        "01-a", "---\ntitle: A?\nminutes: 10\naim: B.\npicture: send --dim 2 @step=1\n---\n"
                "::: exercise run steps<=3 topology=ring:4\nDo it.\n" +
                    fence + "sh\n./dcube run send --dim 1\n" + fence + "\n- steps>3 => Shorter.\n::: solution\n" +
                    fence + "sh\n./dcube run send --dim 2\n" + fence +
                    "\n:::\n:::\n"
                    "::: exercise program steps<=3\nDo it.\n" +
                    fence + "sh\n./dcube run send --dim 1\n" + fence + "\n" + fence + "js\na < b\n" + fence +
                    "\n::: solution\n" + fence + "sh\n./dcube run send --dim 2\n" + fence + "\n" + fence + "js\nb\n" +
                    fence + "\n:::\n:::\n");
    const std::string page = lesson_page(lesson, {lesson}, player, films);
    CHECK_THAT(
        page, Catch::Contains("<section class=\"exercise\" id=\"exercise-1\" data-by=\"run\" data-wanted=\"steps&lt;=3 "
                              "topology=ring:4\" data-request=\"{&quot;of&quot;:&quot;send --dim 1&quot;}\" "
                              "data-solved=\"{&quot;of&quot;:&quot;send --dim 2&quot;}\">"));
    CHECK_THAT(page, Catch::Contains("<li data-answer=\"steps&gt;3\">Shorter.</li>"));
    CHECK_THAT(page, Catch::Contains("<code class=\"language-js\">a &lt; b\n</code>"));
    CHECK_THAT(exercises_page({lesson}, Solutions::below), Catch::Contains("./dcube run send --dim 2"));
}

TEST_CASE("gallery: attributes that elements of a figure share are written once", "[lessons]")
{
    CHECK(shorter("<svg>\n<path d=\"M0 0\" fill=\"#ffffff\"/>\n<path d=\"M1 1\" fill=\"#ffffff\"/>\n<rect x=\"1\" "
                  "fill=\"#fff\" opacity=\"0.5\"/>\n<text x=\"1\" fill=\"#123456\">a</text>\n</svg>\n") ==
          "<svg>\n<g fill=\"#fff\">\n<path d=\"M0 0\"/>\n<path d=\"M1 1\"/>\n<rect x=\"1\" "
          "opacity=\"0.5\"/>\n</g>\n<text "
          "x=\"1\" fill=\"#123456\">a</text>\n</svg>\n");
    CHECK(shorter("a\n\nb\n") == "a\n\nb\n");
}

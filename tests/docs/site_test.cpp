// The documents as a site: every document has a page, every link leads somewhere, and nothing foreign is overwritten.

#include "tests/docs/documents.hpp"
#include "tests/support/catch.hpp"
#include "web/site/article.hpp"
#include "web/site/colouring.hpp"
#include "web/site/contents.hpp"
#include "web/site/reference.hpp"
#include "web/site/site.hpp"

#include <dcube/error.hpp>

#include <map>
#include <set>

using namespace dcube::test;
using namespace dcube::site;
namespace fs = std::filesystem;

namespace {

bool everywhere(const Page&)
{
    return true;
}

std::vector<std::string> attributes_in(const std::string& html, const std::string& name)
{
    const std::string begin = " " + name + "=\"";
    std::vector<std::string> values;
    for (std::size_t at = html.find(begin); at != std::string::npos; at = html.find(begin, at + 1)) {
        const std::size_t from = at + begin.size();
        values.push_back(html.substr(from, html.find('"', from) - from));
    }
    return values;
}

std::string without_marks(const std::string& html)
{
    return std::regex_replace(html, std::regex("<[^>]*>"), "");
}

std::map<std::string, std::string> files_in(const fs::path& folder)
{
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file())
            files[entry.path().lexically_relative(folder).string()] = read_text(entry.path().string());
    return files;
}

std::map<std::string, std::string> site_of_checkout(const TemporaryFolder& folder)
{
    make_site(DCUBE_SOURCE_DIR, folder.file("site"), {});
    return files_in(folder.file("site"));
}

}  // namespace

TEST_CASE("site: every document is in the table of pages, once, and the table names no other", "[docs]")
{
    std::set<std::string> files;
    for (const Page& page : contents()) {
        CAPTURE(page.file);
        CHECK(files.insert(std::string(page.file)).second);
        CHECK((page.source.empty() || fs::exists(source_path(std::string(page.source)))));
        CHECK((page.source.empty() || page.file.find('/') == std::string_view::npos));
    }
    for (const std::string& document : documents()) {
        CAPTURE(document);
        CHECK((document.starts_with("web/lessons/") || page_of(document) != nullptr));
    }
}

TEST_CASE("site: every link in it leads to a file and to a place in it", "[docs]")
{
    const TemporaryFolder folder;
    const std::map<std::string, std::string> files = site_of_checkout(folder);
    std::map<std::string, std::set<std::string>> places;
    for (const auto& [name, html] : files)
        for (const std::string& id : attributes_in(html, "id")) {
            CAPTURE(name, id);
            CHECK(places[name].insert(id).second);
        }
    std::size_t checked = 0;
    for (const auto& [name, html] : files) {
        if (!name.ends_with(".html"))
            continue;
        std::vector<std::string> links = attributes_in(html, "href");
        for (const std::string& source : attributes_in(html, "src"))
            links.push_back(source);
        for (const std::string& link : links) {
            if (link.find("://") != std::string::npos || link.starts_with("data:"))
                continue;
            CAPTURE(name, link);
            const std::size_t hash = std::min(link.find('#'), link.size());
            const std::string file = hash == 0 ? name : link.substr(0, hash);
            CHECK(files.contains(file));
            CHECK((hash == link.size() || places[file].contains(link.substr(hash + 1))));
            ++checked;
        }
    }
    CHECK(checked > 1000);
}

TEST_CASE("site: it is the same every time, and pages that are no more are removed", "[docs]")
{
    const TemporaryFolder folder;
    const std::map<std::string, std::string> first = site_of_checkout(folder);
    CHECK(first.size() > 20);
    fs::copy_file(folder.file("site/glossary.html"), folder.file("site/before.html"));
    CHECK(site_of_checkout(folder) == first);
}

TEST_CASE("site: a folder with anything else in it is left as it is", "[docs]")
{
    const TemporaryFolder folder;
    std::ofstream(folder.file("mine.txt")) << "mine";
    std::ofstream(folder.file("index.html")) << "<html>mine too</html>";
    const std::map<std::string, std::string> before = files_in(folder.file("."));
    CHECK_THROWS_AS(claim_folder(folder.file(".")), dcube::InvalidArgument);
    CHECK_THROWS_AS(make_site(DCUBE_SOURCE_DIR, folder.file("."), {}), dcube::InvalidArgument);
    CHECK_THROWS_AS(claim_folder(folder.file("mine.txt")), dcube::InvalidArgument);
    CHECK(files_in(folder.file(".")) == before);

    claim_folder(folder.file("new/one"));
    CHECK_NOTHROW(claim_folder(folder.file("new/one")));  // for it is now a site's
}

TEST_CASE("site: links of a document lead to pages; what the site does not have is text", "[docs]")
{
    const Page& page = *page_of("docs/report.md");
    const auto html_of = [&](const std::string& markdown) { return article_of(page, markdown, everywhere).html; };
    CHECK(html_of("[a](../README.md#papers)") == "<p><a href=\"index.html#papers\">a</a></p>\n");
    CHECK(html_of("[glossary.md](glossary.md)") == "<p><a href=\"glossary.html\">Glossary</a></p>\n");
    CHECK(html_of("[a](#keys) [b](https://example.org/c.md)") ==
          "<p><a href=\"#keys\">a</a> <a href=\"https://example.org/c.md\">b</a></p>\n");
    CHECK(html_of("see [the *engine*](../emu/engine.cpp).") == "<p>see the <em>engine</em>.</p>\n");
    const auto nowhere = [](const Page&) { return false; };
    CHECK(article_of(page, "[a](glossary.md)", nowhere).html == "<p>a</p>\n");
}

TEST_CASE("site: headings have GitHub's anchors, and text cannot become markup", "[docs]")
{
    const Article article = article_of(*page_of("docs/report.md"),
                                       "# A title\nfirst\n<!-- a note -->\n## `two-centre`, and q = 2\n"
                                       "<script>alert(1)</script>\n## Keys\n## Keys\nlast\n",
                                       everywhere);
    CHECK(article.title == "A title");
    REQUIRE(article.headings.size() == 3);
    CHECK(article.headings[0].anchor == "two-centre-and-q--2");
    CHECK(article.headings[0].text == "two-centre, and q = 2");
    CHECK(article.headings[2].anchor == "keys-1");
    CHECK(article.html.find("<script>") == std::string::npos);
    CHECK(article.html.find("a note") == std::string::npos);
    REQUIRE(article.entries.size() == 4);
    CHECK(article.entries[0].text == "first");
    CHECK(article.entries[1].text == "<script>alert(1)</script>");
    CHECK(article.entries[3].text == "last");
}

TEST_CASE("site: rows of the glossary and of the catalogue are found by themselves", "[docs]")
{
    const std::string table =
        "# T\nall\n\n| a | b | c |\n| --- | --- | --- |\n| cube | `rotated` | <i> d parts |\n| | | x |\n";
    const Article words = article_of(*page_of("docs/glossary.md"), table, everywhere);
    REQUIRE(words.entries.size() == 2);
    CHECK(words.entries[1].title == "cube");
    CHECK(words.entries[1].kind == "word");
    CHECK(words.entries[1].text == "rotated \xc2\xb7 <i> d parts");
    CHECK(words.html.find("<tr id=\"word-cube\">") != std::string::npos);
    CHECK(words.entries[0].text.find("cube") == std::string::npos);

    const Article algorithms = article_of(*page_of("docs/algorithms.md"), table, everywhere);
    REQUIRE(algorithms.entries.size() == 2);
    CHECK(algorithms.entries[1].title == "rotated: cube");
    CHECK(algorithms.entries[1].anchor == "algorithm-cube-rotated");
    CHECK(article_of(*page_of("docs/faults.md"), table, everywhere).entries.size() == 1);
}

TEST_CASE("site: programs keep their text, whatever is coloured", "[docs]")
{
    for (const std::string language : {"cpp", "python", "sh", "json", "none"})
        for (const std::string text :
             {"int a = 1; // \"<b>\"\n#include <a>\n", "x = 'it\\'s' # no\n'open\n", "\"", "a\n\nb"}) {
            CAPTURE(language, text);
            CHECK(without_marks(program_html(text, language)) == without_marks(program_html(text, "")));
            CHECK(without_marks(program_html(text, "")).size() >= text.size());
        }
    CHECK(program_html("return 7;", "cpp")
              .find("<span class=\"keyword\">return</span> <span class=\"number\">7</span>;") != std::string::npos);
    const std::string session = program_html("$ ./dcube run \\\n  b\nsteps 3\n", "console");
    CHECK(session.find("<span class=\"typed\">./dcube run \\</span>") != std::string::npos);
    CHECK(session.find("<span class=\"typed\">  b</span>") != std::string::npos);
    CHECK(session.find("<span class=\"output\">steps 3</span>") != std::string::npos);
}

TEST_CASE("site: the names of the reference are those of Doxygen's tag file", "[docs]")
{
    const std::vector<Name> names = names_of(R"(<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>
<tagfile doxygen_version="1.9.4">
  <compound kind="file">
    <name>machine.hpp</name>
    <filename>machine_8hpp.html</filename>
    <class kind="class">dcube::Machine</class>
  </compound>
  <compound kind="class">
    <name>dcube::Machine</name>
    <filename>classdcube_1_1Machine.html</filename>
    <member kind="function">
      <type>Counts</type>
      <name>run</name>
      <anchorfile>classdcube_1_1Machine.html</anchorfile>
      <anchor>a1</anchor>
      <arglist>(const std::function&lt; Task(Node &amp;)&gt; &amp;program)</arglist>
    </member>
  </compound>
  <compound kind="group">
    <name>judging</name>
    <title>Judge &amp; check</title>
    <filename>group__judging.html</filename>
    <member kind="function">
      <type>Counts</type>
      <name>run</name>
      <anchorfile>classdcube_1_1Machine.html</anchorfile>
      <anchor>a1</anchor>
      <arglist></arglist>
    </member>
  </compound>
</tagfile>
)");
    REQUIRE(names.size() == 3);
    CHECK(names[0].name == "Judge & check");
    CHECK(names[0].address == "group__judging.html");
    CHECK(names[1].name == "dcube::Machine");
    CHECK(names[1].kind == "class");
    CHECK(names[2].name == "dcube::Machine::run");
    CHECK(names[2].address == "classdcube_1_1Machine.html#a1");
    CHECK(names[2].arguments == "(const std::function< Task(Node &)> &program)");
}

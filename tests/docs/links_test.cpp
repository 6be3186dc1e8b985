// Links lead somewhere, and every file that a document names exists.

#include "tests/docs/documents.hpp"
#include "tests/support/catch.hpp"

#include <cctype>
#include <set>

using namespace dcube::test;
namespace fs = std::filesystem;

namespace {

// The anchor of a heading, as GitHub makes it: letters, digits, hyphens.
std::string anchor_of(std::string_view heading)
{
    std::string anchor;
    for (const char c : heading) {
        const auto letter = static_cast<unsigned char>(c);
        if (std::isalnum(letter) != 0 || letter >= 0x80)
            anchor += static_cast<char>(std::tolower(letter));
        else if (c == ' ' || c == '-')
            anchor += '-';
        else if (c == '_')
            anchor += '_';
    }
    return anchor;
}

std::set<std::string> anchors_of(const std::string& document)
{
    std::set<std::string> anchors;
    for (const DocumentLine& line : lines_with_fences(document))
        if (line.fence.empty() && line.text.starts_with("#"))
            anchors.insert(anchor_of(line.text.substr(line.text.find(' ') + 1)));
    return anchors;
}

// "docs/report.md#units", as seen from the folder `from` of the source tree.
void check_link(const std::string& link, const fs::path& from)
{
    const std::size_t hash = link.find('#');
    const std::string file = link.substr(0, hash);
    const std::string target = file.empty() ? std::string() : (from / file).lexically_normal().string();
    CHECK((file.empty() || fs::exists(source_path(target))));
    if (hash == std::string::npos || !target.ends_with(".md") || !fs::exists(source_path(target)))
        return;
    CHECK(anchors_of(target).contains(link.substr(hash + 1)));
}

}  // namespace

TEST_CASE("documents: each link leads to a file that exists, and to a heading in it", "[docs]")
{
    static const std::regex link_pattern(R"(\]\(([^)\s]+)\))");
    std::size_t links = 0;
    for (const std::string& document : documents()) {
        const std::set<std::string> own = anchors_of(document);
        for (const DocumentLine& line : lines_with_fences(document)) {
            if (!line.fence.empty())
                continue;
            for (const std::string& link : all_matches(line.text, link_pattern)) {
                CAPTURE(document, link);
                if (link.starts_with("https://") || link.starts_with("http://"))
                    continue;
                if (document.starts_with("web/lessons/") && link.starts_with("#"))
                    continue;  // names a thing in the figure, which reading the lesson has checked
                if (link.starts_with("#"))
                    CHECK(own.contains(link.substr(1)));
                else
                    check_link(link, fs::path(document).parent_path());
                ++links;
            }
        }
    }
    CHECK(links > 50);
}

TEST_CASE("documents: each file and folder that a document names exists", "[docs]")
{
    static const std::regex path_pattern(R"(`([A-Za-z_.][\w.\-]*/[\w.\-/]*)`)");
    std::size_t names = 0;
    for (const std::string& document : documents()) {
        for (const DocumentLine& line : lines_with_fences(document)) {
            for (const std::string& path : all_matches(line.text, path_pattern)) {
                CAPTURE(document, path);
                if (line.fence.empty() && !path.starts_with("build/") && !path.starts_with("./")) {
                    CHECK(fs::exists(source_path(path)));
                    ++names;
                }
            }
        }
    }
    CHECK(names > 50);
}

TEST_CASE("documents: every link of the sources to docs/ leads to a document and a heading", "[docs]")
{
    static const std::regex link_pattern(R"((docs/[a-z\-]+\.md(#[a-z0-9\-]+)?))");
    std::size_t links = 0;
    for (const char* const folder :
         {"include", "base", "emu", "collectives", "judge", "algorithms", "run", "cli", "bench", "demos", "tests"}) {
        for (const auto& entry : fs::recursive_directory_iterator(source_path(folder))) {
            if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp")
                continue;
            for (const std::string& link : all_matches(read_text(entry.path().string()), link_pattern)) {
                CAPTURE(entry.path().string(), link);
                if (entry.path().filename() != "links_test.cpp")
                    check_link(link, "");
                ++links;
            }
        }
    }
    CHECK(links > 10);
}

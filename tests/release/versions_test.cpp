// The version has one home, include/dcube/version.hpp; whatever else names it says the same.

#include "tests/docs/documents.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"

#include <dcube/version.hpp>

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

using namespace dcube::test;

namespace {

const std::string current{dcube::version()};
const std::string interface = current.substr(0, current.rfind('.'));  // MAJOR.MINOR

// The capture of the first match in a file of the source tree.
std::string found(const std::string& path, const char* pattern)
{
    const std::string text = read_text(source_path(path));
    std::smatch match;
    REQUIRE(std::regex_search(text, match, std::regex(pattern, std::regex::ECMAScript | std::regex::multiline)));
    return match[1];
}

// All versions in the names of a release's files: "dcube-0.9.0.tgz", "dcube_0.9.0_debian12_amd64.deb".
std::vector<std::string> versions_of_files(const std::string& document)
{
    static const std::regex name(R"(dcube[-_]([0-9]+\.[0-9]+\.[0-9]+)[-_.])");
    return all_matches(read_text(source_path(document)), name);
}

}  // namespace

TEST_CASE("release: the version's text is that of its numbers", "[release]")
{
    CHECK(current == std::to_string(DCUBE_VERSION_MAJOR) + "." + std::to_string(DCUBE_VERSION_MINOR) + "." +
                         std::to_string(DCUBE_VERSION_PATCH));
}

TEST_CASE("release: all that names the version agrees", "[release]")
{
    CHECK(DCUBE_PROJECT_VERSION == current);  // CMake's project()
    CHECK(found("CITATION.cff", "^version: ([0-9.]+)$") == current);
    const std::string dated = found("CHANGELOG.md", R"(^## \[([0-9.]+\] - [0-9-]+)$)");
    CHECK(dated == current + "] - " + found("CITATION.cff", "^date-released: ([0-9-]+)$"));
    for (const char* const document : {"README.md", "docs/packaging.md", "docs/python.md"}) {
        CAPTURE(document);
        const std::vector<std::string> versions = versions_of_files(document);
        CHECK(!versions.empty());
        CHECK(std::ranges::count(versions, current) == std::ssize(versions));
    }
    for (const char* const file : {"docs/library.md", "tests/consumer/CMakeLists.txt"})
        CHECK(found(file, R"(^find_package\(dcube ([0-9.]+) )") == interface);
    CHECK(found("packaging/cmake/package.cmake", R"(^dcube_package\(libdcube([0-9.]+) )") == interface);
    CHECK(found("docs/versions.md", R"(^\| JSON schema \| ([0-9]+) \|)") == std::to_string(dcube::report_schema));
    CHECK(found("docs/versions.md", R"(^\| trace schema \| ([0-9]+) \|)") == std::to_string(dcube::trace_schema));
}

#ifdef DCUBE_SHARED_LIBRARY
TEST_CASE("release: the shared library is named after the major and the minor version", "[release]")
{
    const Outcome outcome = dcube_program({"-d", DCUBE_SHARED_LIBRARY}, {.program = {"readelf"}});
    CHECK_THAT(outcome.out, Catch::Contains("soname: [libdcube.so." + interface + "]"));
}
#endif

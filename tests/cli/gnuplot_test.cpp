// Figures by gnuplot, where it is; and what is said where it is not.

#include "cli/files/gnuplot.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/process.hpp"
#include "tests/view/benchmarks.hpp"
#include "view/charts/gnuplot.hpp"

#include <cstdlib>
#include <filesystem>

using namespace dcube;
using namespace dcube::test;
using test_support::contains;
using test_support::error_of;

namespace {

// The PATH of this process, while it lives.
class OtherPath {
public:
    explicit OtherPath(const std::string& path) : before_(std::getenv("PATH")) { setenv("PATH", path.c_str(), 1); }
    ~OtherPath() { setenv("PATH", before_.c_str(), 1); }
    OtherPath(const OtherPath&) = delete;
    OtherPath& operator=(const OtherPath&) = delete;

private:
    std::string before_;
};

bool has_gnuplot()
{
    const bool has = std::system("command -v gnuplot >/dev/null 2>&1") == 0;
    if (!has)
        WARN("gnuplot is not installed: what it draws is not tested");
    return has;
}

}  // namespace

TEST_CASE("gnuplot: where it is not, one line names the package, and no file is left", "[cli][charts]")
{
    const TemporaryFolder folder;
    const OtherPath nowhere(folder.file("nothing"));
    CHECK(error_of([&] { cli::draw_with_gnuplot("plot x\n", folder.file("a.svg")); }) ==
          "the figure needs gnuplot, which is not on the PATH: install Debian's package gnuplot-nox, or use --html");
    CHECK(folder.names().empty());
}

TEST_CASE("gnuplot: the script comes by standard input, without a shell, and the picture back", "[cli][charts]")
{
    const TemporaryFolder folder;
    const std::string program = folder.file("gnuplot");
    write_text(program, "#!/bin/sh\necho \"<svg>$*\"\ncat\necho '</svg>'\n");
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    {
        const OtherPath path(folder.file("") + ":/usr/bin:/bin");
        cli::draw_with_gnuplot("plot x; $(touch harmed)\n", folder.file("a'b.svg"));
    }
    CHECK(read_text(folder.file("a'b.svg")) == "<svg>--default-settings -\nplot x; $(touch harmed)\n</svg>\n");
    CHECK(folder.names() == std::vector<std::string>{"a'b.svg", "gnuplot"});
}

TEST_CASE("gnuplot: when it fails there is its reason and no file", "[cli][charts]")
{
    const TemporaryFolder folder;
    const std::string program = folder.file("gnuplot");
    for (const char* script : {"echo '<svg></svg>'; echo 'line 3: no such thing' >&2; exit 1",
                               "echo '<svg>'; echo 'line 3: no such thing' >&2"}) {
        write_text(program, std::string("#!/bin/sh\n") + script + "\n");
        std::filesystem::permissions(program, std::filesystem::perms::owner_all);
        const OtherPath path(folder.file("") + ":/usr/bin:/bin");
        CHECK(error_of([&] { cli::draw_with_gnuplot("plot x\n", folder.file("a.svg")); }) ==
              "gnuplot could not draw the figure: line 3: no such thing");
        CHECK(folder.names() == std::vector<std::string>{"gnuplot"});
    }
}

TEST_CASE("gnuplot: it draws a benchmark", "[cli][charts]")
{
    if (!has_gnuplot())
        return;
    const TemporaryFolder folder;
    nlohmann::json document = test_support::bench_sweep({6, 7, 8, 9, 10, 11, 12}, {8, 64, 512}, {1, 2, 4, 16});
    document["host"]["cpu"] = "</svg><script>alert(1)</script>`id`$(id)@x";
    cli::draw_with_gnuplot(view::gnuplot_script(document.dump()), folder.file("figure.svg"));
    const std::string svg = read_text(folder.file("figure.svg"));
    CHECK(contains(svg, "speed-up"));
    CHECK(contains(svg, "link throughput"));
    CHECK(contains(svg, "time of a hop"));
    CHECK(contains(svg, "4 KiB") == false);
    CHECK(contains(svg, "512 B"));
    CHECK(contains(svg, "`id`$(id)@x"));
    CHECK_FALSE(contains(svg, "<script>alert"));
    CHECK(svg.rfind("</svg>") > svg.size() - 20);
}

// Figures by gnuplot, where it is; and what is said where it is not.

#include "cli/files/gnuplot.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/process.hpp"
#include "tests/view/benchmarks.hpp"
#include "view/charts/gnuplot.hpp"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

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
    const std::string complaint =
        "the figure needs gnuplot, which is not on the PATH: install Debian's package gnuplot-nox, or use --html";
    CHECK(error_of([] { cli::require_gnuplot(); }) == complaint);
    CHECK(error_of([] { cli::drawn_by_gnuplot("plot x\n"); }) == complaint);
    const Outcome outcome = dcube_line("bench all-to-all --dim 1 --threads 1 --output " + folder.file("o.json") +
                                       " --svg " + folder.file("a.svg"));
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.err == "dcube: " + complaint + "\n");
    CHECK(folder.names().empty());
}

TEST_CASE("gnuplot: the script comes by standard input, without a shell, and the picture back", "[cli][charts]")
{
    const TemporaryFolder folder;
    const std::string program = folder.file("gnuplot");
    write_text(program, "#!/bin/sh\necho \"<svg>$*\"\ncat\necho '</svg>'\n");
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    const OtherPath path(folder.file("") + ":/usr/bin:/bin");
    CHECK_NOTHROW(cli::require_gnuplot());
    CHECK(cli::drawn_by_gnuplot("plot x; $(touch harmed)\n") ==
          "<svg>--default-settings -\nplot x; $(touch harmed)\n</svg>\n");
    CHECK(folder.names() == std::vector<std::string>{"gnuplot"});
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
        CHECK(error_of([] { cli::drawn_by_gnuplot("plot x\n"); }) ==
              "gnuplot could not draw the figure: line 3: no such thing");
        const Outcome outcome = dcube_line("bench all-to-all --dim 1 --threads 1 --min-time 0.0001 --samples 1 --svg " +
                                           folder.file("a.svg") + " --html " + folder.file("p.html"));
        CHECK(outcome.exit_code == 2);
        CHECK(contains(outcome.out, "hypercube:1"));  // what was measured is not lost
        CHECK(contains(outcome.err, "gnuplot could not draw the figure"));
        CHECK(folder.names() == std::vector<std::string>{"gnuplot"});
    }
}

TEST_CASE("gnuplot: interrupted while it draws, bench leaves no file", "[cli][charts]")
{
    const TemporaryFolder folder;
    const std::string program = folder.file("gnuplot");
    write_text(program, "#!/bin/sh\ntouch " + folder.file("drawing") + "\nexec sleep 1\n");
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    const OtherPath path(folder.file("") + ":/usr/bin:/bin");
    Running running({"bench", "all-to-all", "--dim", "1", "--threads", "1", "--min-time", "0.0001", "--samples", "1",
                     "--output", folder.file("o.json"), "--svg", folder.file("a.svg")});
    while (!std::filesystem::exists(folder.file("drawing")) && running.alive())
        std::this_thread::yield();
    running.send(SIGINT);
    const Outcome outcome = running.finish();
    CHECK(outcome.exit_code == 130);
    CHECK(outcome.err == "dcube: interrupted\n");
    CHECK(folder.names() == std::vector<std::string>{"drawing", "gnuplot"});
}

TEST_CASE("gnuplot: it draws a benchmark", "[cli][charts]")
{
    if (!has_gnuplot())
        return;
    nlohmann::json document = test_support::bench_sweep({6, 7, 8, 9, 10, 11, 12}, {8, 64, 512}, {1, 2, 4, 16});
    document["host"]["cpu"] = "</svg><script>alert(1)</script>`id`$(id)@x";
    const std::string svg = cli::drawn_by_gnuplot(view::gnuplot_script(document.dump()));
    CHECK(contains(svg, "speed-up"));
    CHECK(contains(svg, "link throughput"));
    CHECK(contains(svg, "time of a hop"));
    CHECK(contains(svg, "4 KiB") == false);
    CHECK(contains(svg, "512 B"));
    CHECK(contains(svg, "`id`$(id)@x"));
    CHECK_FALSE(contains(svg, "<script>alert"));
    CHECK(svg.rfind("</svg>") > svg.size() - 20);
}

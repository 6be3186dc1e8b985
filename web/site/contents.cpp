#include "web/site/contents.hpp"

#include <algorithm>
#include <array>

namespace dcube::site {

namespace {

constexpr std::array pages{
    Page{"Start", "What dcube is", "index.html", "README.md"},
    Page{
        "Start", "Tutorial", "tutorial.html", "docs/tutorial.md", {}, "One hour: from a cube to a program of your own"},
    Page{"Start",
         "Lessons",
         "lessons/index.html",
         "",
         {},
         "Films to play with, boards on which you are judged, slides to teach with"},
    Page{"Start", "A run, played", "pages/exchange.html", "", {}, "", "view all-to-all --dim 4"},
    Page{"Start", "The lab: dcube in a page", "lessons/lab.html", "", {}, "Run and change everything in this browser"},
    Page{"Start", "Coming from MPI or NCCL", "coming-from-mpi-or-nccl.html", "docs/coming-from-mpi-or-nccl.md"},
    Page{"Start", "Troubleshooting", "troubleshooting.html", "docs/troubleshooting.md"},

    Page{"Use",
         "The command line",
         "command-line.html",
         "docs/command-line.md",
         {"option", 0},
         "Every command, network and option"},
    Page{"Use", "Faults", "faults.html", "docs/faults.md"},
    Page{"Use", "Python", "python.html", "docs/python.md", {}, "The machine in a notebook"},
    Page{"Use", "In a browser", "browser.html", "docs/browser.md"},
    Page{"Use", "Programs in a browser", "browser-programs.html", "docs/browser-programs.md"},
    Page{"Use", "Many machines", "many-machines.html", "docs/many-machines.md"},

    Page{"Understand", "Algorithms", "algorithms.html", "docs/algorithms.md", {"algorithm", 1}},
    Page{"Understand", "What is optimal, and why", "optimality.html", "docs/optimality.md"},
    Page{"Understand", "Results beyond the papers", "results.html", "docs/results.md"},
    Page{"Understand", "Errata of the papers", "errata.html", "docs/errata.md"},
    Page{"Understand", "How fast it is", "performance.html", "docs/performance.md"},
    Page{"Understand", "Scaling", "scaling.html", "docs/scaling.md"},
    Page{"Understand", "Glossary", "glossary.html", "docs/glossary.md", {"word", 0}},

    Page{"Extend",
         "Programs and calls in C++",
         "library.html",
         "docs/library.md",
         {},
         "A node is a coroutine; collectives are function calls"},
    Page{"Extend", "Building and contributing", "contributing.html", "docs/contributing.md"},
    Page{"Extend", "Packaging", "packaging.html", "docs/packaging.md"},
    Page{"Extend", "Architecture", "architecture.html", "ARCHITECTURE.md"},
    Page{"Extend", "The pages' sources", "page.html", "web/page/README.md"},

    Page{"Reference", "The C++ interface", "reference/index.html", ""},
    Page{"Reference", "Reports and traces", "report.html", "docs/report.md", {"key", 0}},
    Page{"Reference", "Versions", "versions.html", "docs/versions.md"},

    Page{"Project", "Changes", "changelog.html", "CHANGELOG.md"},
    Page{"Project", "Security", "security.html", "SECURITY.md"},
    Page{"Project", "How to cite dcube", "citation.html", "CITATION.cff"},
    Page{"Project", "Licence", "licence.html", "LICENSE"},
    Page{"Measurements", "Performance", "measured-performance.html", "docs/measurements/performance.md"},
    Page{"Measurements", "Scaling", "measured-scaling.html", "docs/measurements/scaling.md"},
    Page{"Measurements", "Many machines", "measured-machines.html", "docs/measurements/many-machines.md"},
};

}  // namespace

std::span<const Page> contents()
{
    return pages;
}

const Page* page_of(std::string_view source)
{
    const auto* const found = std::ranges::find(pages, source, &Page::source);
    return source.empty() || found == pages.end() ? nullptr : found;
}

bool is_document(const Page& page)
{
    return !page.source.empty();
}

}  // namespace dcube::site

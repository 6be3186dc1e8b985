#include "cli/commands/bench_gates.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <cstdint>

namespace dcube::cli {

std::vector<std::string> inefficient_cells(const measure::Json& document, double least)
{
    std::vector<std::string> lines;
    bool any = false;
    for (const measure::Json& cell : document.at("cells")) {
        if (cell.at("efficiency").is_null())
            continue;
        any = any || cell.at("threads").get<std::uint64_t>() > 1;  // those with one thread are their own measure
        const auto efficiency = cell.at("efficiency").get<double>();
        if (efficiency < least)
            lines.push_back(fmt::format("--min-efficiency {}: {:.3f} is the efficiency of {}", least, efficiency,
                                        measure::cell_text(cell)));
    }
    if (!any)
        throw InvalidArgument("--min-efficiency needs cells with several numbers of threads, and there are none");
    return lines;
}

GateLines slower_cells(const measure::BenchComparison& comparison, double most)
{
    if (comparison.cells.empty())
        throw InvalidArgument("--max-slowdown needs cells that both benchmarks have, and there are none");
    GateLines lines;
    for (const measure::ComparedCell& one : comparison.cells) {
        if (one.finding == measure::Finding::cannot_tell)
            lines.undecided.push_back(fmt::format("--max-slowdown {}: cannot tell of {}{}", most, one.cell,
                                                  one.doubts.empty() ? "" : ": " + one.doubts.front()));
        else if (one.finding == measure::Finding::slower && one.ratio > most)
            lines.failed.push_back(
                fmt::format("--max-slowdown {} exceeded: {} takes {:.3f} times as long", most, one.cell, one.ratio));
    }
    for (const std::string& cell : comparison.only_old)
        lines.failed.push_back(fmt::format("--max-slowdown {}: not in the new benchmark: {}", most, cell));
    return lines;
}

}  // namespace dcube::cli

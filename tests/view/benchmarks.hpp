#pragma once
// Made-up benchmarks: the shapes of docs/report.md, and no figure in them was measured.

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace test_support {

/// A total exchange on a hypercube that takes `seconds`, of which one thread would take twice as many.
inline nlohmann::json bench_cell(unsigned dimension, unsigned bytes, unsigned threads, double seconds = 1e-3)
{
    const double nodes = static_cast<double>(1U << dimension);
    const double hops = nodes * nodes * dimension / 2;
    return {{"collective", "all-to-all"},
            {"algorithm", "optimal"},
            {"asked", "auto"},
            {"topology", "hypercube:" + std::to_string(dimension)},
            {"nodes", 1U << dimension},
            {"ports", "all"},
            {"link_model", "unit"},
            {"bytes", bytes},
            {"packets", 1},
            {"rows", nullptr},
            {"columns", nullptr},
            {"threads", threads},
            {"channel", "slots"},
            {"pin", "none"},
            {"size_bytes", nodes * bytes},
            {"count", 3},
            {"median_seconds", seconds},
            {"interval_seconds", {seconds * .5, seconds * 2}},
            {"ns_per_hop", seconds * 1e9 / hops},
            {"link_bytes_per_second", hops * bytes / seconds},
            {"speed_up", threads},
            {"speed_up_interval", {threads * .9, threads * 1.1}},
            {"limit_seconds", seconds * .25},
            {"doubts", nlohmann::json::array()},
            {"rounds", nlohmann::json::array()}};
}

inline nlohmann::json benchmark_of(std::vector<nlohmann::json> cells)
{
    return {{"schema", 1},
            {"kind", "benchmark"},
            {"command", "dcube bench all-to-all"},
            {"date", "2026-01-02T03:04:05Z"},
            {"program", {{"version", "0.1.0"}, {"commit", "0123abc"}}},
            {"host", {{"cpu", "A made-up processor"}}},
            {"settings", {{"weak", false}}},
            {"warnings", nlohmann::json::array()},
            {"limits", nullptr},
            {"left_out", nlohmann::json::array()},
            {"cells", std::move(cells)}};
}

/// Every combination of these.
inline nlohmann::json bench_sweep(const std::vector<unsigned>& dimensions, const std::vector<unsigned>& sizes,
                                  const std::vector<unsigned>& threads)
{
    std::vector<nlohmann::json> cells;
    for (const unsigned dimension : dimensions)
        for (const unsigned bytes : sizes)
            for (const unsigned count : threads)
                cells.push_back(bench_cell(dimension, bytes, count));
    return benchmark_of(std::move(cells));
}

}  // namespace test_support

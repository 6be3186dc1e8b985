// Measurements of the program as a user starts it.

#include "bench/figures/values.hpp"
#include "inspect/measure/statistics.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <vector>

namespace figures {

namespace {

double seconds_of_command(const std::string& line)
{
    const auto began = std::chrono::steady_clock::now();
    if (std::system(line.c_str()) != 0)
        throw dcube::Error(fmt::format("'{}' has failed", line));
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

double start_to_result(const std::string& dcube, unsigned threads)
{
    const std::string line =
        fmt::format("'{}' run all-to-all --dim 10 --bytes 8 --threads {} >/dev/null", dcube, threads);
    std::vector<double> seconds;
    for (int time = 0; time < 6; ++time)
        seconds.push_back(seconds_of_command(line));
    seconds.erase(seconds.begin());  // the first reads the program from the disk
    return dcube::measure::median(seconds);
}

// A trace has a line for each transmission, and one before them.
double judged_lines_a_second(const std::string& dcube)
{
    const std::filesystem::path trace = std::filesystem::temp_directory_path() / "dcube-figures.jsonl";
    constexpr double lines = 1024.0 * 1024 / 2 * 10 + 1;
    seconds_of_command(
        fmt::format("'{}' run all-to-all --dim 10 --bytes 8 --trace '{}' >/dev/null", dcube, trace.string()));
    const double seconds = seconds_of_command(fmt::format("'{}' verify '{}' >/dev/null", dcube, trace.string()));
    std::filesystem::remove(trace);
    return lines / seconds;
}

}  // namespace

Values whole_processes(const std::string& dcube, bool large)
{
    if (large)
        return {{"judge", judged_lines_a_second(dcube)}};
    return {{"process", start_to_result(dcube, 2)}, {"process-one", start_to_result(dcube, 1)}};
}

}  // namespace figures

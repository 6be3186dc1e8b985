#include "cli/text/bench_nccl.hpp"

#include "base/numbers.hpp"
#include "cli/text/bench_table.hpp"

#include <dcube/elements.hpp>
#include <dcube/error.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

namespace dcube::cli {

namespace {

using NcclJson = nlohmann::ordered_json;

constexpr std::string_view nccl_header =
    "#                                                              out-of-place                       in-place\n"
    "#       size         count      type   redop    root     time   algbw   busbw  #wrong     time   algbw   busbw"
    "  #wrong\n"
    "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)             (us)  (GB/s)"
    "  (GB/s)\n";

double mean_seconds(const NcclJson& cell)
{
    double sum = 0;
    double count = 0;
    for (const NcclJson& round : cell.at("rounds"))
        for (const NcclJson& sample : round.at("samples_seconds")) {
            sum += sample.get<double>();
            ++count;
        }
    return sum / count;
}

std::string text_or(const NcclJson& value, std::string_view otherwise)
{
    return text_of_file(value.is_string() ? value.get<std::string>() : std::string(otherwise));
}

// What the rows below it have in common.
std::string nccl_group(const NcclJson& cell)
{
    const auto threads = cell.at("threads").get<unsigned>();
    return fmt::format("# {} by {} on {}: {} ranks, {}, pin {}\n", text_or(cell.at("collective"), ""),
                       text_or(cell.at("algorithm"), ""), text_or(cell.at("topology"), ""),
                       cell.at("nodes").get<std::uint64_t>(), counted(threads, "thread"), text_or(cell.at("pin"), ""));
}

bool is_checked(const NcclJson& document)
{
    return document.at("settings").at("check").get<bool>();
}

struct NcclTimes {
    double microseconds;
    double algbw;  ///< GB/s
    double busbw;
};

// As the document has the rates, but of the mean.
NcclTimes nccl_times(const NcclJson& cell)
{
    const double mean = mean_seconds(cell);
    const double of_mean = cell.at("median_seconds").get<double>() / mean / 1e9;
    return {mean * 1e6, cell.at("algbw_bytes_per_second").get<double>() * of_mean,
            cell.at("busbw_bytes_per_second").get<double>() * of_mean};
}

// The count is that of a message, as there: of an array that is gathered or scattered, each rank's part.
std::string nccl_row(const NcclJson& cell, const NcclTimes& times, bool checked)
{
    const auto size = cell.at("size_bytes").get<std::uint64_t>();
    const auto message = cell.at("bytes").get<std::uint64_t>() * cell.at("packets").get<std::uint64_t>();
    const std::string type = text_or(cell.at("type"), "uint8");
    const std::string root = cell.at("root").is_null() ? "-1" : cell.at("root").dump();
    return fmt::format("{:>12}  {:>12}  {:>8}  {:>6}  {:>6}  {:>7.4g}  {:>6.2f}  {:>6.2f}  {:>6}  {:>7}  {:>6}  {:>6}  "
                       "{:>6}\n",
                       size, message / size_of(parse_element_type(type)), type, text_or(cell.at("operation"), "none"),
                       root, times.microseconds, times.algbw, times.busbw, checked ? "0" : "N/A", "N/A", "N/A", "N/A",
                       "N/A");
}

}  // namespace

std::string nccl_table(const nlohmann::ordered_json& document)
{
    std::string text =
        fmt::format("# dcube {}; sizes as nccl-tests count them; time: mean of all runs\n{}",
                    text_or(document.at("program").value("version", NcclJson()), "unknown"), nccl_header);
    std::string group;
    double sum = 0;
    double rows = 0;
    for (const NcclJson& cell : document.at("cells")) {
        if (cell.at("size_bytes").is_null())
            throw InvalidArgument(fmt::format("--format nccl: nccl-tests have no {}; text, json and csv can show it",
                                              cell.at("collective").get<std::string>()));
        if (const std::string mine = nccl_group(cell); mine != group)
            text += group = mine;
        const NcclTimes times = nccl_times(cell);
        text += nccl_row(cell, times, is_checked(document));
        sum += times.busbw;
        ++rows;
    }
    return text + fmt::format("# Out of bounds values : {}\n# Avg bus bandwidth    : {:.6g}\n#\n",
                              is_checked(document) ? "0 OK" : "N/A", rows > 0 ? sum / rows : 0);
}

}  // namespace dcube::cli

#include "cli/text/limits_text.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>

namespace dcube::cli {

namespace {

// What a figure is one of; what does not apply is empty.
struct FigureOf {
    std::optional<std::uint64_t> threads{};
    std::optional<std::uint64_t> working_set_bytes{};
    std::optional<std::uint64_t> block_bytes{};
    std::optional<std::uint64_t> nodes{};
    std::optional<std::uint64_t> processor{};
    std::optional<std::uint64_t> other_processor{};
};

std::string figure_line(std::string_view figure, const FigureOf& of, double value, std::string_view unit)
{
    std::string line(figure);
    for (const auto& number :
         {of.threads, of.working_set_bytes, of.block_bytes, of.nodes, of.processor, of.other_processor})
        line += number ? fmt::format(",{}", *number) : ",";
    return line + fmt::format(",{},{}\n", value, unit);
}

std::string thread_lines(const measure::ThreadLimits& limits)
{
    std::string lines;
    for (const measure::CopyRate& rate : limits.copies)
        lines += figure_line("copies", {.threads = limits.threads, .working_set_bytes = rate.working_set_bytes},
                             rate.bytes_per_second, "bytes/s");
    for (const measure::BlockRate& rate : limits.blocks)
        lines += figure_line(
            "scattered blocks",
            {.threads = limits.threads, .working_set_bytes = rate.working_set_bytes, .block_bytes = rate.block_bytes},
            rate.bytes_per_second, "bytes/s");
    lines += figure_line("barrier", {.threads = limits.threads}, limits.barrier_seconds, "s");
    for (const measure::EmptyStep& step : limits.empty_steps)
        lines += figure_line("empty step", {.threads = limits.threads, .nodes = step.nodes}, step.seconds, "s");
    return lines;
}

}  // namespace

std::string limits_csv(const measure::Limits& limits)
{
    std::string lines = "figure,threads,working_set_bytes,block_bytes,nodes,processor,other_processor,value,unit\n";
    for (const measure::ThreadLimits& one : limits.threads)
        lines += thread_lines(one);
    lines += figure_line("channel", {.threads = 1}, limits.channel.one_thread_seconds, "s");
    if (limits.channel.two_threads_seconds)
        lines += figure_line("channel", {.threads = 2}, *limits.channel.two_threads_seconds, "s");
    const measure::Handover& handover = limits.handover;
    for (std::size_t a = 0; a < handover.processors.size(); ++a)
        for (std::size_t b = 0; b < handover.processors.size(); ++b)
            if (handover.seconds[a][b])
                lines += figure_line("handover",
                                     {.processor = handover.processors[a], .other_processor = handover.processors[b]},
                                     *handover.seconds[a][b], "s");
    return lines;
}

}  // namespace dcube::cli

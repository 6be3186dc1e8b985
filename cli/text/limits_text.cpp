#include "cli/text/limits_text.hpp"

#include "base/numbers.hpp"
#include "cli/text/describe.hpp"
#include "cli/text/table.hpp"
#include "inspect/measure/limits_document.hpp"
#include "run/field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace dcube::cli {

namespace {

using measure::BlockRate;
using measure::Handover;
using measure::Host;
using measure::Limits;
using measure::ThreadLimits;

std::string gigabytes_text(double bytes_per_second)
{
    return fmt::format("{:.3g}", bytes_per_second / 1e9);
}

std::string nanoseconds_text(double seconds)
{
    const double ns = seconds * 1e9;
    return ns < 1000 ? fmt::format("{:.3g}", ns) : grouped(static_cast<std::uint64_t>(std::llround(ns)));
}

// A column of sizes or counts, and one a number of threads, whose cells `cell` finds; what was not measured is blank.
template <class Key, class KeyText, class Cell>
std::string table_by_threads(const Limits& limits, const char* heading, const std::set<Key>& keys, KeyText key_text,
                             Cell cell)
{
    Table table{{{heading}}};
    for (const ThreadLimits& one : limits.threads)
        table.columns.push_back({counted(one.threads, "thread")});
    for (const Key& key : keys) {
        std::vector<std::string> row{key_text(key)};
        for (const ThreadLimits& one : limits.threads)
            row.push_back(cell(one, key));
        table.add(std::move(row));
    }
    return in_text(table);
}

std::string copies_text(const Limits& limits)
{
    std::set<std::uint64_t> sets;
    Table table{{{"working set"}}};
    for (const ThreadLimits& one : limits.threads) {
        table.columns.insert(table.columns.end(), {{counted(one.threads, "thread")}, {"best"}});
        for (const measure::CopyRate& rate : one.copies)
            sets.insert(rate.working_set_bytes);
    }
    for (const std::uint64_t set : sets) {
        std::vector<std::string> row{size_text(set)};
        for (const ThreadLimits& one : limits.threads) {
            const auto rate = std::ranges::find(one.copies, set, &measure::CopyRate::working_set_bytes);
            const bool known = rate != one.copies.end();
            row.push_back(known ? gigabytes_text(rate->bytes_per_second) : "");
            row.push_back(known ? gigabytes_text(rate->best_bytes_per_second) : "");
        }
        table.add(std::move(row));
    }
    return "\ncopies by all threads, in GB/s (10^9 bytes copied per second): the median of\n"
           "several measurements, and the best; by the bytes copied from and to\n" +
           in_text(table);
}

std::string blocks_text(const ThreadLimits& limits)
{
    std::map<std::uint64_t, std::map<std::uint64_t, const BlockRate*>> by_size;  // then by working set
    std::set<std::uint64_t> sets;
    for (const BlockRate& rate : limits.blocks) {
        by_size[rate.block_bytes][rate.working_set_bytes] = &rate;
        sets.insert(rate.working_set_bytes);
    }
    Table table{{{"block"}}};
    for (const std::uint64_t set : sets)
        table.columns.insert(table.columns.end(), {{size_text(set)}, {"best"}, {"ns"}});
    for (const auto& [bytes, rates] : by_size) {
        std::vector<std::string> row{size_text(bytes)};
        for (const std::uint64_t set : sets) {
            const auto found = rates.find(set);
            const bool known = found != rates.end();
            row.push_back(known ? gigabytes_text(found->second->bytes_per_second) : "");
            row.push_back(known ? gigabytes_text(found->second->best_bytes_per_second) : "");
            row.push_back(known ? nanoseconds_text(found->second->seconds_per_block(limits.threads)) : "");
        }
        table.add(std::move(row));
    }
    return fmt::format("\nscattered blocks, {}, by working set: GB/s (the median and the\n"
                       "best), and a thread's ns for each (the median)\n",
                       counted(limits.threads, "thread")) +
           in_text(table);
}

// A step by its nodes, and whether all threads run it.
using StepKind = std::pair<std::uint64_t, bool>;

std::string steps_text(const Limits& limits)
{
    constexpr StepKind barrier{0, true};
    std::set<StepKind> rows{barrier};
    for (const ThreadLimits& one : limits.threads)
        for (const measure::EmptyStep& step : one.empty_steps) {
            rows.insert({step.nodes, false});
            if (step.all_threads_seconds)
                rows.insert({step.nodes, true});
        }
    const auto label = [&](const StepKind& kind) {
        return kind == barrier ? "the barrier"
                               : fmt::format("{} nodes{}", grouped(kind.first), kind.second ? ", all threads" : "");
    };
    const auto cell = [&](const ThreadLimits& one, const StepKind& kind) -> std::string {
        if (kind == barrier)
            return nanoseconds_text(one.barrier_seconds);
        const auto step = std::ranges::find(one.empty_steps, kind.first, &measure::EmptyStep::nodes);
        if (step == one.empty_steps.end() || (kind.second && !step->all_threads_seconds))
            return "";
        return nanoseconds_text(kind.second ? *step->all_threads_seconds : step->seconds);
    };
    return "\na step of the machine in which nothing is sent, in ns (medians): the barrier at\n"
           "which all threads meet, and steps run as the clock chooses, or by all threads\n" +
           table_by_threads(limits, "step", rows, label, cell);
}

// Which steps more threads than one are worth their while for.
std::string learned_text(const ThreadLimits& limits)
{
    if (limits.learned.empty())
        return "";
    Table table{{{"by one thread"}, {fmt::format("by {}", limits.threads)}, {"faster", Column::Side::left}}};
    const auto cell = [](double seconds) { return seconds == 0 ? "" : nanoseconds_text(seconds); };
    for (const auto& [alone, together] : limits.learned) {
        const bool both = alone > 0 && together > 0;
        table.add({cell(alone), cell(together), !both ? "" : together < alone ? "together" : "alone"});
    }
    return "\nsuch steps in ns, by the work in them: each is run in the way that was faster\n" + in_text(table);
}

std::string channel_text(const Limits& limits)
{
    const auto& [one, two] = limits.channel;
    return "\n" + wrapped(fmt::format("a packet through a channel (a push and its pop): {} ns on one thread{}",
                                      nanoseconds_text(one),
                                      two ? fmt::format(", {} ns between two", nanoseconds_text(*two)) : ""));
}

// The levels that pairs of processors share.
std::string levels_text(const Handover& handover, const Host& host)
{
    std::map<std::string_view, std::vector<double>> all;
    for (std::size_t a = 0; a < handover.processors.size(); ++a)
        for (std::size_t b = a + 1; b < handover.processors.size(); ++b)
            if (const auto& seconds = handover.seconds[a][b])
                all[level_of_pair(host, handover.processors[a], handover.processors[b])].push_back(*seconds);
    Table table{{{"between", Column::Side::left}, {"pairs"}, {"least"}, {"median"}, {"most"}}};
    for (auto& [name, seconds] : all) {
        std::ranges::sort(seconds);
        table.add({std::string(name), grouped(seconds.size()), nanoseconds_text(seconds.front()),
                   nanoseconds_text(seconds[seconds.size() / 2]), nanoseconds_text(seconds.back())});
    }
    return in_text(table);
}

std::string matrix_text(const Handover& handover)
{
    Table table{{{"processor"}}};
    for (const unsigned processor : handover.processors)
        table.columns.push_back({fmt::format("{}", processor)});
    for (std::size_t a = 0; a < handover.processors.size(); ++a) {
        std::vector<std::string> row{fmt::format("{}", handover.processors[a])};
        for (const std::optional<double>& seconds : handover.seconds[a])
            row.push_back(seconds ? nanoseconds_text(*seconds) : "-");
        table.add(std::move(row));
    }
    return in_text(table);
}

std::string handover_text(const Handover& handover, const Host& host)
{
    constexpr std::size_t most = 12;  // columns that a screen has room for
    const std::size_t count = handover.processors.size();
    if (count < 2)
        return "\ncache-line transfer: not measured (one processor)\n";
    std::string text = "\na cache line that two processors write in turn, in ns from one to the other\n"
                       "(half of the round trip)\n" +
                       levels_text(handover, host);
    if (count <= most)
        return text + "\n" + matrix_text(handover);
    return text + "(--format json has the matrix of all pairs)\n";
}

std::string lines_text(const measure::Lines& lines)
{
    if (lines.levels.empty())
        return "";
    Table table{
        {{"between", Column::Side::left}, {"pairs"}, {"one by one"}, {"side by side"}, {"prefetched"}, {"best"}}};
    for (const measure::LineLevel& level : lines.levels) {
        const measure::LineRates& rates = level.rates;
        table.add({level.level, grouped(level.pairs), nanoseconds_text(rates.line_seconds),
                   nanoseconds_text(1 / rates.lines_per_second),
                   nanoseconds_text(1 / rates.prefetched_lines_per_second),
                   nanoseconds_text(1 / rates.best_lines_per_second)});
    }
    return "\ncache lines that another processor has just written, in ns each (medians and\n"
           "best): read one by one, each address from the line before; or side by side\n" +
           in_text(table);
}

std::string pages_text(const measure::Pages& pages)
{
    return "\n" + wrapped(fmt::format("memory that dcube asks for is given in {} (the system's setting: {})",
                                      pages.used, pages.huge_pages.value_or("unknown")));
}

}  // namespace

std::string host_text(const Host& host)
{
    std::string text = host.cpu.empty() ? "unknown processor" : host.cpu;
    if (!host.processors.empty())
        text += ", " + counted(host.processors.size(), "processor");
    if (host.cores)
        text += " on " + counted(*host.cores, "core");
    if (host.numa_nodes.value_or(1) > 1)
        text += fmt::format(", {} NUMA nodes", *host.numa_nodes);
    if (host.memory_bytes)
        text += ", " + size_text(*host.memory_bytes);
    return text;
}

std::string limits_text(const Limits& limits, const Host& host)
{
    std::string text = wrapped("limits of this machine: " + host_text(host));
    if (limits.pin != "none")
        text += fmt::format("threads keep to their processors: {}\n", limits.pin);
    text += copies_text(limits);
    for (const ThreadLimits& one : limits.threads)
        text += blocks_text(one);
    text += steps_text(limits);
    for (const ThreadLimits& one : limits.threads)
        text += learned_text(one);
    return text + channel_text(limits) + handover_text(limits.handover, host) + lines_text(limits.lines) +
           pages_text(limits.pages);
}

std::string limits_csv(const Limits& limits)
{
    Json rows = measure::limits_records(limits);
    for (Json& row : rows)
        row["value"] = fmt::format("{}", row["value"].get<double>());
    return csv_of(rows);
}

}  // namespace dcube::cli

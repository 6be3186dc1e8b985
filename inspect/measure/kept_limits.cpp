#include "inspect/measure/kept_limits.hpp"

#include "inspect/measure/host.hpp"
#include "inspect/measure/limits_document.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>
#include <vector>

namespace dcube::measure {

namespace {

// The variable's value, if that is a full path, as the XDG base directory specification demands.
std::optional<std::string> folder_in(const char* variable)
{
    const char* const value = std::getenv(variable);
    return value != nullptr && value[0] == '/' ? std::optional<std::string>(value) : std::nullopt;
}

// Empty if it cannot be read or is larger than any that dcube writes.
std::string text_of(const std::string& path)
{
    constexpr std::size_t most = std::size_t{64} << 20;  // a thousand processors' matrix takes half of that
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
        return {};
    std::ifstream file(path, std::ios::binary);
    std::string text;
    for (std::istreambuf_iterator<char> next(file), end; next != end; ++next) {
        if (text.size() == most)
            return {};
        text += *next;
    }
    return text;
}

// The trust in limits: measured without warnings, and not quick.
std::pair<bool, bool> trust(const Limits& limits)
{
    return {limits.warnings.empty(), !limits.quick};
}

// Rows that both have are made the better one by `merge`, and rows that only `from` has are added; in ascending order
// of the key.
template <class Row, class Key, class Merge>
void merge_rows(std::vector<Row>& into, const std::vector<Row>& from, Key key, Merge merge)
{
    for (const Row& row : from) {
        const auto place = std::ranges::lower_bound(into, key(row), {}, key);
        if (place != into.end() && key(*place) == key(row))
            merge(*place, row);
        else
            into.insert(place, row);
    }
}

void raise(double& rate, double other)
{
    rate = std::max(rate, other);
}

void lower(double& seconds, double other)
{
    seconds = std::min(seconds, other);
}

template <class Rate>
void raise_rates(Rate& into, const Rate& from)
{
    raise(into.bytes_per_second, from.bytes_per_second);
    raise(into.best_bytes_per_second, from.best_bytes_per_second);
}

void lower(std::optional<double>& seconds, const std::optional<double>& other)
{
    if (seconds && other)
        lower(*seconds, *other);
    else if (other)
        seconds = other;
}

void merge_threads(ThreadLimits& into, const ThreadLimits& from)
{
    merge_rows(
        into.copies, from.copies, [](const CopyRate& rate) { return rate.working_set_bytes; }, raise_rates<CopyRate>);
    merge_rows(
        into.blocks, from.blocks,
        [](const BlockRate& rate) { return std::pair(rate.working_set_bytes, rate.block_bytes); },
        raise_rates<BlockRate>);
    lower(into.barrier_seconds, from.barrier_seconds);
    lower(into.best_barrier_seconds, from.best_barrier_seconds);
    merge_rows(
        into.empty_steps, from.empty_steps, [](const EmptyStep& step) { return step.nodes; },
        [](EmptyStep& step, const EmptyStep& other) {
            lower(step.seconds, other.seconds);
            lower(step.all_threads_seconds, other.all_threads_seconds);
        });
    if (into.learned.empty())
        into.learned = from.learned;
}

void merge_rates(LineRates& into, const LineRates& from)
{
    lower(into.line_seconds, from.line_seconds);
    raise(into.lines_per_second, from.lines_per_second);
    raise(into.prefetched_lines_per_second, from.prefetched_lines_per_second);
    raise(into.best_lines_per_second, from.best_lines_per_second);
}

// Of the same host, so that the levels are of the same pairs.
void merge_lines(Lines& into, const Lines& from)
{
    if (into.processors != from.processors)
        return;
    for (std::size_t a = 0; a < into.rates.size(); ++a)
        for (std::size_t b = 0; b < into.rates[a].size(); ++b)
            if (into.rates[a][b] && from.rates[a][b])
                merge_rates(*into.rates[a][b], *from.rates[a][b]);
    for (LineLevel& level : into.levels)
        for (const LineLevel& other : from.levels)
            if (level.level == other.level)
                merge_rates(level.rates, other.rates);
}

void merge_limits(Limits& into, const Limits& from)
{
    merge_rows(
        into.threads, from.threads, [](const ThreadLimits& limits) { return limits.threads; }, merge_threads);
    lower(into.channel.one_thread_seconds, from.channel.one_thread_seconds);
    lower(into.channel.two_threads_seconds, from.channel.two_threads_seconds);
    merge_lines(into.lines, from.lines);
    if (into.handover.processors != from.handover.processors)
        return;
    for (std::size_t a = 0; a < into.handover.seconds.size(); ++a)
        for (std::size_t b = 0; b < into.handover.seconds[a].size(); ++b)
            lower(into.handover.seconds[a][b], from.handover.seconds[a][b]);
}

}  // namespace

std::optional<Limits> to_keep(const std::optional<Limits>& kept, const Limits& measured)
{
    if (!kept || kept->pin != measured.pin || trust(*kept) < trust(measured))
        return measured;
    if (trust(measured) < trust(*kept))
        return std::nullopt;
    Limits best = measured;
    merge_limits(best, *kept);
    return best;
}

std::optional<std::string> kept_limits_path()
{
    if (const auto cache = folder_in("XDG_CACHE_HOME"))
        return *cache + "/dcube/limits.json";
    if (const auto home = folder_in("HOME"))
        return *home + "/.cache/dcube/limits.json";
    return std::nullopt;
}

Keeping keeping(const Limits& measured)
{
    if (!kept_limits_path())
        return {.why_not = "neither XDG_CACHE_HOME nor HOME is set"};
    const std::optional<Limits> before = kept_limits();
    if (std::optional<Limits> best = to_keep(before, measured))
        return {.limits = std::move(best)};
    return {.why_not = fmt::format("those of {} are better, which were measured {}", before->date,
                                   measured.warnings.empty() ? "in full" : "without a warning")};
}

std::optional<Limits> limits_kept_in(const std::string& path, const std::string& fingerprint)
{
    try {
        const nlohmann::ordered_json document = parsed_limits_document(text_of(path));
        const bool is_older = !document.value("limits", nlohmann::ordered_json()).contains("lines");
        if (is_older || !is_of_this_build(document))  // the barrier of an older one was none
            return std::nullopt;
        Limits limits = read_limits(document);
        return limits.fingerprint == fingerprint ? std::optional(std::move(limits)) : std::nullopt;
    } catch (const InvalidArgument&) {
        return std::nullopt;
    }
}

std::optional<Limits> kept_limits()
{
    const std::optional<std::string> path = kept_limits_path();
    return path ? limits_kept_in(*path, fingerprint_of_host()) : std::nullopt;
}

}  // namespace dcube::measure

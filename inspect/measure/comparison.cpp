#include "inspect/measure/comparison.hpp"

#include "inspect/measure/bench_document.hpp"
#include "inspect/measure/estimate.hpp"

#include <dcube/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <map>
#include <span>
#include <utility>

namespace dcube::measure {

namespace {

// A cell of a document, with what follows from its rounds, whichever version of dcube has written it.
struct KnownCell {
    explicit KnownCell(const Json& document)
        : cell(document), rounds(rounds_of(document)), estimate(estimate_of(rounds))
    {
    }

    [[nodiscard]] std::vector<double> votes() const
    {
        std::vector<double> seconds;
        for (const Vote& vote : votes_of(rounds))
            seconds.push_back(vote.seconds);
        return seconds;
    }

    const Json& cell;
    std::vector<Round> rounds;
    Estimate estimate;
};

std::vector<std::string> doubts_in(const Json& cell, const std::string& whose)
{
    std::vector<std::string> doubts;
    for (const Json& doubt : cell.at("doubts"))
        doubts.push_back(fmt::format("{}: {}", whose, doubt.get<std::string>()));
    return doubts;
}

// Judges two cells by their interval. Their doubts are in it: a cell with too few rounds has none, and that of one
// whose runs were all disturbed reaches from the least time that they would have taken to the time that they took.
void judge(ComparedCell& one)
{
    const Interval& interval = *one.interval;
    if ((interval.low > 1 || interval.high < 1) && std::abs(one.ratio - 1) > least_difference) {
        one.finding = one.ratio > 1 ? Finding::slower : Finding::faster;
        return;
    }
    const double farthest = std::max(interval.high, 1 / interval.low) - 1;
    if (farthest > most_equal)
        return;
    one.finding = Finding::equal;
    one.equal_within = farthest;
}

// The part of the comparison that any two cells have.
ComparedCell estimates_compared(const KnownCell& before, const KnownCell& now, const std::string& old_name,
                                const std::string& new_name)
{
    ComparedCell result;
    result.cell = cell_text(now.cell);
    result.old_seconds = before.estimate.seconds;
    result.new_seconds = now.estimate.seconds;
    result.ratio = result.new_seconds / result.old_seconds;
    result.p_value = rank_test(now.votes(), before.votes()).p_value;
    result.doubts = doubts_in(before.cell, old_name);
    std::ranges::move(doubts_in(now.cell, new_name), std::back_inserter(result.doubts));
    return result;
}

// The interval, with the ratio in it, `wider` at either end, decides.
void judge_by(const std::optional<Interval>& interval, double wider, ComparedCell& result)
{
    if (!interval)
        return;
    result.interval =
        Interval{std::min(interval->low, result.ratio) / wider, std::max(interval->high, result.ratio) * wider};
    judge(result);
}

// Compares cells of two benchmarks.
ComparedCell compared(const KnownCell& before, const KnownCell& now)
{
    ComparedCell result = estimates_compared(before, now, "old", "new");
    judge_by(interval_of_ratio_apart(now.rounds, before.rounds), 1 + between_benchmarks, result);
    return result;
}

// Judges two cells by their rounds of the same number, unless one has fewer.
void judge_by_rounds(std::span<const Round> before, std::span<const Round> now, ComparedCell& result)
{
    if (!share_rounds(now, before)) {
        judge_by(interval_of_ratio_apart(now, before), 1, result);
        return;
    }
    result.ratio = ratio_together(now, before);
    judge_by(interval_of_ratio_together(now, before), 1, result);
}

// Compares two cells that were measured in the same rounds.
ComparedCell compared_within(const KnownCell& base, const KnownCell& cell)
{
    ComparedCell result = estimates_compared(base, cell, "against", "cell");
    judge_by_rounds(base.rounds, cell.rounds, result);
    return result;
}

// Compares the same cell of two programs that were measured in turns.
ComparedCell compared_in_turns(const KnownCell& before, const KnownCell& now)
{
    ComparedCell result = estimates_compared(before, now, "old", "new");
    const RoundsInTurns rounds = in_turns(before.rounds, now.rounds);
    judge_by_rounds(rounds.first, rounds.second, result);
    return result;
}

std::string value_text(const Json& part, const std::string& key)
{
    const Json value = part.is_object() ? part.value(key, Json()) : Json();
    if (value.is_null())
        return "unknown";
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    return text.empty() ? "none" : text;
}

std::vector<Difference> differences_of(const Json& before, const Json& now)
{
    std::vector<Difference> all;
    const auto look = [&](const char* part, std::initializer_list<std::pair<const char*, const char*>> keys) {
        for (const auto& [key, what] : keys) {
            const std::string old_value = value_text(before.at(part), key);
            const std::string new_value = value_text(now.at(part), key);
            if (old_value != new_value)
                all.push_back({what, old_value, new_value});
        }
    };
    look("program", {{"version", "version"},
                     {"commit", "commit"},
                     {"compiler", "compiler"},
                     {"flags", "flags"},
                     {"build_type", "build type"},
                     {"sanitizers", "sanitizers"}});
    look("host", {{"cpu", "CPU"},
                  {"fingerprint", "host"},
                  {"kernel", "kernel"},
                  {"usable_threads", "usable threads"},
                  {"affinity", "affinity"},
                  {"huge_pages", "huge pages"},
                  {"huge_pages_used", "memory in huge pages"},
                  {"governor", "governor"}});
    look("settings", {{"min_seconds", "time per cell"},
                      {"min_samples", "samples per cell"},
                      {"rounds", "rounds"},
                      {"processes", "processes"},
                      {"warm_up_runs", "warm-up runs"},
                      {"max_seconds", "most time per cell"},
                      {"weak", "weak scaling"},
                      {"check", "results checked"}});
    look("limits", {{"date", "limits of"}});
    return all;
}

}  // namespace

std::string_view name(Finding finding)
{
    switch (finding) {
    case Finding::faster: return "faster";
    case Finding::slower: return "slower";
    case Finding::equal: return "equal";
    case Finding::cannot_tell: return "cannot tell";
    }
    return "unknown";
}

namespace {

using CellComparison = std::function<ComparedCell(const KnownCell& before, const KnownCell& now)>;

BenchComparison compared_documents(const Json& before, const Json& now, const CellComparison& compared_cells)
{
    BenchComparison result;
    result.differences = differences_of(before, now);
    std::map<std::string, const Json*> old_cells;
    for (const Json& cell : before.at("cells"))
        old_cells.emplace(identity(cell), &cell);
    for (const Json& cell : now.at("cells")) {
        const auto known = old_cells.find(identity(cell));
        if (known == old_cells.end()) {
            result.only_new.push_back(cell_text(cell));
            continue;
        }
        result.cells.push_back(compared_cells(KnownCell(*known->second), KnownCell(cell)));
        old_cells.erase(known);
    }
    for (const Json& cell : before.at("cells"))
        if (old_cells.contains(identity(cell)))
            result.only_old.push_back(cell_text(cell));
    return result;
}

}  // namespace

BenchComparison compare(const Json& before, const Json& now)
{
    return compared_documents(before, now, compared);
}

BenchComparison compare_in_turns(const Json& before, const Json& now)
{
    return compared_documents(before, now, compared_in_turns);
}

std::vector<Rival> against_each_other(const Json& document)
{
    std::vector<Rival> rivals;
    std::map<std::string, const Json*> first;
    for (const Json& cell : document.at("cells")) {
        const auto [base, is_first] = first.emplace(same_work(cell), &cell);
        if (!is_first)
            rivals.push_back({cell_text(*base->second), compared_within(KnownCell(*base->second), KnownCell(cell))});
    }
    return rivals;
}

Json rivals_document(const std::vector<Rival>& rivals)
{
    Json list = Json::array();
    for (const Rival& rival : rivals) {
        Json one{{"against", rival.against}};
        one.update(compared_cell_record(rival.cell));
        list.push_back(std::move(one));
    }
    return list;
}

Json compared_cell_record(const ComparedCell& one)
{
    Json cell;
    cell["cell"] = one.cell;
    cell["old_median_seconds"] = one.old_seconds;
    cell["new_median_seconds"] = one.new_seconds;
    cell["ratio"] = one.ratio;
    cell["ratio_interval"] = one.interval ? Json::array({one.interval->low, one.interval->high}) : Json();
    cell["p_value"] = one.p_value;
    cell["verdict"] = name(one.finding);
    cell["equal_within"] = one.equal_within ? Json(*one.equal_within) : Json();
    cell["doubts"] = one.doubts;
    return cell;
}

Json comparison_document(const BenchComparison& comparison)
{
    Json document{{"schema", report_schema}, {"kind", "benchmark comparison"}};
    document["differences"] = Json::array();
    for (const Difference& one : comparison.differences)
        document["differences"].push_back({{"what", one.what}, {"old", one.old_value}, {"new", one.new_value}});
    document["cells"] = Json::array();
    for (const ComparedCell& one : comparison.cells)
        document["cells"].push_back(compared_cell_record(one));
    document["only_old"] = comparison.only_old;
    document["only_new"] = comparison.only_new;
    return document;
}

}  // namespace dcube::measure

#include "inspect/measure/comparison.hpp"

#include <dcube/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <map>
#include <utility>

namespace dcube::measure {

namespace {

std::vector<double> medians_of_rounds(const Json& cell)
{
    std::vector<double> medians;
    for (const Json& round : cell.at("rounds"))
        medians.push_back(median(round.at("samples_seconds").get<std::vector<double>>()));
    return medians;
}

// A doubt about times, not about what was measured.
bool spoils_comparison(const std::string& doubt)
{
    constexpr std::string_view spoiling[] = {"busy", "spread", "few"};
    return std::ranges::any_of(spoiling, [&](std::string_view word) { return doubt.starts_with(word); });
}

std::vector<std::string> doubts_in(const Json& cell, const std::string& whose)
{
    std::vector<std::string> doubts;
    for (const Json& doubt : cell.at("doubts"))
        doubts.push_back(fmt::format("{}: {}", whose, doubt.get<std::string>()));
    return doubts;
}

bool is_doubtful(const Json& cell)
{
    return std::ranges::any_of(cell.at("doubts"),
                               [](const Json& doubt) { return spoils_comparison(doubt.get<std::string>()); });
}

// Judges two cells without doubts by their interval.
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
ComparedCell medians_compared(const Json& before, const Json& now, const std::string& old_name,
                              const std::string& new_name)
{
    ComparedCell result;
    result.cell = cell_text(now);
    result.old_seconds = before.at("median_seconds").get<double>();
    result.new_seconds = now.at("median_seconds").get<double>();
    result.ratio = result.new_seconds / result.old_seconds;
    result.doubts = doubts_in(before, old_name);
    std::ranges::move(doubts_in(now, new_name), std::back_inserter(result.doubts));
    return result;
}

// Compares cells of two processes.
ComparedCell compared(const Json& before, const Json& now)
{
    ComparedCell result = medians_compared(before, now, "old", "new");
    const std::vector<double> old_medians = medians_of_rounds(before);
    const std::vector<double> new_medians = medians_of_rounds(now);
    if (old_medians.empty() || new_medians.empty())
        return result;
    result.p_value = rank_test(new_medians, old_medians).p_value;
    result.interval = interval_of_ratio(new_medians, old_medians);
    if (!result.interval)
        return result;
    constexpr double wider = 1 + between_processes;
    result.interval->low = std::min(result.interval->low, result.ratio) / wider;
    result.interval->high = std::max(result.interval->high, result.ratio) * wider;
    if (!is_doubtful(before) && !is_doubtful(now))
        judge(result);
    return result;
}

std::vector<double> round_by_round(const std::vector<double>& over, const std::vector<double>& under)
{
    std::vector<double> ratios;
    for (std::size_t i = 0; i < over.size(); ++i)
        ratios.push_back(over[i] / under[i]);
    return ratios;
}

// Compares two cells that were measured in the same rounds, unless one has fewer.
ComparedCell compared_within(const Json& base, const Json& cell)
{
    ComparedCell result = medians_compared(base, cell, "against", "cell");
    const std::vector<double> old_medians = medians_of_rounds(base);
    const std::vector<double> new_medians = medians_of_rounds(cell);
    if (old_medians.empty() || new_medians.empty())
        return result;
    result.p_value = rank_test(new_medians, old_medians).p_value;
    if (old_medians.size() == new_medians.size()) {
        const std::vector<double> ratios = round_by_round(new_medians, old_medians);
        result.interval = interval_of_ratio(ratios, std::vector<double>(ratios.size(), 1));
    } else {
        result.interval = interval_of_ratio(new_medians, old_medians);
    }
    if (!result.interval)
        return result;
    result.interval->low = std::min(result.interval->low, result.ratio);
    result.interval->high = std::max(result.interval->high, result.ratio);
    if (!is_doubtful(base) && !is_doubtful(cell))
        judge(result);
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
                  {"huge_pages", "huge pages"},
                  {"governor", "governor"}});
    look("settings", {{"min_seconds", "time per cell"},
                      {"min_samples", "samples per cell"},
                      {"rounds", "rounds"},
                      {"warm_up_runs", "warm-up runs"},
                      {"max_seconds", "most time per cell"},
                      {"weak", "weak scaling"},
                      {"check", "results checked"}});
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

BenchComparison compare(const Json& before, const Json& now)
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
        result.cells.push_back(compared(*known->second, cell));
        old_cells.erase(known);
    }
    for (const Json& cell : before.at("cells"))
        if (old_cells.contains(identity(cell)))
            result.only_old.push_back(cell_text(cell));
    return result;
}

std::vector<Rival> against_each_other(const Json& document)
{
    std::vector<Rival> rivals;
    std::map<std::string, const Json*> first;
    for (const Json& cell : document.at("cells")) {
        const auto [base, is_first] = first.emplace(same_work(cell), &cell);
        if (!is_first)
            rivals.push_back({cell_text(*base->second), compared_within(*base->second, cell)});
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

#include "measure/comparison.hpp"

#include "measure/experiment.hpp"

#include <cmath>
#include <initializer_list>
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

std::optional<Interval> interval_in(const Json& cell)
{
    const Json& interval = cell.at("interval_seconds");
    if (interval.is_null() || interval.at(0).get<double>() <= 0)
        return std::nullopt;
    return Interval{interval.at(0).get<double>(), interval.at(1).get<double>()};
}

ComparedCell compared(const Json& before, const Json& now)
{
    ComparedCell result;
    result.cell = cell_text(now);
    result.old_seconds = before.at("median_seconds").get<double>();
    result.new_seconds = now.at("median_seconds").get<double>();
    result.ratio = result.new_seconds / result.old_seconds;
    const std::optional<Interval> old_interval = interval_in(before);
    const std::optional<Interval> new_interval = interval_in(now);
    if (old_interval && new_interval)
        result.interval = ratio(*new_interval, *old_interval);
    const std::vector<double> old_medians = medians_of_rounds(before);
    const std::vector<double> new_medians = medians_of_rounds(now);
    const bool few = std::min(old_medians.size(), new_medians.size()) < fewest_rounds;
    if (!old_medians.empty() && !new_medians.empty()) {
        result.p_value = rank_test(new_medians, old_medians).p_value;
        const double later = median(new_medians) - median(old_medians);
        result.rounds_agree = (later > 0 && result.ratio > 1) || (later < 0 && result.ratio < 1);
    }
    if (few)
        result.finding = Finding::too_few_rounds;
    else if (result.p_value < greatest_p_value && result.rounds_agree && std::abs(result.ratio - 1) > least_difference)
        result.finding = result.ratio > 1 ? Finding::slower : Finding::faster;
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
    look("settings", {{"min_seconds", "time a cell"},
                      {"min_samples", "samples a cell"},
                      {"rounds", "rounds"},
                      {"warm_up_runs", "warm-up runs"},
                      {"max_seconds", "most time a cell"},
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
    case Finding::no_difference: return "no difference";
    case Finding::too_few_rounds: return "too few rounds";
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
    return cell;
}

Json comparison_document(const BenchComparison& comparison)
{
    Json document{{"schema", 1}, {"kind", "benchmark comparison"}};
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

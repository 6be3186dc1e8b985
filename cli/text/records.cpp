#include "cli/text/records.hpp"

#include <dcube/catalogue.hpp>
#include <dcube/distances.hpp>
#include <dcube/matrix.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <string_view>

namespace dcube::cli {

using nlohmann::ordered_json;

namespace {

constexpr int schema = 1;

// A number if it is whole, else a string such as "5/2".
ordered_json exact(const Rational& value)
{
    return value.denominator == 1 ? ordered_json(value.numerator) : ordered_json(to_string(value));
}

ordered_json unless(bool not_told, std::uint64_t value)
{
    return not_told ? ordered_json() : ordered_json(value);
}

template <class T>
ordered_json or_null(const std::optional<T>& value)
{
    return value ? ordered_json(*value) : ordered_json();
}

std::string formatted(const ordered_json& records, Format format)
{
    return format == Format::csv ? to_csv(records.dump()) : records.dump(2) + "\n";
}

ordered_json record_of(const Report& report, RecordKind kind)
{
    return ordered_json::parse(to_json(report, kind));
}

ordered_json record_of(const Forecast& forecast)
{
    ordered_json record = record_of(forecast.report, RecordKind::forecast);
    record["steps"] = forecast.cost.steps;  // a run could not count as many as there may be
    record["link_bytes"] = or_null(forecast.link_bytes);
    record["memory_bytes"] = forecast.memory_bytes;
    record["predicted_seconds"] = or_null(forecast.seconds);
    return record;
}

// What was asked for, as far as it is the same in all that is compared; the size of a packet stands in the rows.
ordered_json common_keys(const Comparison& comparison)
{
    ordered_json common;
    for (const Answer& answer : comparison.answers) {
        const auto& [topology, problem, machine] = answer.question;
        ordered_json here = record_of(blank_report(topology, machine.ports, problem), RecordKind::trace);
        if (common.is_null())
            common = here;
        for (const auto& [key, value] : here.items())
            if (common.contains(key) && common[key] != value)
                common.erase(key);
    }
    common.erase("bytes");
    return common;
}

}  // namespace

std::string comparison_record(const Comparison& comparison, Format format)
{
    ordered_json rows = ordered_json::array();
    for (const Answer& answer : comparison.answers) {
        for (const Contender& contender : answer.contenders) {
            rows.push_back(record_of(contender.report, RecordKind::report));
            rows.back()["algorithm"] = contender.name;
            rows.back()["best"] = &contender == &answer.contenders.front();
        }
    }
    if (format == Format::csv)
        return to_csv(rows.dump());
    const bool matrix = is_matrix(comparison.answers.front().question.problem.collective);
    ordered_json record = common_keys(comparison);
    record["algorithms"] = rows;
    record["best"] = ordered_json::array();
    for (const BestRange& range : comparison.best())
        record["best"].push_back({{"topology", range.topology},
                                  {"packets", unless(matrix, range.packets)},
                                  {"from_bytes", unless(matrix, range.from)},
                                  {"to_bytes", unless(matrix, range.to)},
                                  {"algorithm", range.algorithm}});
    record["left_out"] = ordered_json::array();
    for (const LeftOut& one : comparison.left_out)
        record["left_out"].push_back({{"topology", one.topology},
                                      {"from_bytes", unless(matrix, one.from)},
                                      {"to_bytes", unless(matrix, one.to)},
                                      {"algorithm", one.algorithm},
                                      {"reason", one.reason}});
    return record.dump(2) + "\n";
}

std::string report_record(const Report& report, Format format)
{
    const std::string json = to_json(report);
    return format == Format::csv ? to_csv(json) : json + "\n";
}

std::string forecast_record(const Forecast& forecast, Format format)
{
    return formatted(record_of(forecast), format);
}

std::string forecasts_record(std::span<const Forecast> forecasts, Format format)
{
    ordered_json records = ordered_json::array();
    for (const Forecast& forecast : forecasts)
        records.push_back(record_of(forecast));
    return formatted(records, format);
}

std::string catalogue_record(Format format)
{
    ordered_json records = ordered_json::array();
    for (const Algorithm& algorithm : catalogue()) {
        ordered_json record;
        record["collective"] = name(algorithm.collective);
        record["name"] = algorithm.name;
        record["aliases"] = aliases_text(algorithm);
        record["ports"] = name(algorithm.ports);
        record["link_model"] = name(algorithm.link);
        record["networks"] = name(algorithm.networks);
        record["paper"] = algorithm.paper;
        record["origin"] = name(algorithm.origin);
        record["summary"] = algorithm.summary;
        records.push_back(record);
    }
    return formatted(records, format);
}

std::string machines_record(Format format)
{
    ordered_json records = ordered_json::array();
    for (const MachinePreset& preset : machine_presets())
        records.push_back({{"name", preset.name},
                           {"tau_ns_per_byte", exact(preset.tau)},
                           {"beta_ns", exact(preset.beta)},
                           {"source", preset.source}});
    return formatted(records, format);
}

std::string network_record(const NetworkFacts& facts)
{
    const auto range = [](const Range& both) { return ordered_json{{"least", both.least}, {"most", both.most}}; };
    ordered_json record;
    record["schema"] = schema;
    record["topology"] = facts.topology.name();
    record["dimensions"] = facts.topology.dimension();
    record["nodes"] = facts.topology.nodes();
    record["links"] = facts.topology.directed_links() / 2;
    record["directed_links"] = facts.topology.directed_links();
    record["degree"] = range(facts.degree);
    record["diameter"] = facts.topology.diameter();
    record["status"] = range(facts.status);
    record["average_status"] = exact(facts.average_status);
    record["average_distance"] = exact(facts.average_distance);
    record["average_distance_formula"] = facts.formula ? ordered_json(facts.formula->formula) : ordered_json();
    record["bounds"] = ordered_json::array();
    for (const NamedBound& one : facts.bounds)
        record["bounds"].push_back({{"name", one.bound.name},
                                    {"ports", name(one.ports)},
                                    {"value", exact(one.bound.value)},
                                    {"steps", one.bound.steps},
                                    {"reason", one.bound.reason}});
    record["algorithms"] = ordered_json::array();
    for (const ExchangeAlgorithm& one : facts.algorithms)
        record["algorithms"].push_back(
            {{"name", one.algorithm->name},
             {"ports", name(one.algorithm->ports)},
             {"paper", one.algorithm->paper},
             {"steps", unless(!one.steps, one.steps.value_or(0))},
             {"steps_lower_bound", one.bound},
             {"obstacle", one.obstacle.empty() ? ordered_json() : ordered_json(one.obstacle)},
             {"optimal", one.steps ? ordered_json(*one.steps == one.bound) : ordered_json()}});
    return record.dump(2) + "\n";
}

std::string aliases_text(const Algorithm& algorithm)
{
    std::string text;
    for (const std::string_view alias : algorithm.aliases)
        text += fmt::format("{}{}", text.empty() ? "" : ", ", alias);
    return text;
}

}  // namespace dcube::cli

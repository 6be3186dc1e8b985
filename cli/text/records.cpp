#include "cli/text/records.hpp"

#include <dcube/catalogue.hpp>
#include <dcube/error.hpp>
#include <dcube/matrix.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <string_view>

namespace dcube::cli {

namespace {

const Field<Forecast> of_forecasts[] = {
    {"memory_bytes", "bytes", "most memory that the process would hold",
     [](const Forecast& forecast) -> Json { return forecast.memory_bytes; }},
    {"predicted_seconds", "s", "from a short calibration on this machine; null where link_bytes is",
     [](const Forecast& forecast) { return or_null(forecast.seconds); }},
};

Json unless(bool not_told, std::uint64_t value)
{
    return not_told ? Json() : Json(value);
}

std::string in_format(const std::string& json, Format format)
{
    return format == Format::csv ? to_csv(json) : json + "\n";
}

Json report_json(const Report& report, RecordKind kind)
{
    return Json::parse(to_json(report, kind));
}

Json forecast_json(const Forecast& forecast)
{
    Json record = report_json(forecast.report, RecordKind::forecast);
    record["steps"] = forecast.cost.steps;  // a run could not count as many as there may be
    record["link_bytes"] = or_null(forecast.link_bytes);
    record.update(record_of(forecast_fields(), forecast));
    return record;
}

// What was asked for, as far as it is the same in all that is compared; the size of a packet stands in the rows.
Json common_keys(const Comparison& comparison)
{
    Json common;
    for (const Answer& answer : comparison.answers) {
        const auto& [topology, problem, machine] = answer.question;
        Json here = report_json(blank_report(topology, machine.ports, problem), RecordKind::trace);
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
    Json rows = Json::array();
    for (const Answer& answer : comparison.answers) {
        for (const Contender& contender : answer.contenders) {
            rows.push_back(report_json(contender.report, RecordKind::report));
            rows.back()["algorithm"] = contender.name;
            rows.back()["best"] = &contender == &answer.contenders.front();
        }
    }
    if (format == Format::csv)
        return to_csv(rows.dump());
    const bool matrix = is_matrix(comparison.answers.front().question.problem.collective);
    Json record = common_keys(comparison);
    record["algorithms"] = rows;
    record["best"] = Json::array();
    for (const BestRange& range : comparison.best())
        record["best"].push_back({{"topology", range.topology},
                                  {"packets", unless(matrix, range.packets)},
                                  {"from_bytes", unless(matrix, range.from)},
                                  {"to_bytes", unless(matrix, range.to)},
                                  {"algorithm", range.algorithm}});
    record["left_out"] = Json::array();
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
    return in_format(to_json(report), format);
}

std::string reports_record(std::span<const Report> reports, Format format)
{
    return in_format(to_json(reports), format);
}

std::span<const Field<Forecast>> forecast_fields()
{
    return of_forecasts;
}

std::string forecast_record(const Forecast& forecast, Format format)
{
    return in_format(forecast_json(forecast).dump(2), format);
}

std::string forecasts_record(std::span<const Forecast> forecasts, Format format)
{
    Json records = Json::array();
    for (const Forecast& forecast : forecasts)
        records.push_back(forecast_json(forecast));
    return in_format(records.dump(2), format);
}

std::string failure_record(const Report& asked, const Error& error)
{
    Json record = report_json(asked, RecordKind::trace);
    record["verified"] = false;
    record["error"] = error.what();
    const auto* const violation = dynamic_cast<const RuleViolation*>(&error);
    const auto* const thrown = dynamic_cast<const ProgramError*>(&error);
    record["rule"] = violation ? Json(name(violation->rule)) : Json();
    record["step"] = violation ? Json(violation->step) : thrown ? Json(thrown->step) : Json();
    record["node"] = violation ? Json(violation->node) : thrown ? Json(thrown->node) : Json();
    record["port"] = violation && violation->port != RuleViolation::no_port ? Json(violation->port) : Json();
    return record.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string catalogue_record(Format format)
{
    Json records = Json::array();
    for (const Algorithm& algorithm : catalogue()) {
        Json record;
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
    return in_format(records.dump(2), format);
}

std::string machines_record(Format format)
{
    Json records = Json::array();
    for (const MachinePreset& preset : machine_presets())
        records.push_back({{"name", preset.name},
                           {"tau_ns_per_byte", exact(preset.tau)},
                           {"beta_ns", exact(preset.beta)},
                           {"source", preset.source}});
    return in_format(records.dump(2), format);
}

std::string aliases_text(const Algorithm& algorithm)
{
    std::string text;
    for (const std::string_view alias : algorithm.aliases)
        text += fmt::format("{}{}", text.empty() ? "" : ", ", alias);
    return text;
}

}  // namespace dcube::cli

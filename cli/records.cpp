#include "cli/records.hpp"

#include <dcube/catalogue.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <string_view>

namespace dcube::cli {

using nlohmann::ordered_json;

namespace {

constexpr int schema = 1;

// The keys of a report that say what was asked for, with the same names.
ordered_json question(const Topology& topology, PortModel ports, const Problem& problem)
{
    ordered_json record;
    record["schema"] = schema;
    record["collective"] = name(problem.collective);
    record["topology"] = topology.name();
    record["dimensions"] = topology.dimension();
    record["nodes"] = topology.nodes();
    record["ports"] = name(ports);
    record["bytes"] = problem.bytes;
    record["packets"] = problem.packets;
    record["root"] = has_root(problem.collective) ? ordered_json(problem.root) : ordered_json();
    return record;
}

// A nested object is a cell with its JSON text.
std::string cell(const ordered_json& value)
{
    if (value.is_null())
        return "";
    std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    if (text.find_first_of(",\"\n") == std::string::npos)
        return text;
    for (std::size_t place = 0; (place = text.find('"', place)) != std::string::npos; place += 2)
        text.insert(place, 1, '"');
    return '"' + text + '"';
}

std::string to_csv(const ordered_json& records)
{
    const ordered_json rows = records.is_array() ? records : ordered_json::array({records});
    std::string keys;
    std::string values;
    for (const ordered_json& record : rows) {
        keys.clear();
        for (const auto& [key, value] : record.items()) {
            const std::string_view comma = keys.empty() ? "" : ",";
            keys += fmt::format("{}{}", comma, key);
            values += fmt::format("{}{}", comma, cell(value));
        }
        values += '\n';
    }
    return keys + "\n" + values;
}

std::string formatted(const ordered_json& records, Format format)
{
    return format == Format::csv ? to_csv(records) : records.dump(2) + "\n";
}

}  // namespace

std::string report_record(const Report& report, Format format)
{
    const std::string json = to_json(report);
    return format == Format::csv ? to_csv(ordered_json::parse(json)) : json + "\n";
}

std::string forecast_record(const Forecast& forecast, const RunCommand& command)
{
    ordered_json record = question(command.topology, command.machine.ports, command.problem);
    record["algorithm"] = forecast.algorithm->name;
    record["paper"] = forecast.algorithm->paper;
    record["steps"] = forecast.cost.steps;
    record["steps_lower_bound"] = forecast.steps_bound.value;
    record["transmissions"] = forecast.cost.transmissions;
    record["transmissions_lower_bound"] = forecast.transmissions_bound.value;
    record["link_bytes"] = forecast.link_bytes;
    record["memory_bytes"] = forecast.memory_bytes;
    record["predicted_seconds"] = forecast.seconds;
    return formatted(record, command.format);
}

std::string verdict_record(const Verdict& verdict, const VerifyCommand& command)
{
    ordered_json record = question(command.topology, command.ports, command.problem);
    record["lines"] = verdict.lines;
    record["steps"] = verdict.steps;
    record["steps_lower_bound"] = verdict.steps_lower_bound;
    record["transmissions"] = verdict.transmissions;
    record["transmissions_lower_bound"] = verdict.transmissions_lower_bound;
    record["link_bytes"] = verdict.bytes;
    record["accepted"] = true;
    return formatted(record, command.format);
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
        record["paper"] = algorithm.paper;
        record["summary"] = algorithm.summary;
        records.push_back(record);
    }
    return formatted(records, format);
}

std::string aliases_text(const Algorithm& algorithm)
{
    std::string text;
    for (const std::string_view alias : algorithm.aliases)
        text += fmt::format("{}{}", text.empty() ? "" : ", ", alias);
    return text;
}

}  // namespace dcube::cli

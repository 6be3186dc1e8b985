#include "cli/text/records.hpp"

#include <dcube/catalogue.hpp>
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
    const bool matrix = is_matrix(problem.collective);
    record["bytes"] = unless(matrix, problem.bytes);
    record["packets"] = unless(matrix, problem.packets);
    record["root"] = unless(!has_root(problem.collective), problem.root);
    record["link_model"] = name(problem.link.kind);
    record["tau_ns_per_byte"] = problem.link.bound() ? exact(problem.link.tau) : ordered_json();
    record["beta_ns"] = problem.link.bound() ? exact(problem.link.beta) : ordered_json();
    record["clock"] = problem.link.bound() ? ordered_json(name(problem.link.clock)) : ordered_json();
    record["rows"] = unless(!matrix, problem.rows);
    record["columns"] = unless(!matrix, problem.columns);
    record["layout"] = matrix ? ordered_json(name(problem.layout)) : ordered_json();
    return record;
}

ordered_json exact_or_null(const std::optional<Rational>& value)
{
    return value ? exact(*value) : ordered_json();
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

ordered_json contender_record(const Contender& contender, const LinkModel& link)
{
    const Report& report = contender.report;
    ordered_json record;
    record["bytes"] = unless(is_matrix(report.problem.collective), report.problem.bytes);
    record["algorithm"] = contender.name;
    record["paper"] = report.paper;
    record["virtual_time_ns"] = exact_or_null(report.virtual_time_ns);
    record["predicted_time_ns"] = exact_or_null(report.predicted_time_ns);
    record["time_lower_bound_ns"] = exact_or_null(report.time_lower_bound_ns);
    const auto in_beta = [&](const std::optional<Rational>& time) {
        const bool told = time && link.beta.numerator > 0;
        return told ? ordered_json(time->to_double() / link.beta.to_double()) : ordered_json();
    };
    record["virtual_time_beta"] = in_beta(report.virtual_time_ns);
    record["predicted_time_beta"] = in_beta(report.predicted_time_ns);
    const double ratio = contender.ratio();
    record["ratio_to_bound"] = ratio > 0 ? ordered_json(ratio) : ordered_json();
    record["steps"] = report.counts.steps;
    record["steps_lower_bound"] = unless(link.bound(), report.steps_lower_bound);
    record["transmissions"] = report.counts.transmissions;
    record["link_bytes"] = report.counts.bytes;
    record["wall_seconds"] = report.counts.wall_seconds;
    return record;
}

}  // namespace

std::string comparison_record(const Comparison& comparison, const CompareCommand& command)
{
    ordered_json rows = ordered_json::array();
    for (const SizeResult& result : comparison.sizes) {
        for (const Contender& contender : result.contenders) {
            rows.push_back(contender_record(contender, command.machine.link));
            rows.back()["best"] = &contender == &result.contenders.front();
        }
    }
    if (command.format == Format::csv)
        return to_csv(rows);
    ordered_json record = question(command.topology, command.machine.ports, command.problem);
    record.erase("bytes");
    const bool matrix = is_matrix(command.problem.collective);
    record["algorithms"] = rows;
    record["best"] = ordered_json::array();
    for (const BestRange& range : comparison.best)
        record["best"].push_back({{"from_bytes", unless(matrix, range.from)},
                                  {"to_bytes", unless(matrix, range.to)},
                                  {"algorithm", range.algorithm}});
    record["left_out"] = ordered_json::array();
    for (const LeftOut& one : comparison.left_out)
        record["left_out"].push_back({{"from_bytes", unless(matrix, one.from)},
                                      {"to_bytes", unless(matrix, one.to)},
                                      {"algorithm", one.algorithm},
                                      {"reason", one.reason}});
    return record.dump(2) + "\n";
}

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
    const bool bound = command.machine.link.bound();
    record["steps_lower_bound"] = unless(bound, forecast.steps_bound.value);
    record["transmissions"] = forecast.cost.transmissions;
    record["transmissions_lower_bound"] = unless(bound, forecast.transmissions_bound.value);
    record["predicted_time_ns"] = exact_or_null(forecast.time);
    const bool whole = packets_are_whole(forecast);
    record["link_bytes"] = unless(!whole, forecast.link_bytes);
    record["memory_bytes"] = forecast.memory_bytes;
    record["predicted_seconds"] = whole ? ordered_json(forecast.seconds) : ordered_json();
    return formatted(record, command.format);
}

std::string verdict_record(const Verdict& verdict, const VerifyCommand& command)
{
    ordered_json record = question(command.topology, command.ports, command.problem);
    record["lines"] = verdict.lines;
    record["steps"] = verdict.steps;
    const bool bound = command.problem.link.bound();
    record["steps_lower_bound"] = unless(bound, verdict.steps_lower_bound);
    record["transmissions"] = verdict.transmissions;
    record["transmissions_lower_bound"] = unless(bound, verdict.transmissions_lower_bound);
    record["virtual_time_ns"] = exact_or_null(verdict.virtual_time_ns);
    record["time_lower_bound_ns"] = exact_or_null(verdict.time_lower_bound_ns);
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
        record["link_model"] = name(algorithm.link);
        record["networks"] = name(algorithm.networks);
        record["paper"] = algorithm.paper;
        record["summary"] = algorithm.summary;
        records.push_back(record);
    }
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
             {"optimal", one.steps ? ordered_json(*one.steps == one.bound) : ordered_json()}});
    return record.dump(2) + "\n";
}

bool packets_are_whole(const Forecast& forecast)
{
    return forecast.algorithm->link == LinkKind::unit;
}

std::string aliases_text(const Algorithm& algorithm)
{
    std::string text;
    for (const std::string_view alias : algorithm.aliases)
        text += fmt::format("{}{}", text.empty() ? "" : ", ", alias);
    return text;
}

}  // namespace dcube::cli

#include "view/charts/bench_cells.hpp"

#include "view/words/counting.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace dcube::view {

namespace {

using Json = nlohmann::json;

constexpr double most_counted = 9'007'199'254'740'992;  // 2^53: what JSON's numbers count exactly

[[noreturn]] void no_benchmark(std::string_view what)
{
    throw InvalidArgument(fmt::format("this is not a benchmark's document: {}", what));
}

std::optional<double> number(const Json& object, const char* key)
{
    const auto found = object.find(key);
    if (found == object.end() || !found->is_number())
        return std::nullopt;
    const double value = found->get<double>();
    return std::isfinite(value) && value >= 0 ? std::optional(value) : std::nullopt;
}

std::string words(const Json& object, const char* key)
{
    const auto found = object.find(key);
    if (found == object.end() || found->is_null())
        return {};
    return found->is_string() ? found->get<std::string>() : found->dump();
}

std::optional<Interval> interval_of(const Json& object, const char* key)
{
    const auto found = object.find(key);
    if (found == object.end() || !found->is_array() || found->size() != 2)
        return std::nullopt;
    Interval ends{};
    for (std::size_t i = 0; i < 2; ++i) {
        if (!(*found)[i].is_number())
            return std::nullopt;
        ends[i] = (*found)[i].get<double>();
    }
    return ends[0] > 0 && ends[0] <= ends[1] && std::isfinite(ends[1]) ? std::optional(ends) : std::nullopt;
}

std::string prefixed(std::string_view before, const std::string& value, std::string_view after = "")
{
    return value.empty() ? value : fmt::format("{}{}{}", before, value, after);
}

CellNames names_of(const Json& cell, const BenchCell& known)
{
    CellNames names;
    names[collective_name] = words(cell, "collective");
    const std::string asked = words(cell, "asked");
    names[algorithm_name] = asked.empty() || asked == "auto" ? words(cell, "algorithm") : asked;
    names[network_name] = known.dimension ? fmt::format("d = {:.0f}", *known.dimension) : words(cell, "topology");
    const std::string rows = words(cell, "rows");
    if (known.bytes)
        names[message_size] = short_size(*known.bytes);
    else if (!rows.empty())
        names[message_size] = fmt::format("{} x {}", rows, words(cell, "columns"));
    names[thread_count] = counted(static_cast<std::uint64_t>(known.threads), "thread");
    names[root_node] = prefixed("root ", words(cell, "root"));
    names[summed] = listed({words(cell, "operation"), words(cell, "type")}, " ");
    names[other_options] = words(cell, "options");
    const std::string how_many = words(cell, "ports");
    names[port_model] = prefixed("", how_many, how_many == "one" ? " port" : " ports");
    names[link_model] = listed({words(cell, "link_model"), prefixed("tau ", words(cell, "tau_ns_per_byte"), " ns/B"),
                                prefixed("beta ", words(cell, "beta_ns"), " ns")});
    if (const auto count = number(cell, "packets"); count && *count < most_counted)
        names[packet_count] = counted(static_cast<std::uint64_t>(*count), "packet");
    names[channel_kind] = words(cell, "channel");
    names[pinning] = prefixed("pin ", words(cell, "pin"));
    return names;
}

std::optional<double> dimension_of(const std::string& topology)
{
    constexpr std::string_view cube = "hypercube:";
    if (!topology.starts_with(cube) || topology.size() == cube.size() || topology.size() > cube.size() + 3)
        return std::nullopt;
    const std::string digits = topology.substr(cube.size());
    if (!std::ranges::all_of(digits, [](unsigned char digit) { return std::isdigit(digit) != 0; }))
        return std::nullopt;
    return std::stod(digits);
}

BenchCell cell_of(const Json& cell)
{
    if (!cell.is_object())
        no_benchmark("a cell is not an object");
    BenchCell read;
    const auto nodes = number(cell, "nodes");
    const auto thread_number = number(cell, "threads");
    const auto median = number(cell, "median_seconds");
    const auto is_count = [](const auto& count) { return count && *count >= 1 && *count < most_counted; };
    if (!is_count(nodes) || !is_count(thread_number) || !median || *median == 0)
        no_benchmark("a cell lacks its nodes, its threads or its median");
    read.nodes = *nodes;
    read.threads = *thread_number;
    read.median = *median;
    read.dimension = dimension_of(words(cell, "topology"));
    read.bytes = number(cell, "bytes");
    read.size_bytes = number(cell, "size_bytes");
    read.speed_up = number(cell, "speed_up");
    read.link_bytes_per_second = number(cell, "link_bytes_per_second");
    read.ns_per_hop = number(cell, "ns_per_hop");
    read.interval = interval_of(cell, "interval_seconds");
    read.speed_up_interval = interval_of(cell, "speed_up_interval");
    read.limit = number(cell, "limit_seconds");
    read.names = names_of(cell, read);
    return read;
}

Json document_of(std::string_view json)
{
    Json document = Json::parse(json, nullptr, false);
    if (document.is_discarded() || !document.is_object())
        no_benchmark("it is no JSON object");
    if (words(document, "kind") != "benchmark" || number(document, "schema") != 1.0)
        no_benchmark("its kind is not \"benchmark\", or its schema not 1");
    if (!document.contains("cells") || !document["cells"].is_array())
        no_benchmark("it has no cells");
    return document;
}

}  // namespace

std::string short_size(double bytes)
{
    constexpr std::array<std::string_view, 6> units{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    std::size_t unit = 0;
    for (; bytes >= 1024 && unit + 1 < units.size(); ++unit)
        bytes /= 1024;
    return fmt::format("{:.4g} {}", bytes, units[unit]);
}

std::string listed(const std::vector<std::string>& parts, std::string_view between)
{
    std::string text;
    for (const std::string& part : parts)
        if (!part.empty())
            text += fmt::format("{}{}", text.empty() ? "" : between, part);
    return text;
}

BenchCells bench_cells(std::string_view json)
{
    const Json document = document_of(json);
    BenchCells read;
    read.command = words(document, "command");
    const Json program = document.value("program", Json::object());
    const Json host = document.value("host", Json::object());
    read.source = listed({prefixed("dcube ", words(program, "version")), words(program, "commit"), words(host, "cpu"),
                          words(document, "date")});
    const Json settings = document.value("settings", Json::object());
    read.weak = words(settings, "weak") == "true";
    for (const Json& cell : document["cells"])
        read.cells.push_back(cell_of(cell));
    return read;
}

}  // namespace dcube::view

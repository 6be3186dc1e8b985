// Requests as command lines.

#include "web/lab/request.hpp"

#include "base/names.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dcube::lab {

namespace {

std::string text_of(const GivenValues& values, std::string_view key)
{
    for (const auto& [one, value] : values)
        if (one->key == key)
            return to_text(value);
    return {};
}

std::string option(std::string_view name, std::string_view value)
{
    return fmt::format(" {} {}", name, shell_word(value));
}

std::string fault_options(const std::string& text)
{
    std::string options;
    const Faults faults = parse_faults(text);
    for (const auto& [a, b] : faults.links)
        options += fmt::format(" --without-link {}-{}", a, b);
    for (const NodeId node : faults.nodes)
        options += fmt::format(" --without-node {}", node);
    return options;
}

std::string failing_options(const std::string& text)
{
    std::string options;
    for (const std::string& one : split(text, ","))
        options += option(one.find('-') == std::string::npos ? "--fail-node" : "--fail-link", trimmed(one));
    return options;
}

// The collective and the options of a run, but for those keys.
std::string arguments(const GivenValues& values, std::initializer_list<std::string_view> without = {})
{
    std::string words = " " + shell_word(text_of(values, "collective"));
    if (text_of(values, "topology").empty())
        words += option(option_of("topology"), "hypercube:4");
    for (const auto& [key, value] : values) {
        if (key->key == "collective" || std::ranges::find(without, key->key) != without.end())
            continue;
        const std::string text = to_text(value);
        if (key->key == "faults")
            words += fault_options(text);
        else if (key->key == "failing")
            words += failing_options(text);
        else if (key->kind == Key::Kind::flag)
            words += text == "true" ? " " + option_of(key->key) : "";
        else
            words += option(option_of(key->key), text);
    }
    return words;
}

bool differ_only_in(const GivenValues& one, const GivenValues& other, std::initializer_list<std::string_view> keys)
{
    return std::ranges::all_of(question_keys(), [&](const Key& key) {
        return text_of(one, key.key) == text_of(other, key.key) || std::ranges::find(keys, key.key) != keys.end();
    });
}

// The network with its faults, as one word.
std::string network_of(const GivenValues& values)
{
    const std::string topology = text_of(values, "topology");
    const std::string faults = text_of(values, "faults");
    return (topology.empty() ? "hypercube:4" : topology) + (faults.empty() ? "" : " without " + faults);
}

std::string algorithm_of(const GivenValues& values)
{
    const std::string algorithm = text_of(values, "algorithm");
    return algorithm.empty() ? "auto" : algorithm;
}

bool has_command(const Request& request)
{
    return !request.first.program && !(request.versus && request.versus->program) &&
           !text_of(request.first.given, "collective").empty();
}

bool can_be_viewed(const Run& run)
{
    return text_of(run.given, "failing").empty() && text_of(run.given, "in_place") != "true";
}

// The options of dcube view for the second run: its network or algorithm, or only that there is one.
std::string versus_options(const GivenValues& first, const GivenValues& second)
{
    std::string options;
    if (algorithm_of(first) != algorithm_of(second) || network_of(first) == network_of(second))
        options += option("--versus", algorithm_of(second));
    if (network_of(first) != network_of(second))
        options += option("--versus-topology", network_of(second));
    return options;
}

bool is_film_of_one(const Request& request)
{
    return request.what == What::run && !request.versus && request.wants("document") && can_be_viewed(request.first);
}

std::vector<std::string> runs(const Request& request)
{
    std::vector<std::string> lines{"run" + arguments(request.first.given)};
    if (request.versus)
        lines.push_back("run" + arguments(request.versus->given));
    return lines;
}

}  // namespace

std::vector<std::string> commands_of(const Request& request)
{
    const GivenValues& first = request.first.given;
    if (!has_command(request))
        return {};
    if (request.what == What::board)
        return {"view --board" + arguments(first, {"algorithm", "seed", "failing", "in_place"}) + " --html board.html"};
    if (request.what != What::run)
        return {};
    if (is_film_of_one(request))
        return {"view" + arguments(first) + " --html film.html"};
    if (!request.versus)
        return runs(request);
    const GivenValues& second = request.versus->given;
    if (request.wants("document") && can_be_viewed(request.first) && can_be_viewed(*request.versus) &&
        differ_only_in(first, second, {"algorithm", "topology", "faults"}))
        return {"view" + arguments(first) + versus_options(first, second) + " --html film.html"};
    if (!request.wants("document") && can_be_viewed(request.first) && differ_only_in(first, second, {"algorithm"}))
        return {"compare" + arguments(first, {"algorithm"}) +
                option(option_of("algorithm"), algorithm_of(first) + "," + algorithm_of(second))};
    return runs(request);
}

std::optional<std::string> report_command_of(const Request& request)
{
    return has_command(request) && is_film_of_one(request) ? std::optional(runs(request).front()) : std::nullopt;
}

}  // namespace dcube::lab

// The catalogue of possible questions: the collectives, the keys of a request, and the algorithms for a question.

#include "inspect/view/document/board.hpp"
#include "inspect/view/document/document.hpp"
#include "run/given.hpp"
#include "run/recording.hpp"
#include "run/report.hpp"
#include "run/report_fields.hpp"
#include "web/lab/answers.hpp"

#include <dcube/bounds.hpp>
#include <dcube/catalogue.hpp>
#include <dcube/error.hpp>
#include <dcube/permutation.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace dcube::lab {

namespace {

bool applies(const Key& key, Collective collective)
{
    if (key.key == "in_place")
        return is_in_place_possible(collective);
    return !key.field || key.field->applies(Problem{collective});
}

bool always_applies(const Key& key)
{
    return std::ranges::all_of(all_collectives, [&](Collective collective) { return applies(key, collective); });
}

Json collective_json(Collective collective)
{
    return {{"name", name(collective)}, {"title", traits(collective).title}, {"idea", traits(collective).idea}};
}

Json key_json(const Key& key)
{
    Json json{{"key", key.key},
              {"label", key.label()},
              {"group", name(key.group)},
              {"kind", name(key.kind)},
              {"about", key.about},
              {"form", or_null(std::string(key.form))},
              {"usual", or_null(std::string(key.usual))},
              {"values", nullptr},
              {"applies_to", nullptr}};
    if (key.values != nullptr)
        json["values"] = key.values();
    if (always_applies(key))
        return json;
    json["applies_to"] = Json::array();
    for (const Collective collective : all_collectives)
        if (applies(key, collective))
            json["applies_to"].push_back(name(collective));
    return json;
}

Json report_json()
{
    Json keys = Json::array();
    for (const ReportEntry& entry : report_entries())
        keys.push_back({{"key", entry.key},
                        {"unit", or_null(std::string(entry.unit))},
                        {"about", entry.about},
                        {"detail", is_detail(entry)}});
    return keys;
}

// Examples of every family, with their sizes.
Json networks_json()
{
    Json networks = Json::array();
    for (const std::string_view example : network_examples()) {
        if (example.ends_with("FILE")) {
            networks.push_back({{"name", "graph:NAME"}, {"help", "a graph of one's own"}});
            continue;
        }
        const Topology topology = Topology::parse(example);
        networks.push_back(
            {{"name", example},
             {"help", fmt::format("{} nodes, {} links", topology.members(), topology.directed_links() / 2)}});
    }
    return networks;
}

Json names_json(const std::vector<std::string_view>& names)
{
    Json all = Json::array();
    for (const std::string_view name : names)
        all.push_back({{"name", name}});
    return all;
}

}  // namespace

Json catalogue_json()
{
    Json json{{"collectives", Json::array()}, {"fields", Json::array()}, {"report", report_json()}};
    for (const Collective collective : all_collectives)
        json["collectives"].push_back(collective_json(collective));
    for (const Key& key : question_keys())
        json["fields"].push_back(key_json(key));
    json["networks"] = networks_json();
    json["permutations"] = names_json(permutation_names());
    json["machines"] = Json::array();
    for (const MachinePreset& machine : machine_presets())
        json["machines"].push_back({{"name", machine.name},
                                    {"tau", exact(machine.tau)},
                                    {"beta", exact(machine.beta)},
                                    {"source", machine.source}});
    const RecordingLimits limits;
    json["limits"] = {{"nodes", Topology::max_nodes},
                      {"film_nodes", view::most_nodes},
                      {"film_transmissions", limits.flights},
                      {"board_nodes", view::most_board_nodes}};
    return json;
}

namespace {

// Operations of planning that cause no noticeable delay.
constexpr std::uint64_t little_work = 20'000'000;

bool is_planned_soon(const Entry& algorithm, const Question& question)
{
    return algorithm.planning_work(question.topology, question.problem) <= little_work;
}

void add_cost(const Entry& algorithm, const Question& question, Json& json)
{
    if (!is_planned_soon(algorithm, question))
        return;
    const Cost cost = algorithm.cost(question.topology, question.problem);
    json["steps"] = cost.steps;
    json["transmissions"] = cost.transmissions;
    if (!question.problem.link.bound())
        return;
    if (const auto time = predicted_time(algorithm, question.topology, question.problem)) {
        json["time_ns"] = exact(time->ns);
        json["time_is_exact"] = time->exact;
    }
}

Json algorithm_json(const Entry& algorithm, const Question& question)
{
    const std::string why = obstacle_of(algorithm, question.topology, question.ports, question.problem);
    Json json{{"name", full_name(algorithm, question.problem.link)},
              {"paper", or_null(std::string(algorithm.paper))},
              {"origin", name(algorithm.origin)},
              {"summary", algorithm.summary},
              {"idea", algorithm.idea},
              {"ports", name(algorithm.ports)},
              {"link_model", name(algorithm.link)},
              {"possible", why.empty()},
              {"why", or_null(why)},
              {"steps", nullptr},
              {"transmissions", nullptr},
              {"time_ns", nullptr},
              {"time_is_exact", nullptr}};
    if (why.empty())
        add_cost(algorithm, question, json);
    return json;
}

// The name that "auto" takes; null where only a long search knows.
Json best_of(const Question& question, const std::vector<const Entry*>& all)
{
    const bool soon = std::ranges::all_of(all, [&](const Entry* one) {
        return !one->automatic || !obstacle_of(*one, question.topology, question.ports, question.problem).empty() ||
               is_planned_soon(*one, question);
    });
    if (!soon)
        return nullptr;
    try {
        return full_name(find_algorithm(question.topology, question.ports, question.problem), question.problem.link);
    } catch (const InvalidArgument&) {
        return nullptr;  // there is none
    }
}

template <class Bound>
Json bound_json(const Bound& bound, Json value)
{
    return {{"value", std::move(value)}, {"reason", bound.reason}};
}

Json bounds_json(const Question& question)
{
    if (question.problem.link.bound()) {
        const TimeBound time = time_bound(question.topology, question.problem);
        return {{"time_ns", bound_json(time, exact(time.value))}};
    }
    const Bound steps = steps_bound(question.topology, question.ports, question.problem);
    const Bound transmissions = transmissions_bound(question.topology, question.problem);
    return {{"steps", bound_json(steps, steps.value)},
            {"transmissions", bound_json(transmissions, transmissions.value)}};
}

}  // namespace

Json list_of(const Question& question, bool with_bounds)
{
    std::vector<const Entry*> all = algorithms_for(question.problem.collective);
    if (!question.problem.link.bound())  // some for links that take time have the names of others
        std::erase_if(all, [](const Entry* one) { return one->link != LinkKind::unit; });
    Json json{{"collective", name(question.problem.collective)}, {"topology", question.topology.name()}};
    json["best"] = best_of(question, all);
    json["algorithms"] = Json::array();
    for (const Entry* const algorithm : all)
        json["algorithms"].push_back(algorithm_json(*algorithm, question));
    json["bounds"] = with_bounds ? bounds_json(question) : Json();
    return json;
}

}  // namespace dcube::lab

#include "measure/cell.hpp"

#include "base/numbers.hpp"
#include "base/sizes.hpp"

#include <dcube/collective.hpp>
#include <dcube/permutation.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace dcube::measure {

namespace {

Json exact_or_null(bool applies, const Rational& value)
{
    if (!applies)
        return nullptr;
    return value.denominator == 1 ? Json(value.numerator) : Json(to_string(value));
}

template <class Value>
Json where(bool applies, const Value& value)
{
    return applies ? Json(value) : Json();
}

// What few runs have, in words: "to 5, layout submatrices, capacity 4"; usually nothing.
std::string rare_choices(const Setup& setup)
{
    const Problem& problem = setup.problem;
    const Tuning& tuning = problem.tuning;
    std::vector<std::string> said;
    const auto say = [&](bool unusual, std::string_view what, const auto& value) {
        if (unusual)
            said.push_back(fmt::format("{} {}", what, value));
    };
    say(has_peer(problem.collective), "to", problem.peer);
    say(has_permutation(problem.collective), "permutation", fmt::format("{}", fmt::join(problem.permutation, " ")));
    say(is_matrix(problem.collective), "layout", name(problem.layout));
    say(problem.collective == Collective::matrix_relayout, "to layout", name(problem.to));
    say(problem.link.bound() && problem.link.clock != LinkClock::data_driven, "clock", name(problem.link.clock));
    say(tuning.groups != 0, "groups", tuning.groups);
    say(tuning.extended_groups != 0, "detour groups", tuning.extended_groups);
    say(!tuning.waves.empty(), "waves", tuning.waves);
    say(tuning.halvings.has_value(), "halvings", tuning.halvings.value_or(0));
    say(setup.machine.channel_capacity != 1, "capacity", setup.machine.channel_capacity);
    const unsigned ranks = setup.machine.world ? setup.machine.world->ranks() : 1;
    say(ranks != 1, "ranks", ranks);
    return fmt::format("{}", fmt::join(said, ", "));
}

std::string values_of(const Json& cell, std::initializer_list<std::string_view> without)
{
    static const std::vector<std::string> keys = [] {
        const Setup usual;
        const Json variables = variables_of(usual);
        std::vector<std::string> all;
        for (const auto& [key, value] : variables.items())
            all.push_back(key);
        return all;
    }();
    std::string text;
    for (const std::string& key : keys)
        if (std::ranges::find(without, key) == without.end())
            text += cell.at(key).dump() + ' ';
    return text;
}

std::string size_words(const Json& cell)
{
    if (!cell.at("rows").is_null())
        return fmt::format("{} x {} {} elements", cell.at("rows").dump(), cell.at("columns").dump(),
                           cell.at("type").get<std::string>());
    const auto packets = cell.at("packets").get<std::uint64_t>();
    const std::string size = size_text(cell.at("bytes").get<std::uint64_t>());
    return packets == 1 ? size : fmt::format("{} packets of {}", grouped(packets), size);
}

}  // namespace

std::string valid_text(const std::string& text)
{
    return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
}

Json variables_of(const Setup& setup)
{
    const Problem& problem = setup.problem;
    const MachineOptions& machine = setup.machine;
    const Collective what = problem.collective;
    const bool matrix = is_matrix(what);
    Json all;
    all["collective"] = name(what);
    all["asked"] = valid_text(setup.algorithm);
    all["topology"] = valid_text(setup.topology.name());
    all["ports"] = name(machine.ports);
    all["link_model"] = name(machine.link.kind);
    all["tau_ns_per_byte"] = exact_or_null(machine.link.bound(), machine.link.tau);
    all["beta_ns"] = exact_or_null(machine.link.bound(), machine.link.beta);
    all["root"] = where(has_root(what) || has_peer(what), problem.root);
    all["type"] = where(is_reduction(what) || matrix, name(problem.type));
    all["operation"] = where(is_reduction(what), operation_name(problem));
    all["bytes"] = where(!matrix, problem.bytes);
    all["packets"] = where(!matrix, problem.packets);
    all["rows"] = where(matrix, problem.rows);
    all["columns"] = where(matrix, problem.columns);
    all["options"] = rare_choices(setup);
    all["threads"] = machine.threads != 0 ? machine.threads : available_threads();
    all["channel"] = name(machine.channel);
    all["pin"] = name(machine.pinning);
    return all;
}

std::string identity(const Json& cell)
{
    return values_of(cell, {});
}

std::string family(const Json& cell, bool weak)
{
    return weak ? values_of(cell, {"threads", "topology"}) : values_of(cell, {"threads"});
}

std::string same_work(const Json& cell)
{
    return values_of(cell, {"asked", "threads", "channel", "pin"});
}

std::string cell_text(const Json& cell)
{
    const auto text = [&](const char* key) { return cell.at(key).get<std::string>(); };
    std::string words = text("collective");
    const auto add = [&](bool unusual, const std::string& what) {
        if (unusual)
            words += ", " + what;
    };
    add(text("asked") != "auto", "by " + text("asked"));
    add(true, text("topology"));
    add(true, size_words(cell));
    const auto threads = cell.at("threads").get<std::uint64_t>();
    add(true, counted(threads, "thread"));
    add(!cell.at("tau_ns_per_byte").is_null(),
        fmt::format("tau {} ns, beta {} ns", cell.at("tau_ns_per_byte").dump(), cell.at("beta_ns").dump()));
    add(text("ports") == "one", "one port");
    add(cell.at("root") != nullptr && cell.at("root") != 0, "root " + cell.at("root").dump());
    add(cell.at("operation") != nullptr, cell.at("operation").is_null() ? "" : text("operation"));
    add(cell.at("rows").is_null() && !cell.at("type").is_null(), cell.at("type").is_null() ? "" : text("type"));
    add(!text("options").empty(), text("options"));
    add(text("channel") != "slots", text("channel"));
    add(text("pin") != "none", "pinned " + text("pin"));
    return words;
}

}  // namespace dcube::measure

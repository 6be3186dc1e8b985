#include "inspect/view/document/document.hpp"

#include "inspect/view/document/bound.hpp"
#include "inspect/view/document/columns.hpp"
#include "inspect/view/document/film_json.hpp"
#include "inspect/view/document/network.hpp"
#include "inspect/view/film/cells.hpp"
#include "inspect/view/words/clean.hpp"
#include "inspect/view/words/comparison.hpp"
#include "inspect/view/words/sentences.hpp"
#include "inspect/view/words/titles.hpp"

#include <dcube/collective.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace dcube::view {

namespace {

std::string title_text(const std::string& text)
{
    return clean(text, longest_title);
}

std::string sentence_text(const std::string& text)
{
    return clean(text, longest_sentence);
}

std::optional<NodeId> root_of(const Problem& problem)
{
    return has_root(problem.collective) ? std::optional(problem.root) : std::nullopt;
}

Json pairs_json(const Messages& messages, const Problem& problem)
{
    switch (messages.pairs()) {
    case Pairs::all: return "all";
    case Pairs::from_root: return {{"from", problem.root}};
    case Pairs::to_root: return {{"to", problem.root}};
    case Pairs::list: break;
    }
    Json list = Json::array();
    for (const auto& [origin, target] : messages.list()) {
        list.push_back(origin);
        list.push_back(target);
    }
    return list;
}

void tell_parts(const Film& film, Json& json)
{
    const Messages& messages = film.messages;
    json["parts"] = film.parts.count();
    std::vector<std::uint64_t> bytes;
    for (std::uint32_t part = 0; part < film.parts.count(); ++part)
        bytes.push_back(film.parts.bytes(part));
    const bool equal = std::ranges::all_of(bytes, [&](std::uint64_t size) { return size == bytes.front(); });
    json["part_bytes"] = equal ? Json(bytes.front()) : Json(bytes);
    json["lengths"] = nullptr;
    if (messages.pairs() != Pairs::list)
        return;
    std::vector<std::uint32_t> lengths;
    for (std::uint64_t number = 0; number < messages.count(); ++number)
        lengths.push_back(film.parts_of(number));
    if (std::ranges::any_of(lengths, [&](std::uint32_t parts) { return parts != film.parts.count(); }))
        json["lengths"] = lengths;
}

Json origins_json(const Messages& messages)
{
    Json origins = Json::array();
    for (std::uint64_t number = 0; number < messages.count(); ++number)
        origins.push_back(*messages.ends(number).origin);
    return origins;
}

Json messages_json(const Film& film)
{
    const Messages& messages = film.messages;
    Json json;
    switch (messages.kind()) {
    case MessageKind::moves: json = {{"kind", "moves"}, {"pairs", pairs_json(messages, film.recording.problem)}}; break;
    case MessageKind::copies:
        json = {{"kind", "copies"}};
        json["origins"] = root_of(film.recording.problem) || film.recording.topology.lacks_nodes()
                              ? origins_json(messages)
                              : Json("all");
        break;
    case MessageKind::sums:
        json = {{"kind", "sums"}, {"sums", Json::array()}};
        for (std::uint64_t number = 0; number < messages.count(); ++number) {
            const std::optional<NodeId> target = messages.ends(number).target;
            json["sums"].push_back(target ? Json(*target) : Json());
        }
        break;
    }
    tell_parts(film, json);
    return json;
}

Json cells_json(const Film& film)
{
    const Cells cells = cells_of(film);
    return {{"columns", cells.columns}, {"rows", cells.rows}, {"count", cells.count}};
}

Json report_json(const Recording& recording)
{
    Json rows = Json::array();
    for (const auto& [what, text] : report_rows(recording))
        rows.push_back(Json::array({what, sentence_text(text)}));
    return rows;
}

Json verdict_json(const Film& film)
{
    const std::optional<Rejection>& rejection = film.recording.rejection;
    if (!rejection)
        return {{"accepted", true}};
    Json json{{"accepted", false}, {"message", sentence_text(rejection->message)}};
    json["step"] = film.rejected ? film.rejected->step : film.recording.steps;
    if (film.rejected)
        json["row"] = film.rows.size();
    return json;
}

Json phases_json(const Film& film)
{
    Json phases = Json::array();
    for (const NamedStretch& one : stretches(film)) {
        Json phase{{"first", one.first}, {"last", one.last}, {"name", title_text(one.name)}};
        if (!one.dimensions.empty())
            phase["dimensions"] = one.dimensions;
        phases.push_back(std::move(phase));
    }
    return phases;
}

Json sentences_json(const Film& film)
{
    Json sentences = Json::array();
    if (film.timed())
        for (const TimedSentence& one : timed_sentences(film))
            sentences.push_back({{"at", one.at}, {"text", sentence_text(one.text)}});
    else
        for (const std::string& text : step_sentences(film))
            sentences.push_back(sentence_text(text));
    return sentences;
}

void require_times(const Film& film)
{
    constexpr Time most_ticks = Time{1} << 53;  // a page counts in doubles
    if (film.recording.end >= most_ticks || (film.rejected && film.rejected->end >= most_ticks))
        throw InvalidArgument("times of 2^53 ticks and more cannot be shown in a page");
}

}  // namespace

Json film_json(const Film& film, Packing packing)
{
    const Recording& recording = film.recording;
    Json json{{"name", title_text(name_of(recording))},
              {"label", title_text(label_of(recording))},
              {"report", report_json(recording)},
              {"clock", film.timed() ? "time" : "steps"},
              {"steps", std::max(recording.steps, film.rejected ? film.rejected->step : 0)},
              {"end", std::max(recording.end, film.rejected ? film.rejected->end : 0)},
              {"ticks_per_ns", film.timed() ? recording.problem.link.ticks_per_ns() : 1},
              {"one_port", recording.ports == PortModel::one},
              {"verdict", verdict_json(film)}};
    json["network"] = network_json(recording.topology, film.relative, root_of(recording.problem));
    json["messages"] = messages_json(film);
    json["cells"] = cells_json(film);
    json["phases"] = phases_json(film);
    json["sentences"] = sentences_json(film);
    json["bound"] = bound_json(film);
    json["columns"] = nullptr;
    json["sets"] = Json::array();
    json["use"] = nullptr;
    if (!film.has_rows()) {
        json["use"] = use_json(film, packing);
        return json;
    }
    Columns columns = columns_of(film, packing);
    json["columns"] = std::move(columns.columns);
    json["sets"] = std::move(columns.sets);
    return json;
}

Json head_json(std::string_view title, const Recording& recording, std::string_view command)
{
    return {{"schema", 1},
            {"title", clean(title, longest_title)},
            {"subtitle", sentence_text(subtitle_of(recording))},
            {"command", clean(command, longest_sentence)}};
}

void require_showable(const Topology& topology)
{
    if (topology.nodes() > most_nodes)
        throw InvalidArgument("topology", fmt::format("{} has {} nodes: a page can show networks of at most {}",
                                                      topology.name(), topology.nodes(), most_nodes));
}

std::string document(std::span<const Film> films, std::string_view command, Packing packing)
{
    const Recording& first = films.front().recording;
    Json json = head_json(title_of(first), first, command);
    json["versus"] = nullptr;
    json["films"] = Json::array();
    if (films.size() == 2)
        json["versus"] = {{"sentence", sentence_text(comparison_sentence(first, films[1].recording))},
                          {"axis", films.front().timed() ? "time" : "step"}};
    for (const Film& film : films) {
        require_showable(film.recording.topology);
        require_times(film);
        json["films"].push_back(film_json(film, packing));
    }
    return json.dump();
}

}  // namespace dcube::view

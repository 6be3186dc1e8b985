#include "inspect/view/document/document.hpp"

#include "inspect/view/document/bound.hpp"
#include "inspect/view/document/captions.hpp"
#include "inspect/view/document/columns.hpp"
#include "inspect/view/document/film_json.hpp"
#include "inspect/view/document/network.hpp"
#include "inspect/view/film/cells.hpp"
#include "inspect/view/words/clean.hpp"
#include "inspect/view/words/comparison.hpp"
#include "inspect/view/words/event.hpp"
#include "inspect/view/words/titles.hpp"

#include <dcube/collective.hpp>
#include <dcube/error.hpp>

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

Json pairs_json(const Messages& messages)
{
    switch (messages.pairs()) {
    case Pairs::all: return "all";
    case Pairs::from_root: return {{"from", *messages.ends(0).origin}};
    case Pairs::to_root: return {{"to", *messages.ends(0).target}};
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
        bytes.push_back(is_barrier(film.recording.problem.collective) ? 0 : film.parts.bytes(part));
    const bool equal = std::ranges::all_of(bytes, [&](std::uint64_t size) { return size == bytes.front(); });
    json["part_bytes"] = equal ? Json(bytes.front()) : Json(bytes);
    json["lengths"] = nullptr;
    if (!messages.are_uneven())
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
    case MessageKind::moves: json = {{"kind", "moves"}, {"pairs", pairs_json(messages)}}; break;
    case MessageKind::copies:
        json = {{"kind", "copies"}};
        json["origins"] = has_root(film.recording.problem.collective) || film.recording.topology.lacks_nodes()
                              ? origins_json(messages)
                              : Json("all");
        break;
    case MessageKind::sums:
        json = {{"kind", "sums"}, {"sums", Json::array()}};
        for (std::uint64_t number = 0; number < messages.count(); ++number) {
            const std::optional<NodeId> target = messages.ends(number).target;
            json["sums"].push_back(target ? Json(*target) : Json());
        }
        if (is_barrier(film.recording.problem.collective))
            json["signals"] = true;
        if (is_scan(film.recording.problem.collective))
            json["terms"] = traits(film.recording.problem.collective).terms == Terms::up_to ? "up-to" : "before";
        break;
    }
    if (const Group* const groups = messages.groups())
        for (NodeId node = 0; node < film.recording.topology.nodes(); ++node)
            json["groups"].push_back(groups->number(node));
    if (film.is_of_one_node())
        json["everybody"] = true;
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
    const std::optional<Ending>& ending = film.recording.ending;
    if (!ending)
        return {{"accepted", true}};
    Json json{{"accepted", false},
              {"what", name(ending->what)},
              {"message", sentence_text(ending->message)},
              {"step", film.ending_step()}};
    if (const std::string said = event_sentence(film); !said.empty())
        json["said"] = sentence_text(said);
    if (film.rejected)
        json["row"] = film.rows.size();
    else if (ending->step == 0)
        json["at_end"] = true;
    if (ending->node)
        json["node"] = *ending->node;
    if (ending->port)
        json["port"] = *ending->port;
    if (ending->origin)
        json["origin"] = *ending->origin;
    for (const auto& [node, port] : ending->waiting)
        json["waiting"].push_back(Json::array({node, port == RuleViolation::no_port ? Json(-1) : Json(port)}));
    return json;
}

// The first rows of the packets that are lost on their way.
Json lost_json(const Film& film)
{
    Json rows = Json::array();
    for (std::size_t i = 0; i < film.recording.flights.size(); ++i)
        if (film.recording.flights[i].lost && !film.rows_of(i).empty())
            rows.push_back(film.first_row[i]);
    return rows;
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
              {"steps", film.steps()},
              {"end", std::max(recording.end, film.rejected ? film.rejected->end : 0)},
              {"ticks_per_ns", film.timed() ? recording.problem.link.ticks_per_ns() : 1},
              {"one_port", recording.ports == PortModel::one},
              {"verdict", verdict_json(film)},
              {"judged", recording.judged}};
    json["network"] = network_json(recording.topology, film.relative, root_of(recording.problem));
    json["messages"] = messages_json(film);
    json["cells"] = cells_json(film);
    json["phases"] = phases_json(film);
    json["sentences"] = sentences_json(film);
    json["one"] = one_block_json(film);
    json["why"] = why_json(film);
    json["bound"] = bound_json(film);
    json["columns"] = nullptr;
    json["sets"] = Json::array();
    json["use"] = film.has_rows() && !film.is_of_one_node() ? Json() : use_json(film, packing);
    if (!film.has_rows())
        return json;
    Columns columns = columns_of(film, packing);
    json["columns"] = std::move(columns.columns);
    if (Json lost = lost_json(film); !lost.empty())
        json["lost"] = std::move(lost);
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
    std::string title = title_of(first);
    if (films.size() == 2 && films[1].recording.topology != first.topology)
        title += " and on " + network_text(films[1].recording.topology);
    Json json = head_json(title, first, command);
    json["versus"] = nullptr;
    json["films"] = Json::array();
    if (films.size() == 2)
        json["versus"] = {{"sentence", sentence_text(comparison_sentence(first, films[1].recording))},
                          {"axis", films.front().timed() ? "time" : "step"}};
    for (const Film& film : films) {
        require_showable(film.recording.topology);
        require_times(film);
        json["films"].push_back(film_json(film, packing));
        if (films.front().recording.topology != films.back().recording.topology)
            json["films"].back()["label"] = title_text(stage_name(film.recording.topology));
    }
    return json.dump();
}

}  // namespace dcube::view

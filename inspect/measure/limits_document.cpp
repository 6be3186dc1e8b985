#include "inspect/measure/limits_document.hpp"

#include "inspect/measure/host.hpp"
#include "inspect/measure/host_document.hpp"
#include "run/field.hpp"

#include <dcube/error.hpp>
#include <dcube/version.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace dcube::measure {

namespace {

Json copies_document(const ThreadLimits& limits)
{
    Json list = Json::array();
    for (const CopyRate& rate : limits.copies)
        list.push_back({{"working_set_bytes", rate.working_set_bytes},
                        {"bytes_per_second", rate.bytes_per_second},
                        {"best_bytes_per_second", rate.best_bytes_per_second}});
    return list;
}

Json blocks_document(const ThreadLimits& limits)
{
    Json list = Json::array();
    for (const BlockRate& rate : limits.blocks)
        list.push_back({{"block_bytes", rate.block_bytes},
                        {"working_set_bytes", rate.working_set_bytes},
                        {"bytes_per_second", rate.bytes_per_second},
                        {"best_bytes_per_second", rate.best_bytes_per_second},
                        {"seconds_per_block", rate.seconds_per_block(limits.threads)}});
    return list;
}

std::optional<double> known(double seconds)
{
    return seconds == 0 ? std::nullopt : std::optional(seconds);
}

Json threads_document(const ThreadLimits& limits)
{
    Json steps = Json::array();
    for (const EmptyStep& step : limits.empty_steps)
        steps.push_back({{"nodes", step.nodes},
                         {"seconds", step.seconds},
                         {"all_threads_seconds", or_null(step.all_threads_seconds)}});
    Json learned = Json::array();
    for (const StepSeconds& step : limits.learned)
        learned.push_back({{"alone", or_null(known(step.alone))}, {"together", or_null(known(step.together))}});
    return {{"threads", limits.threads},
            {"copies", copies_document(limits)},
            {"blocks", blocks_document(limits)},
            {"barrier_seconds", limits.barrier_seconds},
            {"best_barrier_seconds", or_null(known(limits.best_barrier_seconds))},
            {"empty_step_seconds", steps},
            {"learned_step_seconds", learned}};
}

// A matrix of what `value` finds for each pair.
template <class Pairs, class Value>
Json matrix_document(const Pairs& pairs, Value value)
{
    Json rows = Json::array();
    for (const auto& row : pairs) {
        Json cells = Json::array();
        for (const auto& pair : row)
            cells.push_back(pair ? Json(value(*pair)) : Json());
        rows.push_back(cells);
    }
    return rows;
}

Json handover_document(const Handover& handover)
{
    return {{"processors", handover.processors},
            {"seconds", matrix_document(handover.seconds, [](double seconds) { return seconds; })}};
}

// The rates of lines, by their keys.
struct LineKey {
    const char* key;
    double LineRates::*rate;
};
constexpr std::array line_keys{
    LineKey{"line_seconds", &LineRates::line_seconds},
    LineKey{"lines_per_second", &LineRates::lines_per_second},
    LineKey{"prefetched_lines_per_second", &LineRates::prefetched_lines_per_second},
    LineKey{"best_lines_per_second", &LineRates::best_lines_per_second},
};

Json lines_document(const Lines& lines)
{
    Json json{{"processors", lines.processors}};
    for (const LineKey& of : line_keys)
        json[of.key] = matrix_document(lines.rates, [&](const LineRates& rates) { return rates.*of.rate; });
    Json& levels = json["levels"] = Json::array();
    for (const LineLevel& level : lines.levels) {
        Json& one = levels.emplace_back(Json{{"level", level.level}, {"pairs", level.pairs}});
        for (const LineKey& of : line_keys)
            one[of.key] = level.rates.*of.rate;
    }
    return json;
}

}  // namespace

nlohmann::ordered_json limits_document(const Limits& limits, const Host& host, std::string_view command)
{
    Json threads = Json::array();
    for (const ThreadLimits& one : limits.threads)
        threads.push_back(threads_document(one));
    const ChannelLimits& channel = limits.channel;
    const Pages& pages = limits.pages;
    Json document;
    document["schema"] = report_schema;
    document["kind"] = "limits";
    document["program"] = program_document();
    document["command"] = command;
    document["date"] = limits.date;
    document["host"] = host_document(host);
    document["warnings"] = limits.warnings;
    document["pin"] = limits.pin;
    document["quick"] = limits.quick;
    document["limits"] = {
        {"threads", threads},
        {"channel",
         {{"one_thread_seconds", channel.one_thread_seconds},
          {"two_threads_seconds", or_null(channel.two_threads_seconds)}}},
        {"handover", handover_document(limits.handover)},
        {"lines", lines_document(limits.lines)},
        {"pages", {{"page_bytes", pages.page_bytes}, {"huge_pages", or_null(pages.huge_pages)}, {"used", pages.used}}}};
    return document;
}

namespace {

// A value in the document, and where it stands: "limits.threads[0].copies".
class Place {
public:
    Place(const Json& value, std::string path) : value_(value), path_(std::move(path)) {}

    [[nodiscard]] bool has(const char* key) const { return value_.is_object() && value_.contains(key); }
    [[nodiscard]] Place at(const char* key) const
    {
        std::string path = path_.empty() ? key : fmt::format("{}.{}", path_, key);
        if (!has(key))
            throw InvalidArgument(fmt::format("limits: {} is missing", path));
        return {value_.at(key), std::move(path)};
    }

    /// The elements of a list.
    [[nodiscard]] std::vector<Place> all() const
    {
        if (!value_.is_array())
            refuse("a list");
        std::vector<Place> places;
        for (std::size_t i = 0; i < value_.size(); ++i)
            places.emplace_back(value_[i], fmt::format("{}[{}]", path_, i));
        return places;
    }

    [[nodiscard]] double positive() const
    {
        const double number = value_.is_number() ? value_.get<double>() : 0;
        if (!(number > 0) || !std::isfinite(number))
            refuse("a number above 0");
        return number;
    }

    [[nodiscard]] std::optional<double> positive_or_null() const
    {
        return value_.is_null() ? std::nullopt : std::optional(positive());
    }

    [[nodiscard]] std::uint64_t whole(std::uint64_t least, std::uint64_t most) const
    {
        const std::uint64_t number = value_.is_number_unsigned() ? value_.get<std::uint64_t>() : 0;
        if (!value_.is_number_unsigned() || number < least || number > most)
            refuse(fmt::format("a whole number from {} to {}", least, most));
        return number;
    }

    [[nodiscard]] std::string text() const
    {
        if (!value_.is_string())
            refuse("a text");
        return value_.get<std::string>();
    }

    [[nodiscard]] bool flag() const
    {
        if (!value_.is_boolean())
            refuse("true or false");
        return value_.get<bool>();
    }

    [[nodiscard]] std::optional<std::string> text_or_null() const
    {
        return value_.is_null() ? std::nullopt : std::optional(text());
    }

    [[noreturn]] void refuse(std::string_view wanted) const
    {
        throw InvalidArgument(fmt::format("limits: {} is not {}", path_, wanted));
    }

private:
    const Json& value_;
    std::string path_;
};

constexpr std::uint64_t largest_size = std::uint64_t{1} << 62;
constexpr std::uint64_t largest_team = 1024;  // threads of a machine
constexpr std::uint64_t largest_network = std::uint64_t{1} << 31;
constexpr std::uint64_t largest_processor = std::uint64_t{1} << 20;

// Rows that are interpolated later have to ascend.
template <class Rows, class Key>
void require_ascending(const Place& place, const Rows& rows, Key key)
{
    for (std::size_t i = 1; i < rows.size(); ++i)
        if (!(key(rows[i - 1]) < key(rows[i])))
            place.refuse("in ascending order");
}

std::vector<std::string> read_texts(const Place& place)
{
    std::vector<std::string> all;
    for (const Place& one : place.all())
        all.push_back(one.text());
    return all;
}

std::vector<CopyRate> read_copies(const Place& place)
{
    std::vector<CopyRate> all;
    for (const Place& one : place.all())
        all.push_back({one.at("working_set_bytes").whole(1, largest_size), one.at("bytes_per_second").positive(),
                       one.at("best_bytes_per_second").positive()});
    require_ascending(place, all, [](const CopyRate& rate) { return rate.working_set_bytes; });
    return all;
}

std::vector<BlockRate> read_blocks(const Place& place)
{
    std::vector<BlockRate> all;
    for (const Place& one : place.all())
        all.push_back({one.at("block_bytes").whole(1, largest_size), one.at("working_set_bytes").whole(1, largest_size),
                       one.at("bytes_per_second").positive(), one.at("best_bytes_per_second").positive()});
    require_ascending(place, all,
                      [](const BlockRate& rate) { return std::pair(rate.working_set_bytes, rate.block_bytes); });
    return all;
}

std::vector<EmptyStep> read_empty_steps(const Place& place)
{
    std::vector<EmptyStep> all;
    for (const Place& one : place.all())
        all.push_back(
            {one.at("nodes").whole(1, largest_network), one.at("seconds").positive(),
             one.has("all_threads_seconds") ? one.at("all_threads_seconds").positive_or_null() : std::nullopt});
    require_ascending(place, all, [](const EmptyStep& step) { return step.nodes; });
    return all;
}

// Older documents have none.
std::vector<StepSeconds> read_learned(const Place& threads)
{
    std::vector<StepSeconds> all;
    if (!threads.has("learned_step_seconds"))
        return all;
    for (const Place& one : threads.at("learned_step_seconds").all())
        all.push_back(
            {one.at("alone").positive_or_null().value_or(0), one.at("together").positive_or_null().value_or(0)});
    return all;
}

std::vector<ThreadLimits> read_threads(const Place& place)
{
    std::vector<ThreadLimits> all;
    for (const Place& one : place.all())
        all.push_back(
            {static_cast<unsigned>(one.at("threads").whole(1, largest_team)), read_copies(one.at("copies")),
             read_blocks(one.at("blocks")), one.at("barrier_seconds").positive(),
             read_empty_steps(one.at("empty_step_seconds")), read_learned(one),
             one.has("best_barrier_seconds") ? one.at("best_barrier_seconds").positive_or_null().value_or(0) : 0});
    require_ascending(place, all, [](const ThreadLimits& limits) { return limits.threads; });
    return all;
}

std::vector<unsigned> read_processors(const Place& place)
{
    std::vector<unsigned> processors;
    for (const Place& processor : place.at("processors").all())
        processors.push_back(static_cast<unsigned>(processor.whole(0, largest_processor)));
    return processors;
}

// A value, or null, for each pair of processors.
std::vector<std::vector<std::optional<double>>> read_matrix(const Place& rows, std::size_t processors)
{
    std::vector<std::vector<std::optional<double>>> matrix;
    for (const Place& row : rows.all()) {
        std::vector<std::optional<double>>& cells = matrix.emplace_back();
        for (const Place& cell : row.all())
            cells.push_back(cell.positive_or_null());
        if (cells.size() != processors)
            row.refuse("as long as the list of processors");
    }
    if (matrix.size() != processors)
        rows.refuse("as long as the list of processors");
    return matrix;
}

Handover read_handover(const Place& place)
{
    Handover handover{read_processors(place), {}};
    handover.seconds = read_matrix(place.at("seconds"), handover.processors.size());
    return handover;
}

// Older documents have none.
Lines read_lines(const Place& limits)
{
    if (!limits.has("lines"))
        return {};
    const Place place = limits.at("lines");
    Lines lines{read_processors(place)};
    const std::size_t count = lines.processors.size();
    lines.rates.assign(count, std::vector<std::optional<LineRates>>(count));
    for (const LineKey& of : line_keys) {
        const auto matrix = read_matrix(place.at(of.key), count);
        for (std::size_t a = 0; a < count; ++a)
            for (std::size_t b = 0; b < count; ++b) {
                std::optional<LineRates>& rates = lines.rates[a][b];
                if (&of == line_keys.data() && matrix[a][b])
                    rates.emplace();
                if (rates.has_value() != matrix[a][b].has_value())
                    place.at(of.key).refuse("null for the same pairs as line_seconds");
                if (rates)
                    (*rates).*of.rate = *matrix[a][b];
            }
    }
    for (const Place& one : place.at("levels").all()) {
        LineLevel& level =
            lines.levels.emplace_back(LineLevel{one.at("level").text(), one.at("pairs").whole(1, largest_size), {}});
        for (const LineKey& of : line_keys)
            level.rates.*of.rate = one.at(of.key).positive();
    }
    return lines;
}

}  // namespace

bool is_of_this_build(const nlohmann::ordered_json& document)
{
    const BuildFacts facts = build_facts();
    const Place program = Place(document, "").at("program");
    return program.at("compiler").text() == facts.compiler && program.at("flags").text() == facts.flags &&
           program.at("build_type").text() == facts.build_type && program.at("sanitizers").text() == facts.sanitizers;
}

nlohmann::ordered_json parsed_limits_document(std::string_view text)
{
    Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded())
        throw InvalidArgument("limits: not valid JSON");
    const Place document(json, "");
    if (const Place kind = document.at("kind"); kind.text() != "limits")
        kind.refuse("limits");
    if (const Place schema = document.at("schema"); schema.whole(0, largest_size) != report_schema)
        schema.refuse(fmt::format("{}, the only schema that this version of dcube reads", report_schema));
    return json;
}

Limits read_limits(const nlohmann::ordered_json& json)
{
    const Place document(json, "");
    const Place limits = document.at("limits");
    const Place channel = limits.at("channel");
    const Place pages = limits.at("pages");
    return {
        document.at("date").text(),
        document.at("host").at("fingerprint").text(),
        document.at("pin").text(),
        read_texts(document.at("warnings")),
        json.contains("quick") && document.at("quick").flag(),
        read_threads(limits.at("threads")),
        {channel.at("one_thread_seconds").positive(), channel.at("two_threads_seconds").positive_or_null()},
        read_handover(limits.at("handover")),
        {pages.at("page_bytes").whole(1, largest_size), pages.at("huge_pages").text_or_null(), pages.at("used").text()},
        read_lines(limits)};
}

namespace {

/// A measured figure, and what it is a figure of: what does not apply is empty.
struct Figure {
    std::string_view name;
    double value;
    std::string_view unit;
    std::optional<std::uint64_t> threads{};
    std::optional<std::uint64_t> working_set_bytes{};
    std::optional<std::uint64_t> block_bytes{};
    std::optional<std::uint64_t> nodes{};
    std::optional<std::uint64_t> processor{};
    std::optional<std::uint64_t> other_processor{};
};

using F = const Figure&;

constexpr Field<Figure> of_figures[] = {
    {"figure", "", "", [](F f) -> Json { return f.name; }},
    {"threads", "", "", [](F f) { return or_null(f.threads); }},
    {"working_set_bytes", "bytes", "", [](F f) { return or_null(f.working_set_bytes); }},
    {"block_bytes", "bytes", "", [](F f) { return or_null(f.block_bytes); }},
    {"nodes", "", "", [](F f) { return or_null(f.nodes); }},
    {"processor", "", "", [](F f) { return or_null(f.processor); }},
    {"other_processor", "", "", [](F f) { return or_null(f.other_processor); }},
    {"value", "", "", [](F f) -> Json { return f.value; }},
    {"unit", "", "", [](F f) -> Json { return f.unit; }},
};

void add_figures(const ThreadLimits& limits, std::vector<Figure>& all)
{
    for (const CopyRate& rate : limits.copies)
        all.push_back({"copies", rate.bytes_per_second, "bytes/s", limits.threads, rate.working_set_bytes});
    for (const BlockRate& rate : limits.blocks)
        all.push_back({"scattered blocks", rate.bytes_per_second, "bytes/s", limits.threads, rate.working_set_bytes,
                       rate.block_bytes});
    all.push_back({"barrier", limits.barrier_seconds, "s", limits.threads});
    const auto add_step = [&](std::string_view name, const EmptyStep& step, double seconds) {
        all.push_back({.name = name, .value = seconds, .unit = "s", .threads = limits.threads, .nodes = step.nodes});
    };
    for (const EmptyStep& step : limits.empty_steps) {
        add_step("empty step", step, step.seconds);
        if (step.all_threads_seconds)
            add_step("empty step by all threads", step, *step.all_threads_seconds);
    }
}

// A figure for each pair of processors, of what `value` finds in its cell.
template <class Pairs, class Value>
void add_pairs(std::string_view name, std::string_view unit, const std::vector<unsigned>& processors,
               const Pairs& pairs, Value value, std::vector<Figure>& all)
{
    for (std::size_t a = 0; a < processors.size(); ++a)
        for (std::size_t b = 0; b < processors.size(); ++b)
            if (const auto& cell = pairs[a][b])
                all.push_back({.name = name,
                               .value = value(*cell),
                               .unit = unit,
                               .processor = processors[a],
                               .other_processor = processors[b]});
}

}  // namespace

Json limits_records(const Limits& limits)
{
    std::vector<Figure> all;
    for (const ThreadLimits& one : limits.threads)
        add_figures(one, all);
    all.push_back({"channel", limits.channel.one_thread_seconds, "s", 1});
    if (limits.channel.two_threads_seconds)
        all.push_back({"channel", *limits.channel.two_threads_seconds, "s", 2});
    const auto& [processors, seconds] = limits.handover;
    add_pairs(
        "handover", "s", processors, seconds, [](double one) { return one; }, all);
    constexpr std::array names{"line", "lines side by side", "lines side by side prefetched",
                               "lines side by side at best"};
    for (std::size_t i = 0; i < names.size(); ++i)
        add_pairs(
            names[i], i == 0 ? "s" : "lines/s", limits.lines.processors, limits.lines.rates,
            [&](const LineRates& rates) { return rates.*line_keys[i].rate; }, all);
    return records_of(of_figures, all);
}

}  // namespace dcube::measure

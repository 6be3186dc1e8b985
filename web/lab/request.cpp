#include "web/lab/request.hpp"

#include "base/names.hpp"
#include "run/field.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

namespace dcube::lab {

namespace {

constexpr std::size_t deepest = 3;  // a request, versus, program

// Parses JSON; refuses repeated keys and deep nesting.
Json parse_json(std::string_view text)
{
    std::vector<std::set<std::string>> keys;
    const auto watch = [&](int depth, Json::parse_event_t event, const Json& value) {
        using Event = Json::parse_event_t;
        if ((event == Event::object_start || event == Event::array_start) && std::cmp_greater_equal(depth, deepest))
            throw InvalidArgument(fmt::format("a request is nested at most {} deep", deepest));
        if (event == Event::object_start)
            keys.emplace_back();
        if (event == Event::object_end)
            keys.pop_back();
        if (event == Event::key && !keys.back().insert(value.get<std::string>()).second)
            throw InvalidArgument(
                fmt::format("the request has the key {} twice", dcube::quoted(value.get<std::string>())));
        return true;
    };
    try {
        return Json::parse(text, watch);
    } catch (const Json::exception& error) {
        const std::string_view why = error.what();  // "[json.exception.parse_error.101] parse error at ..."
        throw InvalidArgument(fmt::format("the request is not JSON: {}",
                                          shortened(why.substr(std::min(why.find("] "), why.size()) + 2))));
    }
}

// The value as messages show it.
std::string shown(const Json& value)
{
    return shortened(value.dump(-1, ' ', false, Json::error_handler_t::replace));
}

[[noreturn]] void refuse(std::string_view key, const Json& value, std::string_view allowed)
{
    throw InvalidArgument(key, shown(value), fmt::format("is not possible: {} is allowed", allowed));
}

std::string text_of(std::string_view key, const Json& value)
{
    if (!value.is_string())
        refuse(key, value, "a text");
    return value.get<std::string>();
}

constexpr std::string_view algorithm_key = "algorithm";

// The words of a list: texts, or whole numbers, which are names of nodes.
std::vector<std::string> words_of(const Key& key, const Json& list)
{
    std::vector<std::string> words;
    for (const Json& one : list) {
        if (!one.is_string() && !one.is_number_integer())
            refuse(key.key, list, "a text or a list");
        words.push_back(one.is_string() ? one.get<std::string>() : one.dump());
    }
    return words;
}

GivenValue number_of(const Json& value)
{
    if (value.is_number_unsigned())
        return value.get<std::uint64_t>();
    return value.is_string() ? value.get<std::string>() : value.dump();
}

GivenValue value_of(const Key& key, const Json& value)
{
    using Kind = Key::Kind;
    switch (key.kind) {
    case Kind::text: return text_of(key.key, value);
    case Kind::nodes:
    case Kind::numbers:
        if (value.is_array() && std::ranges::all_of(value, [](const Json& one) { return one.is_number_unsigned(); }))
            return value.get<std::vector<std::uint64_t>>();
        [[fallthrough]];
    case Kind::texts:
        if (value.is_string())
            return value.get<std::string>();
        if (!value.is_array())
            refuse(key.key, value, "a text or a list");
        return words_of(key, value);
    case Kind::number:
    case Kind::exact:
        if (!value.is_string() && !value.is_number())
            refuse(key.key, value, "a number");
        return number_of(value);
    case Kind::flag:
        if (!value.is_boolean())
            refuse(key.key, value, "true or false");
        return value.get<bool>();
    }
    return {};
}

constexpr Spelling<What> whats[] = {{What::run, "run"},         {What::list, "list"},   {What::catalogue, "catalogue"},
                                    {What::network, "network"}, {What::board, "board"}, {What::judge, "judge"}};

// The keys that are no question's, and the requests that have them.
struct OtherKey {
    std::string_view key;
    bool (*applies)(What);
};

bool has_question(What what)
{
    return what != What::catalogue;
}

bool is_run(What what)
{
    return what == What::run;
}

constexpr OtherKey other_keys[] = {
    {"what", [](What) { return true; }},
    {"results", [](What what) { return what == What::run || what == What::list; }},
    {"graph", has_question},
    {"program", is_run},
    {"versus", is_run},
    {"trace", [](What what) { return what == What::judge; }},
};

[[noreturn]] void refuse_key(const std::string& key)
{
    std::vector<std::string_view> known;
    for (const OtherKey& one : other_keys)
        known.push_back(one.key);
    for (const Key& one : question_keys())
        known.push_back(one.key);
    throw InvalidArgument(unknown_name(key, "a key of a request", known, fmt::format("{}", fmt::join(known, ", "))));
}

void require_object(std::string_view key, const Json& value)
{
    if (!value.is_object())
        refuse(key, value, "an object");
}

// The value of a key; null where the object does not have it.
Json at(const Json& object, std::string_view key)
{
    const auto found = object.find(std::string(key));
    return found == object.end() ? Json() : *found;
}

std::string text_of_program(const std::string& key, const Json& value)
{
    if (!value.is_string())
        throw InvalidArgument("program", "", fmt::format("has the {} {}: a text is allowed", key, shown(value)));
    return value.get<std::string>();
}

OwnProgram parse_program(const Json& value)
{
    require_object("program", value);
    OwnProgram program{"own", ""};
    for (const auto& [key, one] : value.items())
        if (key == "name")
            program.name = text_of_program(key, one);
        else if (key == "source")
            program.source = text_of_program(key, one);
        else
            throw InvalidArgument("program",
                                  unknown_name(key, "a key of a program",
                                               std::array<std::string_view, 2>{"name", "source"}, "name, source"));
    if (!value.contains("source"))
        throw InvalidArgument("program", "", "has no \"source\"");
    return program;
}

Run parse_run(const Json& object)
{
    Run run;
    for (const Key& key : question_keys())
        if (const Json value = at(object, key.key); !value.is_null())
            run.given.emplace_back(&key, value_of(key, value));
    if (const Json program = at(object, "program"); !program.is_null()) {
        run.program = parse_program(program);
        if (!at(object, algorithm_key).is_null())
            throw InvalidArgument("program", "",
                                  fmt::format("cannot be used together with {}", mention(algorithm_key)));
    }
    return run;
}

// The second run: the first one with the differing keys replaced.
Run parse_versus(const Json& first, const Json& differs)
{
    require_object("versus", differs);
    Json second = first;
    for (const auto& [key, value] : differs.items()) {
        if (key != "program" && std::ranges::find(other_keys, key, &OtherKey::key) != std::end(other_keys))
            throw InvalidArgument(key, "", fmt::format("belongs to the whole request, not to {}", mention("versus")));
        if (!find_key(key) && key != "program")
            refuse_key(key);
        if (key == "collective" && value != at(first, key))
            throw InvalidArgument("versus", "both runs are of one collective");
        if (key == algorithm_key && !value.is_null() && !differs.contains("program"))
            second.erase("program");
        if (key == "program" && !value.is_null() && !differs.contains(algorithm_key))
            second.erase(std::string(algorithm_key));
        second[key] = value;
    }
    return in_second_run([&] { return parse_run(second); });
}

std::vector<std::string> parse_results(const Json& value, What what)
{
    if (value.is_null())
        return is_run(what) ? std::vector<std::string>{"report"} : std::vector<std::string>{};
    if (!value.is_array())
        refuse("results", value, "a list of names");
    const std::vector<std::string_view> known = is_run(what)
                                                    ? std::vector<std::string_view>{"report", "document", "explain"}
                                                    : std::vector<std::string_view>{"bounds"};
    std::vector<std::string> results;
    for (const Json& one : value) {
        const std::string result = text_of("results", one);
        if (std::ranges::find(known, result) == known.end())
            throw InvalidArgument("results",
                                  unknown_name(result, "a result", known, fmt::format("{}", fmt::join(known, ", "))));
        results.push_back(result);
    }
    return results;
}

}  // namespace

bool Request::wants(std::string_view result) const
{
    return std::ranges::find(results, result) != results.end();
}

Request parse_request(std::string_view text)
{
    const Json object = parse_json(text);
    if (!object.is_object())
        throw InvalidArgument(fmt::format("a request is a JSON object, not {}", shown(object)));
    Request request;
    if (const Json what = at(object, "what"); !what.is_null())
        request.what = about("what", [&] { return parsed(whats, text_of("what", what), "a kind of request"); });
    for (const auto& [key, value] : object.items()) {
        const auto* const other = std::ranges::find(other_keys, key, &OtherKey::key);
        const bool is_other = other != std::end(other_keys);
        if (!is_other && !find_key(key))
            refuse_key(key);
        if (value.is_null() || (is_other ? other->applies(request.what) : has_question(request.what)))
            continue;
        throw InvalidArgument(key, "", fmt::format("does not apply to \"{}\"", name_of(whats, request.what)));
    }
    request.results = parse_results(at(object, "results"), request.what);
    request.first = parse_run(object);
    if (const Json versus = at(object, "versus"); !versus.is_null())
        request.versus = parse_versus(object, versus);
    if (const Json graphs = at(object, "graph"); !graphs.is_null()) {
        require_object("graph", graphs);
        for (const auto& [name, value] : graphs.items())
            request.graphs[name] = text_of("graph", value);
    }
    if (const Json trace = at(object, "trace"); !trace.is_null())
        request.trace = text_of("trace", trace);
    return request;
}

}  // namespace dcube::lab

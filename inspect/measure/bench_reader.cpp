#include "inspect/measure/bench_document.hpp"

#include "base/names.hpp"
#include "inspect/measure/bench_fields.hpp"

#include <dcube/error.hpp>
#include <dcube/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <set>

namespace dcube::measure {

namespace {

bool is_finite_number(const Json& value)
{
    return value.is_number() && std::isfinite(value.get<double>());
}

bool is_positive(const Json& value)
{
    return is_finite_number(value) && value.get<double>() > 0;
}

bool is_interval(const Json& value)
{
    return value.is_array() && value.size() == 2 && is_finite_number(value[0]) && is_finite_number(value[1]) &&
           value[0].get<double>() <= value[1].get<double>();
}

bool all_are(const Json& values, bool (*fits)(const Json&))
{
    return values.is_array() && std::ranges::all_of(values, fits);
}

bool is_text(const Json& value)
{
    return value.is_string();
}

bool is_object(const Json& value)
{
    return value.is_object();
}

// The kind of value that is expected there, if the value is of another.
std::string_view mismatch(const Json& value, BenchValue wanted)
{
    const auto unless = [](bool fits, std::string_view what) { return fits ? std::string_view() : what; };
    const bool null = value.is_null();
    switch (wanted) {
    case BenchValue::text: return unless(is_text(value), "a text");
    case BenchValue::text_or_null: return unless(null || is_text(value), "a text or null");
    case BenchValue::exact_or_null:
        return unless(null || is_text(value) || is_finite_number(value), "a number, a fraction or null");
    case BenchValue::number: return unless(is_finite_number(value), "a number");
    case BenchValue::number_or_null: return unless(null || is_finite_number(value), "a number or null");
    case BenchValue::positive: return unless(is_positive(value), "a number above 0");
    case BenchValue::whole: return unless(value.is_number_unsigned(), "a whole number");
    case BenchValue::whole_or_null: return unless(null || value.is_number_unsigned(), "a whole number or null");
    case BenchValue::flag: return unless(value.is_boolean(), "true or false");
    case BenchValue::interval: return unless(is_interval(value), "two numbers, the smaller one first");
    case BenchValue::interval_or_null:
        return unless(null || is_interval(value), "two numbers, the smaller one first, or null");
    case BenchValue::texts: return unless(all_are(value, is_text), "a list of texts");
    case BenchValue::positives: return unless(all_are(value, is_positive), "a list of numbers above 0");
    case BenchValue::intervals: return unless(all_are(value, is_interval), "a list of pairs of numbers");
    case BenchValue::part: return unless(value.is_object(), "an object");
    case BenchValue::part_or_null: return unless(null || value.is_object(), "an object or null");
    case BenchValue::parts: return unless(all_are(value, is_object), "a list of objects");
    case BenchValue::parts_or_null: return unless(null || all_are(value, is_object), "a list of objects or null");
    }
    return {};
}

class BenchReader {
public:
    explicit BenchReader(const std::string& file) : file_(file) {}

    Json read(std::string_view text)
    {
        Json document = Json::parse(
            text, [this](int depth, Json::parse_event_t, const Json&) { return shallow(depth); }, false);
        if (document.is_discarded())
            refuse("it is not JSON");
        if (!document.is_object())
            refuse("it is not a JSON object");
        const Json kind = document.value("kind", Json());
        if (kind != "benchmark")
            refuse(kind.is_string() ? fmt::format("its kind is {}", dcube::quoted(kind.get<std::string>()))
                                    : "the key kind is missing");
        if (const Json schema = document.value("schema", Json()); schema != report_schema)
            refuse(fmt::format("its schema is {}, and only {} is known", shortened(schema.dump()), report_schema));
        for (const BenchField& field : bench_fields())
            check(document, field.key, field, "");
        for (std::size_t i = 0; i < document["cells"].size(); ++i)
            require_complete(document["cells"][i], i);
        require_different(document);
        return document;
    }

private:
    [[noreturn]] void refuse(const std::string& why) const
    {
        throw InvalidArgument(
            fmt::format("{} was not written by dcube bench: {}", file_.empty() ? "''" : shortened(file_), why));
    }

    // A document that is nested without end would be copied and written without end, level by level on the stack.
    [[nodiscard]] bool shallow(int depth) const
    {
        constexpr int deepest = 16;
        if (depth > deepest)
            refuse("it is nested too deeply");
        return true;
    }

    // Checks the value under `key`, which may lead through parts; a part has been checked before its members.
    void check(const Json& part, std::string_view key, const BenchField& field, const std::string& within) const
    {
        const std::size_t dot = key.find('.');
        const std::string first(key.substr(0, dot));
        const std::string place = within + first;
        const auto found = part.find(first);
        const bool is_member = dot != std::string_view::npos;
        if (found == part.end() && (is_member || field.stands == BenchKey::later))
            return;
        if (found == part.end())
            refuse(fmt::format("the key {} is missing", place));
        if (!is_member) {
            if (const std::string_view what = mismatch(*found, field.value); !what.empty())
                refuse(fmt::format("{} is {}, where {} is needed", place, shortened(found->dump()), what));
            return;
        }
        if (found->is_object())
            check(*found, key.substr(dot + 1), field, place + ".");
        for (std::size_t i = 0; found->is_array() && i < found->size(); ++i)
            check((*found)[i], key.substr(dot + 1), field, fmt::format("{}[{}].", place, i));
    }

    // Checks members that may be null, but not together.
    void require_complete(const Json& cell, std::size_t number) const
    {
        const auto all_known = [&](std::initializer_list<const char*> keys) {
            return std::ranges::none_of(keys, [&](const char* key) { return cell[key].is_null(); });
        };
        const auto refuse_cell = [&](const char* why) { refuse(fmt::format("cells[{}] has {}", number, why)); };
        if (cell["rows"].is_null() && !all_known({"bytes", "packets"}))
            refuse_cell("neither packets of some bytes nor a matrix");
        if (!cell["rows"].is_null() && !all_known({"columns", "type"}))
            refuse_cell("a matrix without columns or type");
        if (!cell["size_bytes"].is_null() &&
            !all_known({"bytes", "packets", "algbw_bytes_per_second", "busbw_bytes_per_second"}))
            refuse_cell("a size and no packets or no bandwidths");
        if (cell["rounds"].empty())
            refuse_cell("no rounds");
        for (const Json& round : cell["rounds"])
            require_runs(round, number);
    }

    void require_runs(const Json& round, std::size_t number) const
    {
        const Json disturbed = round.value("disturbed_seconds", Json::array());
        if (round["samples_seconds"].empty() && disturbed.empty())
            refuse(fmt::format("cells[{}] has a round without a run", number));
        const Json bounds = round.value("disturbed_bounds", Json::array());
        const bool positive = std::ranges::all_of(bounds, [](const Json& one) { return is_positive(one[0]); });
        if (!positive || (!bounds.empty() && bounds.size() != disturbed.size()))
            refuse(fmt::format("cells[{}] has disturbed_bounds that are not those of its disturbed_seconds", number));
    }

    void require_different(const Json& document) const
    {
        std::set<std::string> known;
        for (const Json& cell : document["cells"])
            if (!known.insert(identity(cell)).second)
                refuse(fmt::format("it has a cell twice: {}", cell_text(cell)));
    }

    const std::string& file_;
};

}  // namespace

Json read_bench_document(std::string_view text, const std::string& file)
{
    return BenchReader(file).read(text);
}

}  // namespace dcube::measure

#include "judge/trace_line.hpp"

#include "base/json.hpp"
#include "base/numbers.hpp"

#include <dcube/contributors.hpp>
#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <utility>

namespace dcube {

namespace {

// The keys of a trace's lines: which there are, what values they may have, and where those belong in a Record.

/// A key of a transmission or of a piece. Its value is a whole number, but for "pieces" and "sum_of", which are lists,
/// and "lost", which is true or false.
struct TraceField {
    enum class Presence : std::uint8_t {
        required,
        may_be_missing,  ///< the judge fills it in from the rest
        may_be_missing_or_null,
    };

    std::string_view key;
    Presence presence;
    std::uint64_t largest = 0;                            ///< number
    void (*store)(Record&, std::uint64_t) = nullptr;      ///< puts the number into the record, or its last piece
    std::optional<Rational> Record::*fraction = nullptr;  ///< where "5/2" belongs, if that is allowed too
    bool Record::*truth = nullptr;                        ///< where true or false belongs

    [[nodiscard]] bool is_number() const { return store != nullptr; }
    [[nodiscard]] bool is_truth() const { return truth != nullptr; }
    [[nodiscard]] bool is_list() const { return !is_number() && !is_truth(); }
    [[nodiscard]] bool takes_null() const { return presence == Presence::may_be_missing_or_null; }
    /// "a whole number from 0 to 4294967295 or null".
    [[nodiscard]] std::string allowed() const;
};

/// An object while it is read: which of its keys are known, which have come, and which one's value is next.
class ObjectFields {
public:
    explicit ObjectFields(std::span<const TraceField> fields) : fields_(fields) {}

    void begin() { seen_ = 0; }

    /// False if the key came twice.
    bool key(std::string_view text);

    /// The key whose value is next; null if it is none of ours.
    [[nodiscard]] const TraceField* field() const { return now_ < fields_.size() ? &fields_[now_] : nullptr; }

    /// A key that should have come; null if none is missing.
    [[nodiscard]] const TraceField* missing() const;

private:
    std::span<const TraceField> fields_;
    std::size_t now_ = 0;
    unsigned seen_ = 0;
};

using enum TraceField::Presence;

constexpr std::uint64_t word = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t count = std::numeric_limits<std::int64_t>::max();

using R = Record&;
using Number = std::uint64_t;

Rational whole(Number n)
{
    return {static_cast<std::int64_t>(n), 1};
}

constexpr TraceField of_transmission[] = {
    {"step", required, word, [](R r, Number n) { r.step = static_cast<Step>(n); }},
    {"from", required, word, [](R r, Number n) { r.from = static_cast<NodeId>(n); }},
    {"to", may_be_missing, word, [](R r, Number n) { r.to = static_cast<NodeId>(n), r.has_to = true; }},
    {"port", may_be_missing, word, [](R r, Number n) { r.port = static_cast<Port>(n), r.has_port = true; }},
    {"bytes", may_be_missing, count, [](R r, Number n) { r.bytes = n; }},
    {"start_ns", may_be_missing_or_null, count, [](R r, Number n) { r.start_ns = whole(n); }, &Record::start_ns},
    {"end_ns", may_be_missing_or_null, count, [](R r, Number n) { r.end_ns = whole(n); }, &Record::end_ns},
    {"pieces", may_be_missing},
    {"lost", may_be_missing_or_null, 0, nullptr, nullptr, &Record::lost},
};

constexpr TraceField of_piece[] = {
    {"origin", may_be_missing_or_null, word, [](R r, Number n) { r.pieces.back().origin = static_cast<NodeId>(n); }},
    {"target", may_be_missing_or_null, word, [](R r, Number n) { r.pieces.back().target = static_cast<NodeId>(n); }},
    {"offset", may_be_missing, count, [](R r, Number n) { r.pieces.back().offset = n; }},
    {"length", may_be_missing, count, [](R r, Number n) { r.pieces.back().length = n; }},
    {"sum_of", may_be_missing_or_null},
};

std::string TraceField::allowed() const
{
    if (is_truth())
        return takes_null() ? "true, false or null" : "true or false";
    if (is_list())
        return takes_null() ? "a list or null" : "a list";
    return fmt::format("a whole number from 0 to {}{}{}", largest,
                       fraction != nullptr ? ", a fraction such as \"5/2\"" : "", takes_null() ? " or null" : "");
}

/// "5/2", in lowest terms; nothing if the text is none of this kind.
std::optional<Rational> parse_fraction(std::string_view text)
{
    if (text.find('/') == std::string_view::npos)
        return std::nullopt;
    try {
        return parse_rational("", text);
    } catch (const InvalidArgument&) {
        return std::nullopt;
    }
}

bool ObjectFields::key(std::string_view text)
{
    for (now_ = 0; now_ < fields_.size(); ++now_)
        if (fields_[now_].key == text)
            break;
    const unsigned bit = now_ < fields_.size() ? 1U << now_ : 0;
    const bool twice = (seen_ & bit) != 0;
    seen_ |= bit;
    return !twice;
}

const TraceField* ObjectFields::missing() const
{
    for (std::size_t i = 0; i < fields_.size(); ++i)
        if (fields_[i].presence == required && (seen_ >> i & 1U) == 0)
            return &fields_[i];
    return nullptr;
}

// The value of "sum_of": ids and ranges of nodes, [0,3,[5,7]], as it is read. Errors are one line.

class SumOfList {
public:
    void begin();
    [[nodiscard]] bool in_range() const { return in_range_; }

    /// Each returns an error, or nothing.
    std::string begin_range();
    std::string number(std::uint64_t number);
    std::string end_range();
    /// Stores the nodes listed, in whatever order. No node may be listed twice.
    std::string end(std::shared_ptr<const Contributors>& nodes);

    /// Something else stands in the list.
    static std::string wrong(std::string_view what);

private:
    std::vector<Contributors::Range> ranges_;
    bool in_range_ = false;
    unsigned numbers_ = 0;  // in the range being read
};

void SumOfList::begin()
{
    ranges_.clear();
    in_range_ = false;
}

std::string SumOfList::begin_range()
{
    if (in_range_)
        return wrong("a list in a range");
    in_range_ = true;
    numbers_ = 0;
    return {};
}

std::string SumOfList::number(std::uint64_t number)
{
    if (number > std::numeric_limits<NodeId>::max())
        return wrong(std::to_string(number));
    const auto node = static_cast<NodeId>(number);
    if (!in_range_ || numbers_ == 0)
        ranges_.push_back({node, node});
    else
        ranges_.back().last = node;
    if (in_range_)
        ++numbers_;
    return {};
}

std::string SumOfList::end_range()
{
    in_range_ = false;
    if (numbers_ != 2)
        return wrong(fmt::format("a range of {}", counted(numbers_, "number")));
    if (const auto& [first, last] = ranges_.back(); last < first)
        return wrong(fmt::format("[{},{}]", first, last));
    return {};
}

std::string SumOfList::end(std::shared_ptr<const Contributors>& nodes)
{
    std::sort(ranges_.begin(), ranges_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 1; i < ranges_.size(); ++i)
        if (ranges_[i].first <= ranges_[i - 1].last)
            return fmt::format("\"sum_of\" has node {} twice: once is allowed", ranges_[i].first);
    nodes = std::make_shared<const Contributors>(std::exchange(ranges_, {}));
    return {};
}

std::string SumOfList::wrong(std::string_view what)
{
    return fmt::format("\"sum_of\" has {}: nodes such as 3, from 0 to {}, and ranges such as [5,7] are allowed", what,
                       std::numeric_limits<NodeId>::max());
}

using Json = nlohmann::json;

/// Gets the contents of a line from the parser, and makes a record of it without building a tree. Every function
/// returns false to stop at an error, which is then in error().
class LineHandler : public nlohmann::json_sax<Json> {
public:
    LineHandler(Record& record, const std::function<void(const std::string&)>& unknown)
        : record_(record), unknown_(unknown), transmission_(of_transmission), piece_(of_piece)
    {
    }

    [[nodiscard]] const std::string& error() const { return error_; }

    bool null() override
    {
        const bool taken = in_object() && field() != nullptr && field()->takes_null();
        return taken || other("null");
    }
    bool boolean(bool value) override
    {
        if (!in_object() || field() == nullptr || !field()->is_truth())
            return other("a truth value");
        record_.*field()->truth = value;
        return true;
    }
    bool number_integer(number_integer_t) override { return other("a negative number"); }
    bool number_float(number_float_t, const string_t&) override
    {
        return other("a number with a fraction or too large");
    }
    bool string(string_t& text) override
    {
        if (in_phase_ && where_ == Where::transmission)
            record_.phase = text;
        return fraction(text) || other("a text");
    }
    bool binary(binary_t&) override { return other("binary data"); }

    bool number_unsigned(number_unsigned_t number) override
    {
        if (passed_over())
            return true;
        if (where_ == Where::sum_of)
            return listed(sum_of_.number(number));
        if (!in_object() || !field()->is_number())
            return wrong_type("a number");
        if (number > field()->largest)
            return wrong_type(std::to_string(number));
        field()->store(record_, number);
        return true;
    }

    bool start_object(std::size_t) override
    {
        if (where_ == Where::line) {
            where_ = Where::transmission;
            return true;
        }
        if (where_ == Where::pieces) {
            where_ = Where::piece;
            piece_.begin();
            record_.pieces.push_back({{}, {}, 0, Record::left_out, nullptr});
            return true;
        }
        return start_nested("an object");
    }

    bool end_object() override
    {
        if (where_ == Where::skipped)
            return end_nested();
        const bool is_piece = where_ == Where::piece;
        if (const TraceField* const missing = fields().missing())
            return fail(fmt::format("{} has no \"{}\"", is_piece ? "a piece" : "the transmission", missing->key));
        where_ = is_piece ? Where::pieces : Where::line;
        return true;
    }

    bool start_array(std::size_t) override
    {
        if (where_ == Where::sum_of)
            return listed(sum_of_.begin_range());
        if (in_object() && field() != nullptr && field()->is_list()) {
            where_ = where_ == Where::piece ? Where::sum_of : Where::pieces;
            record_.has_pieces = true;
            sum_of_.begin();
            return true;
        }
        return start_nested("a list");
    }

    bool end_array() override
    {
        if (where_ == Where::skipped)
            return end_nested();
        if (where_ == Where::pieces) {
            where_ = Where::transmission;
            return true;
        }
        if (sum_of_.in_range())
            return listed(sum_of_.end_range());
        where_ = Where::piece;
        return listed(sum_of_.end(record_.pieces.back().sum_of));
    }

    bool key(string_t& text) override
    {
        if (where_ == Where::skipped)
            return true;
        const bool first = fields().key(text);
        in_phase_ = field() == nullptr && where_ == Where::transmission && text == "phase";
        if (field() == nullptr && !in_phase_)
            unknown_(text);
        return first || fail(fmt::format("\"{}\" stands there twice", field()->key));
    }

    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override
    {
        return fail(fmt::format("not valid JSON at column {}", position));
    }

private:
    enum class Where { line, transmission, pieces, piece, sum_of, skipped };

    [[nodiscard]] bool in_object() const { return where_ == Where::transmission || where_ == Where::piece; }
    ObjectFields& fields() { return where_ == Where::piece ? piece_ : transmission_; }

    /// The field of the next value in an object; null if its key is unknown.
    const TraceField* field() { return fields().field(); }

    /// Whether the next value belongs to an unknown key.
    bool passed_over() { return where_ == Where::skipped || (in_object() && field() == nullptr); }

    bool fail(std::string error)
    {
        error_ = std::move(error);
        return false;
    }

    /// Passes on an error of the last value in a "sum_of".
    bool listed(std::string error) { return error.empty() || fail(std::move(error)); }

    bool start_nested(std::string_view what)
    {
        if (!passed_over())
            return wrong_type(what);
        if (where_ != Where::skipped)
            before_skipped_ = std::exchange(where_, Where::skipped);
        ++depth_;
        return true;
    }

    bool end_nested()
    {
        if (--depth_ == 0)
            where_ = before_skipped_;
        return true;
    }

    bool wrong_type(std::string_view what)
    {
        if (where_ == Where::line)
            return fail(fmt::format("{} stands where a transmission should, which is an object", what));
        if (where_ == Where::pieces)
            return fail(fmt::format("{} stands where a piece should, which is an object", what));
        if (where_ == Where::sum_of)
            return fail(SumOfList::wrong(what));
        return fail(fmt::format("\"{}\" is {}: {} is allowed", field()->key, what, field()->allowed()));
    }

    /// A value that is right for no key.
    bool other(std::string_view what) { return passed_over() || wrong_type(what); }

    /// True if the text is a fraction where one is allowed, which is then stored.
    bool fraction(const std::string& text)
    {
        if (!in_object() || field() == nullptr || field()->fraction == nullptr)
            return false;
        const auto read = parse_fraction(text);
        if (read)
            record_.*field()->fraction = read;
        return read.has_value();
    }

    Record& record_;
    const std::function<void(const std::string&)>& unknown_;
    Where where_ = Where::line;
    Where before_skipped_ = Where::line;
    std::size_t depth_ = 0;  // of the skipped value
    bool in_phase_ = false;  // the next value is a program's remark about its own run
    ObjectFields transmission_;
    ObjectFields piece_;
    SumOfList sum_of_;
    std::string error_;
};

}  // namespace

std::string parse_trace_line(std::string_view text, Record& record,
                             const std::function<void(const std::string& key)>& unknown)
{
    if (const std::size_t nul = text.find('\0'); nul != std::string::npos)  // the parser would take it for the end
        return fmt::format("not valid JSON at column {}", nul + 1);
    record.pieces.clear();
    record.phase.clear();
    record.start_ns.reset();
    record.end_ns.reset();
    record.start = record.end = 0;
    record.bytes = Record::left_out;
    record.has_to = record.has_port = record.has_pieces = record.lost = false;
    LineHandler handler(record, unknown);
    Json::sax_parse(text.data(), text.data() + text.size(), &handler);
    return handler.error();
}

}  // namespace dcube

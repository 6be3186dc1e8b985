#include "judge/trace_line.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <limits>
#include <numeric>
#include <optional>
#include <span>

namespace dcube {

namespace {

using Json = nlohmann::json;

/// A key of a transmission or of a piece, and the numbers that it may have.
struct Field {
    std::string_view key;
    std::uint64_t largest;
    bool required;
    bool may_be_null;
    bool may_be_fraction = false;
};

constexpr std::uint64_t word = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t count = std::numeric_limits<std::int64_t>::max();

enum : std::size_t { step, from, to, port, bytes, start_ns, end_ns, pieces };
constexpr Field transmission_fields[] = {
    {"step", word, true, false},          {"from", word, true, false},   {"to", word, true, false},
    {"port", word, true, false},          {"bytes", count, true, false}, {"start_ns", count, false, true, true},
    {"end_ns", count, false, true, true}, {"pieces", 0, true, false},
};

enum : std::size_t { origin, target, offset, length };
constexpr Field piece_fields[] = {
    {"origin", word, true, true},
    {"target", word, true, true},
    {"offset", count, true, false},
    {"length", count, true, false},
};

/// An object while it is read: which of its keys are known, which have come, and which one's value is next.
class Fields {
public:
    explicit Fields(std::span<const Field> fields) : fields_(fields) {}

    void begin() { seen_ = 0; }

    /// False if the key came twice.
    bool key(std::string_view text)
    {
        for (now_ = 0; now_ < fields_.size(); ++now_)
            if (fields_[now_].key == text)
                break;
        const unsigned bit = now_ < fields_.size() ? 1U << now_ : 0;
        const bool twice = (seen_ & bit) != 0;
        seen_ |= bit;
        return !twice;
    }

    /// The key whose value is next; null if it is none of ours.
    [[nodiscard]] const Field* field() const { return now_ < fields_.size() ? &fields_[now_] : nullptr; }
    [[nodiscard]] std::size_t index() const { return now_; }

    [[nodiscard]] const Field* missing() const
    {
        for (std::size_t i = 0; i < fields_.size(); ++i)
            if (fields_[i].required && (seen_ >> i & 1U) == 0)
                return &fields_[i];
        return nullptr;
    }

private:
    std::span<const Field> fields_;
    std::size_t now_ = 0;
    unsigned seen_ = 0;
};

/// "5/2", in lowest terms; nothing if the text is none of this kind.
std::optional<Rational> parsed_fraction(std::string_view text)
{
    Rational value;
    const auto read = [](std::string_view digits, std::int64_t& into) {
        const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), into);
        return error == std::errc{} && stop == digits.data() + digits.size() && digits.front() != '-';
    };
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos || !read(text.substr(0, slash), value.numerator) ||
        !read(text.substr(slash + 1), value.denominator) || value.denominator == 0)
        return std::nullopt;
    const std::int64_t divisor = std::gcd(value.numerator, value.denominator);
    return Rational{value.numerator / divisor, value.denominator / divisor};
}

/// Is told by the parser what stands in a line, and makes a record of it without building a tree. Every function
/// returns false to stop at an error, which is then in error().
class LineHandler : public nlohmann::json_sax<Json> {
public:
    LineHandler(Record& record, const std::function<void(const std::string&)>& unknown)
        : record_(record), unknown_(unknown)
    {
    }

    [[nodiscard]] const std::string& error() const { return error_; }

    bool null() override { return value(nullptr, "null"); }
    bool boolean(bool) override { return value(&not_a_number_, "a truth value"); }
    bool number_integer(number_integer_t) override { return value(&not_a_number_, "a negative number"); }
    bool number_unsigned(number_unsigned_t n) override { return value(&n, {}); }
    bool number_float(number_float_t, const string_t&) override
    {
        return value(&not_a_number_, "a number with a fraction or too large");
    }
    bool string(string_t& text) override { return fraction(text) || value(&not_a_number_, "a text"); }
    bool binary(binary_t&) override { return value(&not_a_number_, "binary data"); }

    bool start_object(std::size_t) override
    {
        if (where_ == Where::line) {
            where_ = Where::transmission;
            return true;
        }
        if (where_ == Where::pieces) {
            where_ = Where::piece;
            piece_.begin();
            record_.pieces.emplace_back();
            return true;
        }
        return start_nested("an object");
    }

    bool end_object() override
    {
        if (where_ == Where::skipped)
            return end_nested();
        const bool is_piece = where_ == Where::piece;
        if (const Field* const missing = fields().missing())
            return fail(fmt::format("{} has no \"{}\"", is_piece ? "a piece" : "the transmission", missing->key));
        where_ = is_piece ? Where::pieces : Where::line;
        return true;
    }

    bool start_array(std::size_t) override
    {
        if (where_ == Where::transmission && transmission_.field() == &transmission_fields[pieces]) {
            where_ = Where::pieces;
            return true;
        }
        return start_nested("a list");
    }

    bool end_array() override
    {
        if (where_ == Where::skipped)
            return end_nested();
        where_ = Where::transmission;
        return true;
    }

    bool key(string_t& text) override
    {
        if (where_ == Where::skipped)
            return true;
        const bool first = fields().key(text);
        if (fields().field() == nullptr)
            unknown_(text);
        if (first)
            return true;
        return fail(fmt::format("\"{}\" stands there twice", fields().field()->key));
    }

    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override
    {
        return fail(fmt::format("not valid JSON at column {}", position));
    }

private:
    enum class Where { line, transmission, pieces, piece, skipped };

    Fields& fields() { return where_ == Where::piece ? piece_ : transmission_; }

    bool fail(std::string error)
    {
        error_ = std::move(error);
        return false;
    }

    bool start_nested(std::string_view what)
    {
        if (where_ != Where::skipped) {
            const bool unknown =
                (where_ == Where::transmission || where_ == Where::piece) && fields().field() == nullptr;
            if (!unknown)
                return wrong_type(what);
            before_skipped_ = where_;
            where_ = Where::skipped;
        }
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
        const Field& field = *fields().field();
        if (field.largest == 0)
            return fail(fmt::format("\"{}\" is {}: a list is allowed", field.key, what));
        return fail(fmt::format("\"{}\" is {}: a whole number from 0 to {}{}{} is allowed", field.key, what,
                                field.largest, field.may_be_fraction ? ", a fraction such as \"5/2\"" : "",
                                field.may_be_null ? " or null" : ""));
    }

    /// Anything but an object or a list: a whole number, null (no number), or something else that `what` names.
    bool value(const std::uint64_t* number, std::string_view what)
    {
        if (where_ == Where::skipped)
            return true;
        if (where_ == Where::line || where_ == Where::pieces)
            return wrong_type(number == nullptr || !what.empty() ? what : "a number");
        const Field* const field = fields().field();
        if (field == nullptr)
            return true;
        if (number == nullptr && field->may_be_null)
            return true;
        if (!what.empty())
            return wrong_type(what);
        if (*number > field->largest)
            return wrong_type(field->largest == 0 ? "a number" : std::to_string(*number));
        if (where_ == Where::piece)
            store_in_piece(*number);
        else
            store(*number);
        return true;
    }

    /// True if the text is a fraction where one is allowed, which is then stored.
    bool fraction(const std::string& text)
    {
        if (where_ != Where::transmission || transmission_.field() == nullptr ||
            !transmission_.field()->may_be_fraction)
            return false;
        const auto read = parsed_fraction(text);
        if (read)
            store_time(*read);
        return read.has_value();
    }

    void store_time(const Rational& time)
    {
        (transmission_.index() == start_ns ? record_.start_ns : record_.end_ns) = time;
    }

    void store(std::uint64_t number)
    {
        switch (transmission_.index()) {
        case step: record_.step = static_cast<Step>(number); break;
        case from: record_.from = static_cast<NodeId>(number); break;
        case to: record_.to = static_cast<NodeId>(number); break;
        case port: record_.port = static_cast<Port>(number); break;
        case bytes: record_.bytes = number; break;
        case start_ns:
        case end_ns: store_time({static_cast<std::int64_t>(number), 1}); break;
        default: break;
        }
    }

    void store_in_piece(std::uint64_t number)
    {
        Record::Piece& piece = record_.pieces.back();
        switch (piece_.index()) {
        case origin: piece.origin = static_cast<NodeId>(number); break;
        case target: piece.target = static_cast<NodeId>(number); break;
        case offset: piece.offset = number; break;
        case length: piece.length = number; break;
        default: break;
        }
    }

    Record& record_;
    const std::function<void(const std::string&)>& unknown_;
    Where where_ = Where::line;
    Where before_skipped_ = Where::line;
    std::size_t depth_ = 0;  // of what is skipped
    Fields transmission_{transmission_fields};
    Fields piece_{piece_fields};
    std::string error_;
    const std::uint64_t not_a_number_ = 0;
};

}  // namespace

std::string parse_trace_line(std::string_view text, Record& record,
                             const std::function<void(const std::string& key)>& unknown)
{
    if (const std::size_t nul = text.find('\0'); nul != std::string::npos)  // the parser would take it for the end
        return fmt::format("not valid JSON at column {}", nul + 1);
    record.pieces.clear();
    record.start_ns.reset();
    record.end_ns.reset();
    LineHandler handler(record, unknown);
    Json::sax_parse(text.data(), text.data() + text.size(), &handler);
    return handler.error();
}

}  // namespace dcube

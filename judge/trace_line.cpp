#include "judge/trace_line.hpp"

#include "judge/sum_of_list.hpp"
#include "judge/trace_fields.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace dcube {

namespace {

using Json = nlohmann::json;

/// Is told by the parser what stands in a line, and makes a record of it without building a tree. Every function
/// returns false to stop at an error, which is then in error().
class LineHandler : public nlohmann::json_sax<Json> {
public:
    LineHandler(Record& record, const std::function<void(const std::string&)>& unknown)
        : record_(record), unknown_(unknown), transmission_(transmission_fields()), piece_(piece_fields())
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

    /// Of the value that comes, in an object; null if nobody knows its key.
    const TraceField* field() { return fields().field(); }

    /// Whether what comes belongs to a key that nobody knows.
    bool passed_over() { return where_ == Where::skipped || (in_object() && field() == nullptr); }

    bool fail(std::string error)
    {
        error_ = std::move(error);
        return false;
    }

    /// What became of the last value in a "sum_of".
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
    std::size_t depth_ = 0;  // of what is skipped
    bool in_phase_ = false;  // the value that comes is what a program says of itself
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
    record.bytes = Record::left_out;
    record.has_to = record.has_port = record.lost = false;
    LineHandler handler(record, unknown);
    Json::sax_parse(text.data(), text.data() + text.size(), &handler);
    return handler.error();
}

}  // namespace dcube

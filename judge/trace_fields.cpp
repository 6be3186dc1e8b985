#include "judge/trace_fields.hpp"

#include <dcube/graph.hpp>

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <numeric>
#include <system_error>

namespace dcube {

namespace {

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
    {"pieces", required},
    {"lost", may_be_missing_or_null, 0, nullptr, nullptr, &Record::lost},
};

constexpr TraceField of_piece[] = {
    {"origin", may_be_missing_or_null, word, [](R r, Number n) { r.pieces.back().origin = static_cast<NodeId>(n); }},
    {"target", may_be_missing_or_null, word, [](R r, Number n) { r.pieces.back().target = static_cast<NodeId>(n); }},
    {"offset", may_be_missing, count, [](R r, Number n) { r.pieces.back().offset = n; }},
    {"length", may_be_missing, count, [](R r, Number n) { r.pieces.back().length = n; }},
    {"sum_of", may_be_missing_or_null},
};

bool parse_digits(std::string_view digits, std::int64_t& into)
{
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, into);
    return error == std::errc{} && stop == end && digits.front() != '-';
}

}  // namespace

std::string TraceField::allowed() const
{
    if (is_truth())
        return takes_null() ? "true, false or null" : "true or false";
    if (is_list())
        return takes_null() ? "a list or null" : "a list";
    return fmt::format("a whole number from 0 to {}{}{}", largest,
                       fraction != nullptr ? ", a fraction such as \"5/2\"" : "", takes_null() ? " or null" : "");
}

std::span<const TraceField> transmission_fields()
{
    return of_transmission;
}

std::span<const TraceField> piece_fields()
{
    return of_piece;
}

std::optional<Rational> parse_fraction(std::string_view text)
{
    Rational value;
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos || !parse_digits(text.substr(0, slash), value.numerator) ||
        !parse_digits(text.substr(slash + 1), value.denominator) || value.denominator == 0)
        return std::nullopt;
    const std::int64_t divisor = std::gcd(value.numerator, value.denominator);
    return Rational{value.numerator / divisor, value.denominator / divisor};
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

}  // namespace dcube

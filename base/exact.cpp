#include "base/exact.hpp"

#include <dcube/error.hpp>

#include <boost/multiprecision/cpp_int.hpp>
#include <fmt/format.h>

#include <limits>
#include <new>
#include <stdexcept>
#include <utility>

namespace dcube::detail {

namespace {

// No expression templates: an expression is a value.
using Number = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<>, boost::multiprecision::et_off>;

}  // namespace

Integer::Integer(std::in_place_t, auto&& value)
{
    static_assert(sizeof(Number) <= sizeof(number_) && alignof(Number) <= alignof(Integer));
    new (number_.data()) Number(std::forward<decltype(value)>(value));
}

auto& Integer::number()
{
    return *std::launder(reinterpret_cast<Number*>(number_.data()));
}

const auto& Integer::number() const
{
    return *std::launder(reinterpret_cast<const Number*>(number_.data()));
}

Integer::Integer(std::int64_t value) : Integer(std::in_place, value) {}

Integer::Integer(std::uint64_t value) : Integer(std::in_place, value) {}

Integer::Integer(std::string_view digits) : Integer(std::in_place, std::string(digits)) {}

Integer::Integer(const Integer& other) : Integer(std::in_place, other.number()) {}

Integer::Integer(Integer&& other) noexcept : Integer(std::in_place, std::move(other.number())) {}

Integer& Integer::operator=(const Integer& other)
{
    number() = other.number();
    return *this;
}

Integer& Integer::operator=(Integer&& other) noexcept
{
    number() = std::move(other.number());
    return *this;
}

Integer::~Integer()
{
    std::destroy_at(&number());
}

Integer operator+(const Integer& a, const Integer& b)
{
    return {std::in_place, a.number() + b.number()};
}

Integer operator-(const Integer& a, const Integer& b)
{
    return {std::in_place, a.number() - b.number()};
}

Integer operator*(const Integer& a, const Integer& b)
{
    return {std::in_place, a.number() * b.number()};
}

Integer operator/(const Integer& a, const Integer& b)
{
    return {std::in_place, a.number() / b.number()};
}

Integer operator%(const Integer& a, const Integer& b)
{
    return {std::in_place, a.number() % b.number()};
}

Integer operator<<(const Integer& a, unsigned places)
{
    return {std::in_place, a.number() << places};
}

bool operator==(const Integer& a, const Integer& b)
{
    return a.number() == b.number();
}

std::strong_ordering operator<=>(const Integer& a, const Integer& b)
{
    return a.number().compare(b.number()) <=> 0;
}

Integer pow(const Integer& base, unsigned exponent)
{
    return {std::in_place, pow(base.number(), exponent)};
}

Integer sqrt(const Integer& value)
{
    return {std::in_place, sqrt(value.number())};
}

Integer gcd(const Integer& a, const Integer& b)
{
    return {std::in_place, gcd(a.number(), b.number())};
}

template <class T>
T Integer::convert_to() const
{
    return number().convert_to<T>();
}

template unsigned Integer::convert_to() const;
template unsigned long Integer::convert_to() const;
template unsigned long long Integer::convert_to() const;
template std::int64_t Integer::convert_to() const;
template double Integer::convert_to() const;

std::string Integer::str() const
{
    return number().str();
}

Exact::Exact(const Integer& numerator, const Integer& denominator) : numerator_(numerator), denominator_(denominator)
{
    if (denominator == 1)
        return;
    if (denominator == 0)
        throw std::overflow_error("division by 0");
    const Integer common = denominator < 0 ? 0 - gcd(numerator, denominator) : gcd(numerator, denominator);
    numerator_ = numerator / common;
    denominator_ = denominator / common;
}

Exact operator+(const Exact& a, const Exact& b)
{
    if (a.denominator_ == b.denominator_)
        return {a.numerator_ + b.numerator_, a.denominator_};
    const Integer common = gcd(a.denominator_, b.denominator_);
    const Integer factor = b.denominator_ / common;
    return {a.numerator_ * factor + b.numerator_ * (a.denominator_ / common), a.denominator_ * factor};
}

Exact operator-(const Exact& a, Exact b)
{
    b.numerator_ = 0 - b.numerator_;
    return a + b;
}

// The product of two fractions, neither of which has a factor in common with the other's denominator.
Exact product_of_reduced(Exact a, const Exact& b)
{
    a.numerator_ *= b.numerator_;
    a.denominator_ *= b.denominator_;
    return a;
}

Exact operator*(const Exact& a, const Exact& b)
{
    return product_of_reduced({a.numerator_, b.denominator_}, {b.numerator_, a.denominator_});
}

Exact operator/(const Exact& a, const Exact& b)
{
    return product_of_reduced({a.numerator_, b.numerator_}, {b.denominator_, a.denominator_});
}

std::strong_ordering operator<=>(const Exact& a, const Exact& b)
{
    if (a.denominator_ == b.denominator_)
        return a.numerator_ <=> b.numerator_;
    return a.numerator_ * b.denominator_ <=> b.numerator_ * a.denominator_;
}

Integer ceiling(const Exact& value)
{
    const Integer quotient = numerator(value) / denominator(value);
    return Exact(quotient) < value ? quotient + 1 : quotient;
}

Exact exact(const Rational& value)
{
    return {value.numerator, value.denominator};
}

Rational to_rational(const Exact& value)
{
    const Integer& top = numerator(value);
    const Integer& bottom = denominator(value);
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    if (top > most || top < -most || bottom > most)
        throw_time_overflow();
    return {top.convert_to<std::int64_t>(), bottom.convert_to<std::int64_t>()};
}

void throw_time_overflow()
{
    throw InvalidArgument(
        fmt::format("a virtual time does not fit in 64 bits: shorter messages, or a smaller {} and {}, do",
                    mention("tau_ns_per_byte"), mention("beta_ns")));
}

}  // namespace dcube::detail

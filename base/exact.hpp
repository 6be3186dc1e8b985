#pragma once
// Exact arithmetic of any width, for closed forms and bounds.

#include <dcube/error.hpp>
#include <dcube/link.hpp>

#include <boost/multiprecision/cpp_int.hpp>

#include <limits>

namespace dcube::detail {

// No expression templates: `auto x = a + b` is a value.
using Integer = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<>, boost::multiprecision::et_off>;
using Exact = boost::multiprecision::number<boost::multiprecision::cpp_rational_backend, boost::multiprecision::et_off>;

inline Exact exact(const Rational& value)
{
    return Exact(value.numerator) / value.denominator;
}

[[noreturn]] inline void throw_time_overflow()
{
    throw InvalidArgument("a virtual time does not fit in 64 bits: shorter messages, or a smaller tau and beta, do");
}

// Throws InvalidArgument if the value does not fit.
inline Rational to_rational(const Exact& value)
{
    const Integer top = numerator(value);
    const Integer bottom = denominator(value);
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    if (top > most || top < -most || bottom > most)
        throw_time_overflow();
    return {top.convert_to<std::int64_t>(), bottom.convert_to<std::int64_t>()};
}

inline Integer ceiling(const Exact& value)
{
    const Integer quotient = numerator(value) / denominator(value);
    return Exact(quotient) < value ? quotient + 1 : quotient;
}

}  // namespace dcube::detail

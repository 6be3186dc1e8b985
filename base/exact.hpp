#pragma once
// Exact arithmetic of any width, for closed forms and bounds.

#include <dcube/link.hpp>

#include <array>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace dcube::detail {

/// A whole number. Boost's is inside, seen by exact.cpp alone: other files would take seconds more to compile. Values
/// below 2^64 need no allocation. Division rounds towards 0, and throws std::overflow_error if the divisor is 0.
class Integer {
public:
    Integer(std::int64_t value = 0);
    Integer(std::uint64_t value);
    template <std::integral T>
    Integer(T value) : Integer(static_cast<std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>(value))
    {
    }
    explicit Integer(std::string_view digits);

    Integer(const Integer& other);
    Integer(Integer&& other) noexcept;
    Integer& operator=(const Integer& other);
    Integer& operator=(Integer&& other) noexcept;
    ~Integer();

    friend Integer operator+(const Integer& a, const Integer& b);
    friend Integer operator-(const Integer& a, const Integer& b);
    friend Integer operator*(const Integer& a, const Integer& b);
    friend Integer operator/(const Integer& a, const Integer& b);
    friend Integer operator%(const Integer& a, const Integer& b);
    friend Integer operator<<(const Integer& a, unsigned places);

    Integer& operator+=(const Integer& other) { return *this = *this + other; }
    Integer& operator*=(const Integer& other) { return *this = *this * other; }

    friend bool operator==(const Integer& a, const Integer& b);
    friend std::strong_ordering operator<=>(const Integer& a, const Integer& b);

    friend Integer pow(const Integer& base, unsigned exponent);
    friend Integer sqrt(const Integer& value);  ///< rounded down
    friend Integer gcd(const Integer& a, const Integer& b);

    /// Converts to unsigned, std::size_t, std::uint64_t, std::int64_t, if it fits, or to the nearest double.
    template <class T>
    [[nodiscard]] T convert_to() const;

    [[nodiscard]] std::string str() const;

private:
    // Defined where Boost's type is known.
    Integer(std::in_place_t, auto&& value);
    [[nodiscard]] auto& number();
    [[nodiscard]] const auto& number() const;

    alignas(16) std::array<std::byte, 32> number_;
};

/// A fraction in lowest terms, the denominator positive. Throws std::overflow_error if a denominator or divisor is 0.
class Exact {
public:
    Exact() = default;
    template <std::integral T>
    Exact(T value) : numerator_(value)
    {
    }
    Exact(Integer value) : numerator_(std::move(value)) {}
    Exact(const Integer& numerator, const Integer& denominator);

    friend Exact operator+(const Exact& a, const Exact& b);
    friend Exact operator-(const Exact& a, Exact b);
    friend Exact operator*(const Exact& a, const Exact& b);
    friend Exact operator/(const Exact& a, const Exact& b);
    friend Exact operator-(const Exact& value) { return 0 - value; }

    Exact& operator+=(const Exact& other) { return *this = *this + other; }
    Exact& operator-=(const Exact& other) { return *this = *this - other; }
    Exact& operator*=(const Exact& other) { return *this = *this * other; }
    Exact& operator/=(const Exact& other) { return *this = *this / other; }

    friend bool operator==(const Exact& a, const Exact& b) = default;
    friend std::strong_ordering operator<=>(const Exact& a, const Exact& b);

    friend const Integer& numerator(const Exact& value) { return value.numerator_; }
    friend const Integer& denominator(const Exact& value) { return value.denominator_; }

private:
    friend Exact product_of_reduced(Exact a, const Exact& b);

    Integer numerator_ = 0;
    Integer denominator_ = 1;
};

Integer ceiling(const Exact& value);

Exact exact(const Rational& value);

/// Throws InvalidArgument if the value does not fit.
Rational to_rational(const Exact& value);

[[noreturn]] void throw_time_overflow();

}  // namespace dcube::detail

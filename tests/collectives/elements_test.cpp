// Combining: every operation on every type, against the plainest loop, at any alignment and in place.

#include "tests/support/catch.hpp"
#include "tests/support/data.hpp"
#include "tests/support/error_of.hpp"

#include <dcube/elements.hpp>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>

using namespace dcube;
using test_support::bytes_of;

namespace {

template <class T>
T plain(Operation operation, T a, T b)
{
    switch (operation) {
    case Operation::min: return std::min(a, b);
    case Operation::max: return std::max(a, b);
    case Operation::sum:
    case Operation::bit_xor: break;
    }
    if constexpr (std::is_floating_point_v<T>)
        return a + b;
    else if (operation == Operation::sum)
        return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
    else
        return static_cast<T>(a ^ b);
}

template <class T>
T random_value(std::mt19937_64& random)
{
    if constexpr (std::is_floating_point_v<T>)
        return static_cast<T>(static_cast<std::int32_t>(random())) / 8;
    else
        return static_cast<T>(random());
}

/// Combines n elements at odd addresses: into a third place, into a, and into b.
template <class T>
void compare(Operation operation, ElementType type, std::size_t n)
{
    std::mt19937_64 random(n + 1);
    std::vector<T> a(n), b(n), expected(n);
    for (std::size_t i = 0; i < n; ++i) {
        a[i] = random_value<T>(random);
        b[i] = random_value<T>(random);
        expected[i] = plain(operation, a[i], b[i]);
    }
    const std::size_t bytes = n * sizeof(T);
    const Combine combine = combiner(operation, type);
    for (const std::size_t into : {0U, 1U, 2U}) {
        std::vector<std::byte> places[3];
        for (auto& place : places)
            place.assign(bytes + 2, std::byte{0x5a});
        if (bytes != 0) {
            std::memcpy(places[0].data() + 1, a.data(), bytes);
            std::memcpy(places[1].data() + 1, b.data(), bytes);
        }
        combine(places[into].data() + 1, places[0].data() + 1, places[1].data() + 1, bytes);
        CAPTURE(name(operation), name(type), n, into);
        CHECK(std::vector<std::byte>(places[into].begin() + 1, places[into].end() - 1) == bytes_of(expected));
        CHECK(places[into].front() == std::byte{0x5a});
        CHECK(places[into].back() == std::byte{0x5a});
    }
}

template <class T>
void compare_all(ElementType type)
{
    CHECK(size_of(type) == sizeof(T));
    for (const Operation operation : {Operation::sum, Operation::min, Operation::max, Operation::bit_xor})
        for (const std::size_t n : {0U, 1U, 2U, 3U, 7U, 8U, 9U, 15U, 63U, 64U, 65U, 130U, 1000U})
            if (!std::is_floating_point_v<T> || operation != Operation::bit_xor)
                compare<T>(operation, type, n);
}

}  // namespace

TEST_CASE("combine: all operations on all types agree with the plain loop", "[judge]")
{
    compare_all<std::int8_t>(ElementType::int8);
    compare_all<std::int16_t>(ElementType::int16);
    compare_all<std::int32_t>(ElementType::int32);
    compare_all<std::int64_t>(ElementType::int64);
    compare_all<std::uint8_t>(ElementType::uint8);
    compare_all<std::uint16_t>(ElementType::uint16);
    compare_all<std::uint32_t>(ElementType::uint32);
    compare_all<std::uint64_t>(ElementType::uint64);
    compare_all<float>(ElementType::float32);
    compare_all<double>(ElementType::float64);
}

TEST_CASE("combine: signed sums wrap around", "[judge]")
{
    std::int64_t sum = std::numeric_limits<std::int64_t>::max();
    const std::int64_t one = 1;
    auto* const into = reinterpret_cast<std::byte*>(&sum);
    combiner(Operation::sum, ElementType::int64)(into, into, reinterpret_cast<const std::byte*>(&one), 8);
    CHECK(sum == std::numeric_limits<std::int64_t>::min());
}

namespace {

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

// The result for two numbers, by way of whole vectors of them, and of ends of vectors.
template <class T>
BitsOf<T> combined(Operation operation, T a, T b)
{
    constexpr std::size_t n = 23;
    const std::vector<T> left(n, a);
    const std::vector<T> right(n, b);
    std::vector<T> into(n);
    combiner(operation, sizeof(T) == 4 ? ElementType::float32 : ElementType::float64)(
        reinterpret_cast<std::byte*>(into.data()), reinterpret_cast<const std::byte*>(left.data()),
        reinterpret_cast<const std::byte*>(right.data()), n * sizeof(T));
    const auto bits = std::bit_cast<BitsOf<T>>(into.front());
    for (const T one : into)
        CHECK(std::bit_cast<BitsOf<T>>(one) == bits);
    return bits;
}

// IEEE 754-2019, minimum and maximum, written out.
template <class T>
T written_out(Operation operation, T a, T b)
{
    if (std::isnan(a) || std::isnan(b))
        return std::numeric_limits<T>::quiet_NaN();
    if (operation == Operation::sum) {
        const T sum = a + b;
        return std::isnan(sum) ? std::numeric_limits<T>::quiet_NaN() : sum;
    }
    if (a == b)  // two zeros: the one with the sign, or the one without
        return (operation == Operation::min) == std::signbit(a) ? a : b;
    return (operation == Operation::min) == (a < b) ? a : b;
}

template <class T>
void check_special_floats()
{
    using Limits = std::numeric_limits<T>;
    const T marked = std::bit_cast<T>(static_cast<BitsOf<T>>(std::bit_cast<BitsOf<T>>(Limits::quiet_NaN()) | 5));
    const T all[] = {T(0),
                     -T(0),
                     T(1),
                     T(-1),
                     T(2.5),
                     Limits::max(),
                     Limits::lowest(),
                     Limits::min(),
                     -Limits::min(),
                     Limits::denorm_min(),
                     -Limits::denorm_min(),
                     Limits::infinity(),
                     -Limits::infinity(),
                     Limits::quiet_NaN(),
                     -Limits::quiet_NaN(),
                     marked,
                     -marked,
                     Limits::signaling_NaN()};
    for (const Operation operation : {Operation::sum, Operation::min, Operation::max})
        for (const T a : all)
            for (const T b : all) {
                CAPTURE(name(operation), a, b);
                const auto bits = combined(operation, a, b);
                CHECK(bits == combined(operation, b, a));
                CHECK(bits == std::bit_cast<BitsOf<T>>(written_out(operation, a, b)));
            }
}

}  // namespace

TEST_CASE("combine: a not-a-number is carried on with bits of its own, and -0 is smaller than +0", "[judge]")
{
    check_special_floats<float>();
    check_special_floats<double>();
}

TEST_CASE("combine: bit-xor of floats is refused", "[judge][negative]")
{
    for (const ElementType type : {ElementType::float32, ElementType::float64})
        CHECK(test_support::contains(test_support::error_of([&] { combiner(Operation::bit_xor, type); }),
                                     "sum, min and max are allowed"));
}

TEST_CASE("all operations and types are listed in the order of their enumerations", "[judge]")
{
    const auto are_all = [](const auto& listed, const auto& parse) {
        using Value = std::remove_cvref_t<decltype(listed.front())>;
        for (std::size_t i = 0; i < listed.size(); ++i) {
            CHECK(listed[i] == static_cast<Value>(i));
            CHECK(parse(name(listed[i])) == listed[i]);
        }
        CHECK(name(static_cast<Value>(listed.size())) == "unknown");
    };
    are_all(all_operations, parse_operation);
    are_all(all_element_types, parse_element_type);
}

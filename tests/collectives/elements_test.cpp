// Combining: every operation on every type, against the plainest loop, at any alignment and in place.

#include "base/half_floats.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/data.hpp"
#include "tests/support/error_of.hpp"

#include <dcube/elements.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <utility>

using namespace dcube;
using test_support::bytes_of;

namespace {

template <class T>
T plain(Operation operation, T a, T b)
{
    using enum Operation;
    if (operation == min || operation == max)
        return operation == min ? std::min(a, b) : std::max(a, b);
    if constexpr (std::is_floating_point_v<T>) {
        return operation == prod ? a * b : a + b;
    } else {
        if (operation == bit_xor || operation == bit_and || operation == bit_or)
            return static_cast<T>(operation == bit_xor ? a ^ b : operation == bit_and ? a & b : a | b);
        const auto [x, y] = std::pair(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b));
        const int truths = (a != 0 ? 1 : 0) + (b != 0 ? 1 : 0);
        if (operation == logical_and || operation == logical_or || operation == logical_xor)
            return truths == 1 ? operation != logical_and : truths == 2 && operation != logical_xor;
        return static_cast<T>(operation == prod ? x * y : x + y);
    }
}

bool is_possible(Operation operation, bool floats)
{
    using enum Operation;
    if (operation == avg || operation == minloc || operation == maxloc)
        return false;  // not an operation of two elements, or of pairs only
    return !floats || operation == sum || operation == prod || operation == min || operation == max;
}

template <class T>
T random_value(std::mt19937_64& random)
{
    if constexpr (std::is_floating_point_v<T>)
        return static_cast<T>(static_cast<std::int32_t>(random())) / 8;
    else
        return random() % 4 == 0 ? T{} : static_cast<T>(random());
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
    for (const Operation operation : all_operations)
        for (const std::size_t n : {0U, 1U, 2U, 3U, 7U, 8U, 9U, 15U, 63U, 64U, 65U, 130U, 1000U})
            if (is_possible(operation, std::is_floating_point_v<T>))
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

namespace {

/// All finite values of a 16-bit type, ascending, with their bits; of the two zeros the positive one.
template <class Half>
std::vector<std::pair<double, std::uint16_t>> all_halves()
{
    std::vector<std::pair<double, std::uint16_t>> all;
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
        const auto value = static_cast<double>(Half::value(static_cast<std::uint16_t>(bits)));
        if (std::isfinite(value) && bits != 0x8000)
            all.emplace_back(value, static_cast<std::uint16_t>(bits));
    }
    std::ranges::sort(all);
    return all;
}

/// The nearest of them, of two the one whose last bit is 0; for values that are not too large.
std::uint16_t nearest(const std::vector<std::pair<double, std::uint16_t>>& all, double exact)
{
    const auto above = std::ranges::lower_bound(all, exact, {}, &std::pair<double, std::uint16_t>::first);
    if (above == all.begin() || above->first == exact)
        return above->second;
    const auto below = std::prev(above);
    const double up = above->first - exact;
    const double down = exact - below->first;
    if (up == down)
        return above->second % 2 == 0 ? above->second : below->second;
    return up < down ? above->second : below->second;
}

template <class Half>
void check_halves(ElementType type)
{
    CHECK(size_of(type) == 2);
    CHECK(is_float(type));
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
        const float value = Half::value(static_cast<std::uint16_t>(bits));
        if (!std::isnan(value))
            CHECK(Half::bits(value) == bits);
        else
            CHECK(std::isnan(Half::value(Half::bits(value))));
    }
    CHECK(Half::value(Half::one) == 1);
    const auto all = all_halves<Half>();
    std::mt19937_64 random(5);
    const auto some = [&] { return all[random() % all.size()]; };
    for (int i = 0; i < 100'000; ++i) {
        const auto [x, x_bits] = some();
        const auto [y, y_bits] = some();
        for (const Operation operation : {Operation::sum, Operation::prod, Operation::min, Operation::max}) {
            const double exact = operation == Operation::sum    ? x + y
                                 : operation == Operation::prod ? x * y
                                 : operation == Operation::min  ? std::min(x, y)
                                                                : std::max(x, y);
            if (std::abs(exact) > all.back().first || std::abs(exact) < std::abs(all[all.size() / 2 + 1].first) * 1024)
                continue;
            std::uint16_t result = 0;
            combiner(operation, type)(reinterpret_cast<std::byte*>(&result),
                                      reinterpret_cast<const std::byte*>(&x_bits),
                                      reinterpret_cast<const std::byte*>(&y_bits), 2);
            CAPTURE(x, y, name(operation));
            CHECK(result == nearest(all, exact));
        }
    }
}

}  // namespace

TEST_CASE("combine: 16-bit floats are rounded once, to nearest and ties to even", "[judge]")
{
    check_halves<detail::Float16>(ElementType::float16);
    check_halves<detail::Bfloat16>(ElementType::bfloat16);
}

TEST_CASE("combine: minloc and maxloc give a pair, of equal numbers that of the smaller place", "[judge]")
{
    const auto combined = [](Operation operation, ElementType type, const auto& a, const auto& b) {
        auto both = a;
        combiner(operation, type)(reinterpret_cast<std::byte*>(&both), reinterpret_cast<const std::byte*>(&a),
                                  reinterpret_cast<const std::byte*>(&b), sizeof both);
        auto turned = a;
        combiner(operation, type)(reinterpret_cast<std::byte*>(&turned), reinterpret_cast<const std::byte*>(&b),
                                  reinterpret_cast<const std::byte*>(&a), sizeof both);
        CHECK(std::memcmp(&both, &turned, sizeof both) == 0);  // they commute, to the bit
        return both.place;
    };
    struct Whole {
        std::int64_t value;
        std::int64_t place;
    };
    struct Real {
        double value;
        std::int64_t place;
    };
    static_assert(sizeof(Whole) == 16 && sizeof(Real) == 16);
    using enum Operation;
    CHECK(size_of(ElementType::int64_int64) == 16);
    CHECK(combined(minloc, ElementType::int64_int64, Whole{3, 1}, Whole{-2, 5}) == 5);
    CHECK(combined(maxloc, ElementType::int64_int64, Whole{3, 1}, Whole{-2, 5}) == 1);
    for (const Operation operation : {minloc, maxloc}) {
        CHECK(combined(operation, ElementType::int64_int64, Whole{3, 7}, Whole{3, -4}) == -4);
        CHECK(combined(operation, ElementType::double_int64, Real{0.5, 7}, Real{0.5, 4}) == 4);
        const double nan = std::numeric_limits<double>::quiet_NaN();
        CHECK(combined(operation, ElementType::double_int64, Real{0.5, 1}, Real{nan, 4}) == 4);
        CHECK(combined(operation, ElementType::double_int64, Real{-nan, 9}, Real{nan, 4}) == 4);
    }
    CHECK(combined(minloc, ElementType::double_int64, Real{0.0, 1}, Real{-0.0, 4}) == 4);
    CHECK(combined(maxloc, ElementType::double_int64, Real{0.0, 1}, Real{-0.0, 4}) == 1);
    for (const ElementType type : all_element_types)
        for (const Operation operation : all_operations)
            if (is_pair(type) != (operation == minloc || operation == maxloc))
                CHECK(test_support::contains(test_support::error_of([&] { combiner(operation, type); }),
                                             "minloc and maxloc are for int64-int64 and double-int64"));
}

TEST_CASE("combine: operations on bits and truth of floats are refused, and averages of two elements",
          "[judge][negative]")
{
    using enum Operation;
    for (const ElementType type :
         {ElementType::float32, ElementType::float64, ElementType::float16, ElementType::bfloat16})
        for (const Operation operation : {bit_xor, bit_and, bit_or, logical_and, logical_or, logical_xor})
            CHECK(test_support::error_of([&] { combiner(operation, type); }) ==
                  std::string(name(operation)) + " of " + std::string(name(type)) +
                      " elements is not possible: sum, prod, min, max and avg are allowed for them, and " +
                      std::string(name(operation)) + " for integers");
    for (const ElementType type : all_element_types)
        if (!is_pair(type))
            CHECK(test_support::contains(test_support::error_of([&] { combiner(avg, type); }), "avg of two elements"));
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

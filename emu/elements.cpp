// Combining packets in reductions: one loop for every operation and element type.

#include <dcube/elements.hpp>
#include <dcube/error.hpp>

#include "base/half_floats.hpp"
#include "base/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>

namespace dcube {

namespace {

// dcube's own name first, then those of MPI and NCCL.
constexpr Spelling<Operation> operation_spellings[] = {
    {Operation::sum, "sum"},
    {Operation::sum, "MPI_SUM"},
    {Operation::sum, "ncclSum"},
    {Operation::min, "min"},
    {Operation::min, "MPI_MIN"},
    {Operation::min, "ncclMin"},
    {Operation::max, "max"},
    {Operation::max, "MPI_MAX"},
    {Operation::max, "ncclMax"},
    {Operation::bit_xor, "bit-xor"},
    {Operation::bit_xor, "xor"},
    {Operation::bit_xor, "bxor"},
    {Operation::bit_xor, "MPI_BXOR"},
    {Operation::prod, "prod"},
    {Operation::prod, "MPI_PROD"},
    {Operation::prod, "ncclProd"},
    {Operation::bit_and, "bit-and"},
    {Operation::bit_and, "band"},
    {Operation::bit_and, "MPI_BAND"},
    {Operation::bit_or, "bit-or"},
    {Operation::bit_or, "bor"},
    {Operation::bit_or, "MPI_BOR"},
    {Operation::logical_and, "logical-and"},
    {Operation::logical_and, "land"},
    {Operation::logical_and, "MPI_LAND"},
    {Operation::logical_or, "logical-or"},
    {Operation::logical_or, "lor"},
    {Operation::logical_or, "MPI_LOR"},
    {Operation::logical_xor, "logical-xor"},
    {Operation::logical_xor, "lxor"},
    {Operation::logical_xor, "MPI_LXOR"},
    {Operation::avg, "avg"},
    {Operation::avg, "ncclAvg"},
    {Operation::minloc, "minloc"},
    {Operation::minloc, "MPI_MINLOC"},
    {Operation::maxloc, "maxloc"},
    {Operation::maxloc, "MPI_MAXLOC"},
};

// MPI's long has 64 bits, as it has on Linux.
constexpr Spelling<ElementType> type_spellings[] = {
    {ElementType::int8, "int8"},
    {ElementType::int8, "MPI_INT8_T"},
    {ElementType::int8, "MPI_SIGNED_CHAR"},
    {ElementType::int8, "ncclInt8"},
    {ElementType::int8, "ncclChar"},
    {ElementType::int16, "int16"},
    {ElementType::int16, "MPI_INT16_T"},
    {ElementType::int16, "MPI_SHORT"},
    {ElementType::int32, "int32"},
    {ElementType::int32, "MPI_INT32_T"},
    {ElementType::int32, "MPI_INT"},
    {ElementType::int32, "ncclInt32"},
    {ElementType::int32, "ncclInt"},
    {ElementType::int64, "int64"},
    {ElementType::int64, "MPI_INT64_T"},
    {ElementType::int64, "MPI_LONG"},
    {ElementType::int64, "MPI_LONG_LONG"},
    {ElementType::int64, "MPI_LONG_LONG_INT"},
    {ElementType::int64, "ncclInt64"},
    {ElementType::uint8, "uint8"},
    {ElementType::uint8, "MPI_UINT8_T"},
    {ElementType::uint8, "MPI_UNSIGNED_CHAR"},
    {ElementType::uint8, "MPI_BYTE"},
    {ElementType::uint8, "ncclUint8"},
    {ElementType::uint16, "uint16"},
    {ElementType::uint16, "MPI_UINT16_T"},
    {ElementType::uint16, "MPI_UNSIGNED_SHORT"},
    {ElementType::uint32, "uint32"},
    {ElementType::uint32, "MPI_UINT32_T"},
    {ElementType::uint32, "MPI_UNSIGNED"},
    {ElementType::uint32, "ncclUint32"},
    {ElementType::uint64, "uint64"},
    {ElementType::uint64, "MPI_UINT64_T"},
    {ElementType::uint64, "MPI_UNSIGNED_LONG"},
    {ElementType::uint64, "MPI_UNSIGNED_LONG_LONG"},
    {ElementType::uint64, "ncclUint64"},
    {ElementType::float32, "float"},
    {ElementType::float32, "float32"},
    {ElementType::float32, "MPI_FLOAT"},
    {ElementType::float32, "ncclFloat32"},
    {ElementType::float32, "ncclFloat"},
    {ElementType::float64, "double"},
    {ElementType::float64, "float64"},
    {ElementType::float64, "MPI_DOUBLE"},
    {ElementType::float64, "ncclFloat64"},
    {ElementType::float64, "ncclDouble"},
    {ElementType::float16, "float16"},
    {ElementType::float16, "half"},
    {ElementType::float16, "ncclFloat16"},
    {ElementType::float16, "ncclHalf"},
    {ElementType::bfloat16, "bfloat16"},
    {ElementType::bfloat16, "ncclBfloat16"},
    {ElementType::int64_int64, "int64-int64"},
    {ElementType::double_int64, "double-int64"},
};

// Whole numbers.

struct Sum {
    template <class T>
    static T apply(T a, T b)
    {
        // Unsigned arithmetic wraps around by definition; narrow types are widened first, so nothing overflows.
        using Wide = std::conditional_t<(sizeof(T) < sizeof(unsigned)), unsigned, std::make_unsigned_t<T>>;
        return static_cast<T>(static_cast<Wide>(a) + static_cast<Wide>(b));
    }
};

struct Product {
    template <class T>
    static T apply(T a, T b)
    {
        using Wide = std::conditional_t<(sizeof(T) < sizeof(unsigned)), unsigned, std::make_unsigned_t<T>>;
        return static_cast<T>(static_cast<Wide>(a) * static_cast<Wide>(b));
    }
};

struct Min {
    template <class T>
    static T apply(T a, T b)
    {
        return b < a ? b : a;
    }
};

struct Max {
    template <class T>
    static T apply(T a, T b)
    {
        return a < b ? b : a;
    }
};

struct Xor {
    template <class T>
    static T apply(T a, T b)
    {
        return static_cast<T>(a ^ b);
    }
};

struct And {
    template <class T>
    static T apply(T a, T b)
    {
        return static_cast<T>(a & b);
    }
};

struct Or {
    template <class T>
    static T apply(T a, T b)
    {
        return static_cast<T>(a | b);
    }
};

struct LogicalAnd {
    template <class T>
    static T apply(T a, T b)
    {
        return static_cast<T>(a != 0 && b != 0);
    }
};

struct LogicalOr {
    template <class T>
    static T apply(T a, T b)
    {
        return static_cast<T>(a != 0 || b != 0);
    }
};

struct LogicalXor {
    template <class T>
    static T apply(T a, T b)
    {
        return static_cast<T>((a != 0) != (b != 0));
    }
};

// Floats, several at a time in a vector, where a condition chooses for each of them without a branch. Whether a + b has
// the not-a-number of a or that of b is chance, so both are replaced by one that is always the same.

template <class T>
struct VectorOf {
    typedef T Type [[gnu::vector_size(16)]];
};
template <class T>
using Floats = typename VectorOf<T>::Type;

template <class T>
Floats<T> with_one_nan(Floats<T> x)
{
    return x == x ? x : Floats<T>{} + std::numeric_limits<T>::quiet_NaN();
}

struct FloatSum {
    template <class T>
    static Floats<T> apply(Floats<T> a, Floats<T> b)
    {
        return with_one_nan<T>(a + b);
    }
};

struct FloatProduct {
    template <class T>
    static Floats<T> apply(Floats<T> a, Floats<T> b)
    {
        return with_one_nan<T>(a * b);
    }
};

/// The two choices are the same element, but for zeros and not-a-numbers: there they are a and b. Then the bits of both
/// together are those of -0 if one is -0, and of a not-a-number if one is one.
template <class T>
Floats<T> bits_of_smaller(Floats<T> a, Floats<T> b)
{
    using Bits = decltype(a < b);
    return reinterpret_cast<Floats<T>>(reinterpret_cast<Bits>(b < a ? b : a) | reinterpret_cast<Bits>(a < b ? a : b));
}

struct FloatMin {
    template <class T>
    static Floats<T> apply(Floats<T> a, Floats<T> b)
    {
        return with_one_nan<T>(bits_of_smaller<T>(a, b));
    }
};

struct FloatMax {
    template <class T>
    static Floats<T> apply(Floats<T> a, Floats<T> b)
    {
        return with_one_nan<T>(-bits_of_smaller<T>(-a, -b));
    }
};

/// A stretch of fixed size goes through local arrays: that needs no alignment, allows `into` to be an operand, and lets
/// the compiler unroll the loop into vector instructions without asking whether the operands overlap.
template <class Op, class T, std::size_t bytes>
void combine_stretch(std::byte* into, const std::byte* a, const std::byte* b)
{
    if constexpr (std::is_floating_point_v<T>) {
        constexpr std::size_t size = std::min(bytes, sizeof(Floats<T>));
        for (std::size_t at = 0; at < bytes; at += size) {
            Floats<T> x{};
            Floats<T> y{};
            std::memcpy(&x, a + at, size);
            std::memcpy(&y, b + at, size);
            x = Op::template apply<T>(x, y);
            std::memcpy(into + at, &x, size);
        }
    } else {
        constexpr std::size_t n = bytes / sizeof(T);
        T x[n];
        T y[n];
        std::memcpy(x, a, bytes);
        std::memcpy(y, b, bytes);
        for (std::size_t i = 0; i < n; ++i)
            x[i] = Op::apply(x[i], y[i]);
        std::memcpy(into, x, bytes);
    }
}

template <class Op, class T>
void combine(std::byte* into, const std::byte* a, const std::byte* b, std::size_t bytes)
{
    std::size_t at = 0;
    for (; bytes - at >= 64; at += 64)
        combine_stretch<Op, T, 64>(into + at, a + at, b + at);
    for (; bytes - at >= 8; at += 8)
        combine_stretch<Op, T, 8>(into + at, a + at, b + at);
    for (; bytes - at >= sizeof(T); at += sizeof(T))
        combine_stretch<Op, T, sizeof(T)>(into + at, a + at, b + at);
}

// 16-bit floats, one after the other: what a vector of floats does with them, rounded.
template <class FloatOp, class Half>
void combine_halves(std::byte* into, const std::byte* a, const std::byte* b, std::size_t bytes)
{
    for (std::size_t at = 0; at < bytes; at += sizeof(std::uint16_t)) {
        std::uint16_t x;
        std::uint16_t y;
        std::memcpy(&x, a + at, sizeof x);
        std::memcpy(&y, b + at, sizeof y);
        const Floats<float> result =
            FloatOp::template apply<float>(Floats<float>{Half::value(x)}, Floats<float>{Half::value(y)});
        x = Half::bits(result[0]);
        std::memcpy(into + at, &x, sizeof x);
    }
}

template <class T>
struct Placed {
    T value;
    std::int64_t place;
};

enum class Wanted : std::uint8_t { smaller, larger };

// Whether a's number is the wanted one, if that can be said; a not-a-number is, and of the zeros -0 is smaller.
template <Wanted wanted, class T>
std::optional<bool> is_wanted(T a, T b)
{
    if constexpr (std::is_floating_point_v<T>) {
        if (a != a || b != b)
            return (a != a) == (b != b) ? std::nullopt : std::optional(a != a);
        if (a == b && std::signbit(a) != std::signbit(b))
            return std::signbit(a) == (wanted == Wanted::smaller);
    }
    return a == b ? std::nullopt : std::optional((a < b) == (wanted == Wanted::smaller));
}

template <Wanted wanted, class T>
void combine_pairs(std::byte* into, const std::byte* a, const std::byte* b, std::size_t bytes)
{
    for (std::size_t at = 0; at < bytes; at += sizeof(Placed<T>)) {
        Placed<T> x;
        Placed<T> y;
        std::memcpy(&x, a + at, sizeof x);
        std::memcpy(&y, b + at, sizeof y);
        if (!is_wanted<wanted>(x.value, y.value).value_or(x.place < y.place))
            x = y;
        if (x.value != x.value)
            x.value = std::numeric_limits<T>::quiet_NaN();
        std::memcpy(into + at, &x, sizeof x);
    }
}

template <Wanted wanted>
Combine loop_of_pairs(ElementType type)
{
    return type == ElementType::int64_int64 ? combine_pairs<wanted, std::int64_t> : combine_pairs<wanted, double>;
}

template <class Op>
Combine integer_loop(ElementType type)
{
    switch (type) {
    case ElementType::int8: return combine<Op, std::int8_t>;
    case ElementType::int16: return combine<Op, std::int16_t>;
    case ElementType::int32: return combine<Op, std::int32_t>;
    case ElementType::int64: return combine<Op, std::int64_t>;
    case ElementType::uint8: return combine<Op, std::uint8_t>;
    case ElementType::uint16: return combine<Op, std::uint16_t>;
    case ElementType::uint32: return combine<Op, std::uint32_t>;
    case ElementType::uint64: return combine<Op, std::uint64_t>;
    case ElementType::float32:
    case ElementType::float64:
    case ElementType::float16:
    case ElementType::bfloat16:
    case ElementType::int64_int64:
    case ElementType::double_int64: break;
    }
    return nullptr;
}

template <class Op, class FloatOp>
Combine loop(ElementType type)
{
    if (type == ElementType::float32)
        return combine<FloatOp, float>;
    if (type == ElementType::float64)
        return combine<FloatOp, double>;
    if (type == ElementType::float16)
        return combine_halves<FloatOp, detail::Float16>;
    if (type == ElementType::bfloat16)
        return combine_halves<FloatOp, detail::Bfloat16>;
    return integer_loop<Op>(type);
}

}  // namespace

std::string_view name(Operation operation)
{
    return name_of(operation_spellings, operation);
}

std::string_view name(ElementType type)
{
    return name_of(type_spellings, type);
}

std::string_view name(Comparison comparison)
{
    switch (comparison) {
    case Comparison::bytes: return "every byte";
    case Comparison::rounding: return "within rounding";
    case Comparison::own: return "as the operation says";
    }
    return {};
}

Operation parse_operation(std::string_view text)
{
    return parsed(operation_spellings, text, "an operation");
}

ElementType parse_element_type(std::string_view text)
{
    return parsed(type_spellings, text, "an element type");
}

std::size_t size_of(ElementType type)
{
    switch (type) {
    case ElementType::int8:
    case ElementType::uint8: return 1;
    case ElementType::int16:
    case ElementType::uint16:
    case ElementType::float16:
    case ElementType::bfloat16: return 2;
    case ElementType::int32:
    case ElementType::uint32:
    case ElementType::float32: return 4;
    case ElementType::int64:
    case ElementType::uint64:
    case ElementType::float64: return 8;
    case ElementType::int64_int64:
    case ElementType::double_int64: return 16;
    }
    return 1;
}

bool is_float(ElementType type)
{
    return type >= ElementType::float32 && type <= ElementType::bfloat16;
}

bool is_pair(ElementType type)
{
    return type >= ElementType::int64_int64;
}

namespace {

// The loop of an operation that only whole numbers have.
template <class Op>
Combine integers_only(Operation operation, ElementType type)
{
    if (is_float(type))
        throw InvalidArgument(
            fmt::format("{0} of {1} elements is not possible: sum, prod, min, max and avg are allowed "
                        "for them, and {0} for integers",
                        name(operation), name(type)));
    return integer_loop<Op>(type);
}

}  // namespace

Combine combiner(Operation operation, ElementType type)
{
    const bool of_pairs = operation == Operation::minloc || operation == Operation::maxloc;
    if (of_pairs != is_pair(type))
        throw InvalidArgument(
            fmt::format("{} of {} elements is not possible: minloc and maxloc are for int64-int64 and "
                        "double-int64, and nothing else is",
                        name(operation), name(type)));
    switch (operation) {
    case Operation::sum: return loop<Sum, FloatSum>(type);
    case Operation::min: return loop<Min, FloatMin>(type);
    case Operation::max: return loop<Max, FloatMax>(type);
    case Operation::prod: return loop<Product, FloatProduct>(type);
    case Operation::bit_xor: return integers_only<Xor>(operation, type);
    case Operation::bit_and: return integers_only<And>(operation, type);
    case Operation::bit_or: return integers_only<Or>(operation, type);
    case Operation::logical_and: return integers_only<LogicalAnd>(operation, type);
    case Operation::logical_or: return integers_only<LogicalOr>(operation, type);
    case Operation::logical_xor: return integers_only<LogicalXor>(operation, type);
    case Operation::minloc: return loop_of_pairs<Wanted::smaller>(type);
    case Operation::maxloc: return loop_of_pairs<Wanted::larger>(type);
    case Operation::avg: break;
    }
    throw InvalidArgument("avg of two elements is not possible: collectives divide a sum once, in the end");
}

}  // namespace dcube

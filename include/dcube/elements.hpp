#pragma once
/// @file
/// Elements: what messages are made of where they are combined, and how two of them become one.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#pragma GCC visibility push(default)
namespace dcube {

/// @addtogroup collective
/// @{

/// How two elements become one in a reduction.
///
/// Floats are added by the rules of IEEE 754. Their min and max are minimum and maximum of its edition of 2019: -0 is
/// smaller than +0, and the result is not a number if one of the two is not. A result that is not a number has the bits
/// that C++ calls quiet NaN, whatever those of the operands: so a op b and b op a have the same bits.
enum class Operation : std::uint8_t {
    sum,          ///< a + b
    min,          ///< the smaller
    max,          ///< the larger
    bit_xor,      ///< bit by bit, of whole numbers
    prod,         ///< a b
    bit_and,      ///< bit by bit, of whole numbers
    bit_or,       ///< bit by bit, of whole numbers
    logical_and,  ///< 1 if both are not 0, else 0; of whole numbers
    logical_or,   ///< 1 if one of them is not 0, else 0; of whole numbers
    logical_xor,  ///< 1 if exactly one of them is not 0, else 0; of whole numbers
    avg,          ///< of floats: their sum, which every node that gets it divides once, in the end, by the members
    minloc,       ///< of pairs: that of the smaller number, of equal ones that of the smaller place
    maxloc,       ///< of pairs: that of the larger number, of equal ones that of the smaller place
};

/// All operations, in the enumeration's order.
inline constexpr std::array all_operations{
    Operation::sum,     Operation::min,    Operation::max,         Operation::bit_xor,    Operation::prod,
    Operation::bit_and, Operation::bit_or, Operation::logical_and, Operation::logical_or, Operation::logical_xor,
    Operation::avg,     Operation::minloc, Operation::maxloc};

/// The types of elements that dcube can combine: whole numbers with and without sign, floats, and pairs of a number and
/// its place.
enum class ElementType : std::uint8_t {
    int8,          ///< 1 byte, with sign
    int16,         ///< 2 bytes, with sign
    int32,         ///< 4 bytes, with sign
    int64,         ///< 8 bytes, with sign
    uint8,         ///< 1 byte, without sign
    uint16,        ///< 2 bytes, without sign
    uint32,        ///< 4 bytes, without sign
    uint64,        ///< 8 bytes, without sign
    float32,       ///< 4 bytes: float
    float64,       ///< 8 bytes: double
    float16,       ///< 2 bytes: IEEE's binary16; every combination is rounded once
    bfloat16,      ///< 2 bytes: the upper half of a float; every combination is rounded once
    int64_int64,   ///< 16 bytes: a number and its place, both int64
    double_int64,  ///< 16 bytes: a double and its place, an int64
};

/// All types of elements, in the enumeration's order.
inline constexpr std::array all_element_types{ElementType::int8,        ElementType::int16,       ElementType::int32,
                                              ElementType::int64,       ElementType::uint8,       ElementType::uint16,
                                              ElementType::uint32,      ElementType::uint64,      ElementType::float32,
                                              ElementType::float64,     ElementType::float16,     ElementType::bfloat16,
                                              ElementType::int64_int64, ElementType::double_int64};

/// The operation as the command line and reports spell it: "sum", "min", "max", "bit-xor", "logical-and".
std::string_view name(Operation operation);
/// The type as the command line and reports spell it: "int32", "float" (32 bits), "double" (64 bits).
std::string_view name(ElementType type);
/// The operation of that name. Throws InvalidArgument, with the names there are.
Operation parse_operation(std::string_view text);
/// The type of that name. Throws InvalidArgument, with the names there are.
ElementType parse_element_type(std::string_view text);
/// Bytes of one element: 1, 2, 4, 8 or 16.
std::size_t size_of(ElementType type);
/// True of numbers with a fraction.
bool is_float(ElementType type);
/// True of a number with its place, which minloc and maxloc combine, and nothing else does.
bool is_pair(ElementType type);

/// A function that combines elements: into[i] = a[i] op b[i] over whole elements; `into` may be `a` or `b`. Integers
/// wrap around (signed sums and products too) modulo 2^bits; floats are combined as Operation says.
using Combine = void (*)(std::byte* into, const std::byte* a, const std::byte* b, std::size_t bytes);
/// The function for an operation on elements of a type. Throws InvalidArgument for operations on bits and logical ones
/// of floats, for any but minloc and maxloc of pairs, and for avg, which is no function of two elements (combiner(const
/// Problem&) gives its sum's).
Combine combiner(Operation operation, ElementType type);

/// An operation of the caller's own, for reductions (Problem::own_operation), on elements of any kind: into[i] = a[i]
/// op b[i] as in Combine, called on several threads at once for whole elements, which need not be aligned. It must be
/// associative, for sums are made in parts. It needs no identity: every node has a share. Where a op b and b op a have
/// the same bits, so have all nodes' results by an algorithm that promises it (Algorithm::same_bits).
struct OwnOperation {
    std::string name{};         ///< in reports and errors
    Combine combine = nullptr;  ///< a lambda that captures nothing will do
    std::size_t element = 1;    ///< bytes of one element; packets hold whole ones
    bool commutative = true;    ///< false: only algorithms that combine in the order of the nodes can do it
    /// Whether a result is as it should be, where more than one is right (sums of floats round); null: byte for byte.
    bool (*same)(const std::byte* expected, const std::byte* found, std::size_t bytes) = nullptr;
};

/// How a result was compared with the expected one.
enum class Comparison : std::uint8_t {
    bytes,     ///< every byte
    rounding,  ///< sums and products of floats that a caller gave, and of 16-bit ones: each within the rounding of its
               ///< additions or multiplications, in whatever order
    own,       ///< by OwnOperation::same
};
/// The comparison in words, for reports: "every byte", "within rounding", "as the operation says".
std::string_view name(Comparison comparison);

/// @}

}  // namespace dcube
#pragma GCC visibility pop

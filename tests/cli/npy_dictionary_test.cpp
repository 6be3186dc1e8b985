// The dictionary in the header of a .npy file: every form that NumPy may write is read, malformed ones are refused in
// one line.

#include "tests/support/catch.hpp"
#include "tests/support/npy_files.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <utility>

using namespace dcube;
using namespace dcube::test;

namespace {

std::string with_shape(const std::string& shape, std::size_t bytes)
{
    return npy_file(1, "{'descr': '<i2', 'fortran_order': False, 'shape': " + shape + ", }\n", std::string(bytes, 'x'));
}

std::string with_descr(const std::string& descr, std::size_t bytes)
{
    return npy_file(1, "{'descr': " + descr + ", 'fortran_order': False, 'shape': (2,), }\n", std::string(bytes, 'x'));
}

}  // namespace

TEST_CASE("npy dictionary: any order, spacing and quotes are read, padded or not", "[cli]")
{
    const Shape two = {2};
    check_npy_read(npy_with("{'descr':'<i2','fortran_order':False,'shape':(2,)}"), ElementType::int16, two);
    check_npy_read(npy_with("{\"shape\": (2,), \"descr\": \"<u2\", \"fortran_order\": True}"), ElementType::uint16, two,
                   true);
    check_npy_read(npy_with(" \t{ 'fortran_order' :False , 'shape':( 2 , ),\n\t'descr'\n:\r\n'<i2'\f,}\n\n  "),
                   ElementType::int16, two);
    check_npy_read(with_shape("(1, 2)", 4), ElementType::int16, {1, 2});
    check_npy_read(with_shape("(1, 2,)", 4), ElementType::int16, {1, 2});
    check_npy_read(with_shape("( )", 2), ElementType::int16, {});
    check_npy_read(with_shape("(0, 18446744073709551615)", 0).replace(21, 3, "|i1"), ElementType::int8,
                   {0, 18446744073709551615U});
}

TEST_CASE("npy dictionary: every spelling of little-endian descriptors is read", "[cli]")
{
    for (const char* const order : {"|", "<", "="}) {
        check_npy_read(with_descr(fmt::format("'{}i1'", order), 2), ElementType::int8, {2});
        check_npy_read(with_descr(fmt::format("'{}u1'", order), 2), ElementType::uint8, {2});
    }
    for (const char* const order : {"<", "="}) {
        check_npy_read(with_descr(fmt::format("'{}i2'", order), 4), ElementType::int16, {2});
        check_npy_read(with_descr(fmt::format("'{}u2'", order), 4), ElementType::uint16, {2});
        check_npy_read(with_descr(fmt::format("'{}i4'", order), 8), ElementType::int32, {2});
        check_npy_read(with_descr(fmt::format("'{}u4'", order), 8), ElementType::uint32, {2});
        check_npy_read(with_descr(fmt::format("'{}i8'", order), 16), ElementType::int64, {2});
        check_npy_read(with_descr(fmt::format("'{}u8'", order), 16), ElementType::uint64, {2});
        check_npy_read(with_descr(fmt::format("'{}f4'", order), 8), ElementType::float32, {2});
        check_npy_read(with_descr(fmt::format("'{}f8'", order), 16), ElementType::float64, {2});
    }
}

TEST_CASE("npy dictionary: other element types are refused by name", "[cli][negative]")
{
    const std::pair<const char*, const char*> cases[] = {
        {"'>i2'", "'>i2', big-endian: little-endian i1, i2,"},
        {"'>f8'", "big-endian"},
        {"'>i1'", "big-endian"},
        {"'|b1'", "'|b1', truth values: little-endian"},
        {"'?'", "truth values"},
        {"'<c8'", "complex numbers"},
        {"'<c16'", "complex numbers"},
        {"'|O'", "objects"},
        {"'O'", "objects"},
        {"'<e'", "16-bit floats"},
        {"'<f16'", "its elements are '<f16': little-endian"},
        {"'<U5'", "texts"},
        {"'|S3'", "texts"},
        {"'|V8'", "raw bytes"},
        {"'<M8[ns]'", "points in time"},
        {"'<m8[s]'", "durations"},
        {"'|i2'", "'|i2': little-endian"},
        {"'<i3'", "'<i3': "},
        {"'<i2 '", "'<i2 ': "},
        {"'i2'", "'i2': "},
        {"''", "its elements are '': "},
        {"'<'", "its elements are '<': "},
        {"'\x1b[31m\n\xff'", "its elements are '?[31m?"
                             "?': "},
        {"[('a', '<i2'), ('b', '<f4')]", "records"},
        {"[]", "records"},
        {"('<i2', (2,))", "arrays"},
        {"None", "a string in quotes is expected before 'None, 'fortran_order'"},
        {"<i2", "a string in quotes is expected"},
        {"u'<i2'", "a string in quotes is expected"},
    };
    for (const auto& [descr, part] : cases) {
        CAPTURE(descr);
        check_npy_refused(with_descr(descr, 4), part);
    }
}

TEST_CASE("npy dictionary: malformed shapes are refused", "[cli][negative]")
{
    const std::pair<const char*, const char*> cases[] = {
        {"(2)", "(3,)"},
        {"2", "'(' is expected before '2, }"},
        {"[2]", "'(' is expected"},
        {"(-2,)", "whole numbers: '-2,), }?'"},
        {"(+2,)", "whole numbers"},
        {"(2.0,)", "(3,)"},
        {"(1, 2.5)", "')' is expected before '.5)"},
        {"(2L)", "(3,)"},
        {"(2LL,)", "(3,)"},
        {"(2l,)", "(3,)"},
        {"(L,)", "whole numbers"},
        {"(0x2,)", "(3,)"},
        {"(02,)", "whole numbers"},
        {"(,)", "whole numbers"},
        {"(2,,)", "whole numbers"},
        {"((2,),)", "whole numbers"},
        {"(1 2)", "(3,)"},
        {"('2',)", "whole numbers"},
        {"(None,)", "whole numbers"},
        {"(2", "whole numbers: '}"},
        {"(2,", "whole numbers"},
        {"(1, 2", "whole numbers: '}"},
        {"(18446744073709551616,)", "too large, 2^64 or more: '18446744073709551616,"},
        {"(99999999999999999999999999, 0)", "too large"},
        {"(9223372036854775808,)", "more than 2^64"},
        {"(4294967296, 2147483648)", "4 bytes follow the header, where its shape and type make more than 2^64"},
        {"(0, 4294967296, 4294967296)", "more than 2^64"},
        {"(4294967296, 4294967296, 0)", "more than 2^64"},
        {"(9223372036854775807,)", "make 18446744073709551614: the file is cut off"},
        {"(0,)", "4 bytes follow the header, where its shape and type make 0: nothing may follow the elements"},
        {"()", "make 2: nothing may follow"},
        {"(3,)", "4 bytes follow the header, where its shape and type make 6: the file is cut off"},
    };
    for (const auto& [shape, part] : cases) {
        CAPTURE(shape);
        check_npy_refused(with_shape(shape, 4), part);
    }
    std::string sides;
    for (int i = 0; i < 32; ++i)
        sides += "1, ";
    check_npy_read(with_shape("(" + sides + ")", 2), ElementType::int16, Shape(32, 1));
    check_npy_refused(with_shape("(" + sides + "1)", 2), "more than 32 dimensions");
}

TEST_CASE("npy dictionary: malformed dictionaries are refused", "[cli][negative]")
{
    const std::string descr = "'descr': '<i2'";
    const std::string order = "'fortran_order': False";
    const std::string shape = "'shape': (2,)";
    const auto joined = [](const std::string& a, const std::string& b, const std::string& c) {
        return "{" + a + ", " + b + ", " + c + "}";
    };
    REQUIRE(npy_complaint(npy_with(joined(descr, order, shape))) == "accepted");
    const std::pair<std::string, const char*> cases[] = {
        {"", "'{' is expected where it ends"},
        {"   \n", "'{' is expected where it ends"},
        {"{", "a string in quotes is expected where it ends"},
        {"{}", "lacks some of descr, fortran_order and shape"},
        {"{,}", "a string in quotes is expected before ',}'"},
        {"{" + descr + ", " + order + "}", "lacks some of"},
        {"{" + descr + ", " + shape + "}", "lacks some of"},
        {"{" + order + ", " + shape + "}", "lacks some of"},
        {joined(descr, descr, shape), "the header has descr twice"},
        {joined(order, order, shape), "the header has fortran_order twice"},
        {joined(shape, order, shape), "the header has shape twice"},
        {joined(descr, order, shape + ", 'extra': 1"), "a key 'extra': descr, fortran_order and shape are allowed"},
        {joined("'Descr': '<i2'", order, shape), "a key 'Descr'"},
        {joined("'': '<i2'", order, shape), "a key ''"},
        {joined("'de\nsc\x7fr': '<i2'", order, shape), "a key 'de?sc?r'"},
        {joined("descr: '<i2'", order, shape), "a string in quotes is expected before 'descr: "},
        {joined("'descr\": '<i2'", order, shape), "':' is expected before '<i2'"},
        {joined("'descr' '<i2'", order, shape), "':' is expected before ''<i2'"},
        {joined("'descr': '<i2", "\"fortran_order\": False", "\"shape\": (2,)"), "a string does not end"},
        {joined(descr, "'fortran_order': false", shape), "neither True nor False: 'false, 'shape': (2,)}'"},
        {joined(descr, "'fortran_order': 0", shape), "neither True nor False"},
        {joined(descr, "'fortran_order': 'False'", shape), "neither True nor False"},
        {joined(descr, "'fortran_order': Falsehood", shape), "'}' is expected before 'hood"},
        {joined(descr, "'fortran_order': ", shape), "neither True nor False"},
        {"{" + descr + " " + order + ", " + shape + "}", "'}' is expected before ''fortran_order'"},
        {"{" + descr + ",, " + order + ", " + shape + "}", "a string in quotes is expected before ',"},
        {"{" + descr + ", " + order + ", " + shape, "'}' is expected where it ends"},
        {"{" + descr + ", " + order + ", " + shape + ",", "a string in quotes is expected where it ends"},
        {joined(descr, order, shape) + "}", "goes on behind its dictionary: '}'"},
        {joined(descr, order, shape) + " # x", "goes on behind its dictionary: '# x'"},
        {joined(descr, order, shape) + '\0', "goes on behind its dictionary: '?'"},
        {"[" + joined(descr, order, shape) + "]", "'{' is expected before '["},
        {"dict(descr='<i2')", "'{' is expected before 'dict(descr"},
    };
    for (const auto& [header, part] : cases) {
        CAPTURE(header);
        check_npy_refused(npy_with(header), part);
    }
}

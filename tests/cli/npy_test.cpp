// NumPy's .npy files: what NumPy writes is read, what is malformed is refused in one line.

// cli/ is no library: the program alone has its sources.
#include "cli/files/npy.cpp"  // NOLINT(bugprone-suspicious-include)

#include "tests/support/catch.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

using namespace std::string_literals;

namespace {

using dcube::ElementType;
using dcube::cli::NpyArray;
using Shape = std::vector<std::size_t>;

constexpr ElementType all_types[] = {
    ElementType::int8,   ElementType::int16,  ElementType::int32,  ElementType::int64,   ElementType::uint8,
    ElementType::uint16, ElementType::uint32, ElementType::uint64, ElementType::float32, ElementType::float64};

NpyArray read(std::string_view file, const std::string& name = "a.npy")
{
    const std::vector<char> exact(file.begin(), file.end());  // of its size, so that a sanitizer sees the end
    return dcube::cli::parse_npy(std::as_bytes(std::span(exact)), name);
}

std::string complaint(std::string_view file, const std::string& name = "a.npy")
{
    try {
        read(file, name);
    } catch (const dcube::InvalidArgument& error) {
        return error.what();
    }
    return "accepted";
}

// A file of one version with this header, whose length is as it is.
std::string versioned(int major, const std::string& header, const std::string& data)
{
    std::string file = "\x93NUMPY"s + static_cast<char>(major) + '\0';
    for (unsigned i = 0; i < (major == 1 ? 2U : 4U); ++i)
        file += static_cast<char>(header.size() >> 8 * i & 0xff);
    return file + header + data;
}

std::string with_shape(const std::string& shape, std::size_t bytes)
{
    return versioned(1, "{'descr': '<i2', 'fortran_order': False, 'shape': " + shape + ", }\n",
                     std::string(bytes, 'x'));
}

std::string with_descr(const std::string& descr, std::size_t bytes)
{
    return versioned(1, "{'descr': " + descr + ", 'fortran_order': False, 'shape': (2,), }\n", std::string(bytes, 'x'));
}

std::string with_header(const std::string& header)
{
    return versioned(1, header, std::string(4, 'x'));  // for 2 elements of 2 bytes
}

void check_read(std::string_view file, ElementType type, const Shape& shape, bool fortran_order = false)
{
    CAPTURE(complaint(file));
    const NpyArray array = read(file);
    CHECK(array.type == type);
    CHECK(array.shape == shape);
    CHECK(array.fortran_order == fortran_order);
}

void check_refused(std::string_view file, const std::string& part, const std::string& name = "a.npy")
{
    const std::string message = complaint(file, name);
    CAPTURE(message);
    CHECK(message.starts_with("a.npy: "));
    CHECK_THAT(message, Catch::Contains(part));
    for (const char c : message)
        CHECK((c >= ' ' && c <= '~'));
}

std::string spaces(std::size_t count)
{
    return std::string(count, ' ');
}

}  // namespace

TEST_CASE("npy: what is written is read, for all types and shapes", "[cli]")
{
    const Shape shapes[] = {{},     {0},       {1},          {7},          {3, 4},    {1, 1},
                            {0, 5}, {5, 0, 2}, {2, 3, 4, 5}, Shape(32, 1), {1234567}, {40, 1000}};
    for (const ElementType type : all_types) {
        for (const Shape& shape : shapes) {
            std::size_t bytes = size_of(type);
            for (const std::size_t side : shape)
                bytes *= side;
            const std::string header = dcube::cli::npy_header(type, shape);
            CHECK(header.size() % 64 == 0);
            CHECK(header.back() == '\n');
            check_read(header + std::string(bytes, '\x93'), type, shape);
            CHECK(read(header + std::string(bytes, '\n')).data_offset == header.size());
            check_refused(header + std::string(bytes + 1, '\0'), fmt::format("make {}: nothing may follow", bytes));
            if (bytes > 0)
                check_refused(header + std::string(bytes - 1, '\0'), fmt::format("make {}: the file is cut", bytes));
        }
    }
}

TEST_CASE("npy: the header that is written, byte for byte", "[cli]")
{
    const auto padded = [](const std::string& dictionary, char length, std::size_t padding) {
        return "\x93NUMPY\x01\0"s + length + '\0' + dictionary + spaces(padding) + '\n';
    };
    CHECK(dcube::cli::npy_header(ElementType::float64, Shape{3, 4}) ==
          padded("{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }", '\x76', 58));
    CHECK(dcube::cli::npy_header(ElementType::int8, Shape{15}) ==
          padded("{'descr': '|i1', 'fortran_order': False, 'shape': (15,), }", '\x76', 59));
    CHECK(dcube::cli::npy_header(ElementType::uint16, Shape{}) ==
          padded("{'descr': '<u2', 'fortran_order': False, 'shape': (), }", '\x76', 62));
    const char* const descriptors[] = {"|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "<f4", "<f8"};
    for (std::size_t i = 0; i < std::size(all_types); ++i)
        CHECK_THAT(dcube::cli::npy_header(all_types[i], Shape{2}),
                   Catch::Contains(fmt::format("{{'descr': '{}', ", descriptors[i])));
    CHECK_THROWS_AS(dcube::cli::npy_header(ElementType::int8, Shape(33, 1)), dcube::InvalidArgument);
}

TEST_CASE("npy: headers as NumPy writes them", "[cli]")
{
    // From NumPy's own tests: once, 80 bytes, without a comma at the end.
    check_read("\x93NUMPY\x01\0F\0{'descr': '|u1', 'fortran_order': False, 'shape': (0,)}              \n"s,
               ElementType::uint8, {0});
    check_read("\x93NUMPY\x01\0F\0{'descr': '<f4', 'fortran_order': False, 'shape': ()}                \n1234"s,
               ElementType::float32, {});
    check_read("\x93NUMPY\x01\0F\0{'descr': '<i8', 'fortran_order': False, 'shape': (15,)}             \n"s +
                   std::string(120, 'x'),
               ElementType::int64, {15});
    check_read("\x93NUMPY\x01\0F\0{'descr': '<u2', 'fortran_order': True, 'shape': (5, 3)}             \n"s +
                   std::string(30, 'x'),
               ElementType::uint16, {5, 3}, true);

    // Today: room for the first side to grow to 21 digits, then padded to 64 bytes.
    const std::string now = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 5), }" + spaces(20 + 38) + "\n";
    REQUIRE(now.size() == 118);
    const std::string data(120, 'x');
    check_read(versioned(1, now, data), ElementType::float64, {3, 5});
    CHECK(read(versioned(1, now, data)).data_offset == 128);

    // Versions 2 and 3 have 4 bytes of length; NumPy's tests force them upon headers that would fit in version 1.
    const std::string long_header = now.substr(0, 59) + spaces(20 + 36) + "\n";
    check_read(versioned(2, long_header, data), ElementType::float64, {3, 5});
    check_read(versioned(3, long_header, data), ElementType::float64, {3, 5});
    CHECK(read(versioned(2, long_header, data)).data_offset == 128);
    const std::string longer = now.substr(0, 59) + spaces(70000) + "\n";
    check_read(versioned(2, longer, data), ElementType::float64, {3, 5});
    CHECK(read(versioned(3, longer, data)).data_offset == 12 + longer.size());
}

TEST_CASE("npy: any order, spacing and quotes, padded or not", "[cli]")
{
    const Shape two = {2};
    check_read(with_header("{'descr':'<i2','fortran_order':False,'shape':(2,)}"), ElementType::int16, two);
    check_read(with_header("{\"shape\": (2,), \"descr\": \"<u2\", \"fortran_order\": True}"), ElementType::uint16, two,
               true);
    check_read(with_header(" \t{ 'fortran_order' :False , 'shape':( 2 , ),\n\t'descr'\n:\r\n'<i2'\f,}\n\n  "),
               ElementType::int16, two);
    check_read(with_shape("(1, 2)", 4), ElementType::int16, {1, 2});
    check_read(with_shape("(1, 2,)", 4), ElementType::int16, {1, 2});
    check_read(with_shape("( )", 2), ElementType::int16, {});
    check_read(with_shape("(0, 18446744073709551615)", 0).replace(21, 3, "|i1"), ElementType::int8,
               {0, 18446744073709551615U});
}

TEST_CASE("npy: descriptors of every order of bytes that is little endian here", "[cli]")
{
    for (const char* const order : {"|", "<", "="}) {
        check_read(with_descr(fmt::format("'{}i1'", order), 2), ElementType::int8, {2});
        check_read(with_descr(fmt::format("'{}u1'", order), 2), ElementType::uint8, {2});
    }
    for (const char* const order : {"<", "="}) {
        check_read(with_descr(fmt::format("'{}i2'", order), 4), ElementType::int16, {2});
        check_read(with_descr(fmt::format("'{}u2'", order), 4), ElementType::uint16, {2});
        check_read(with_descr(fmt::format("'{}i4'", order), 8), ElementType::int32, {2});
        check_read(with_descr(fmt::format("'{}u4'", order), 8), ElementType::uint32, {2});
        check_read(with_descr(fmt::format("'{}i8'", order), 16), ElementType::int64, {2});
        check_read(with_descr(fmt::format("'{}u8'", order), 16), ElementType::uint64, {2});
        check_read(with_descr(fmt::format("'{}f4'", order), 8), ElementType::float32, {2});
        check_read(with_descr(fmt::format("'{}f8'", order), 16), ElementType::float64, {2});
    }
}

TEST_CASE("npy: other elements are refused by what they are", "[cli][negative]")
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
        {"'<f2'", "16-bit floats"},
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
        check_refused(with_descr(descr, 4), part);
    }
}

TEST_CASE("npy: shapes that are none are refused", "[cli][negative]")
{
    const std::pair<const char*, const char*> cases[] = {
        {"(2)", "(3,)"},
        {"2", "'(' is expected before '2, }"},
        {"[2]", "'(' is expected"},
        {"(-2,)", "whole numbers: '-2,), }?'"},
        {"(+2,)", "whole numbers"},
        {"(2.0,)", "(3,)"},
        {"(1, 2.5)", "')' is expected before '.5)"},
        {"(2L,)", "(3,)"},
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
        check_refused(with_shape(shape, 4), part);
    }
    std::string sides;
    for (int i = 0; i < 32; ++i)
        sides += "1, ";
    check_read(with_shape("(" + sides + ")", 2), ElementType::int16, Shape(32, 1));
    check_refused(with_shape("(" + sides + "1)", 2), "more than 32 dimensions");
}

TEST_CASE("npy: malformed dictionaries are refused", "[cli][negative]")
{
    const std::string descr = "'descr': '<i2'";
    const std::string order = "'fortran_order': False";
    const std::string shape = "'shape': (2,)";
    const auto joined = [](const std::string& a, const std::string& b, const std::string& c) {
        return "{" + a + ", " + b + ", " + c + "}";
    };
    REQUIRE(complaint(with_header(joined(descr, order, shape))) == "accepted");
    const std::pair<std::string, const char*> cases[] = {
        {"", "'{' is expected where it ends"},
        {"   \n", "'{' is expected where it ends"},
        {"{", "a string in quotes is expected where it ends"},
        {"{}", "does not tell all of descr, fortran_order and shape"},
        {"{,}", "a string in quotes is expected before ',}'"},
        {"{" + descr + ", " + order + "}", "does not tell all"},
        {"{" + descr + ", " + shape + "}", "does not tell all"},
        {"{" + order + ", " + shape + "}", "does not tell all"},
        {joined(descr, descr, shape), "the header tells descr twice"},
        {joined(order, order, shape), "the header tells fortran_order twice"},
        {joined(shape, order, shape), "the header tells shape twice"},
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
        check_refused(with_header(header), part);
    }
}

TEST_CASE("npy: other files, versions and lengths are refused", "[cli][negative]")
{
    const std::string good = with_shape("(2,)", 4);
    REQUIRE(complaint(good) == "accepted");
    const auto changed = [&](std::size_t at, int byte) {
        std::string file = good;
        file[at] = static_cast<char>(byte);
        return file;
    };
    const auto begins_as_npy = [](std::string_view file) {
        return dcube::cli::is_npy(std::as_bytes(std::span(file.data(), file.size())));
    };
    CHECK(begins_as_npy(good));
    CHECK(begins_as_npy(good.substr(0, 6)));
    for (std::size_t at = 0; at < 6; ++at) {
        CHECK_FALSE(begins_as_npy(changed(at, 'x')));
        CHECK_FALSE(begins_as_npy(good.substr(0, at)));
        check_refused(changed(at, 'x'), "does not begin as .npy files do");
    }
    check_refused(changed(6, 0), "version 0.0: 1.0, 2.0 and 3.0 are allowed");
    check_refused(changed(6, 4), "version 4.0");
    check_refused(changed(6, 255), "version 255.0");
    check_refused(changed(7, 1), "version 1.1");
    check_refused(changed(7, 255), "version 1.255");
    const std::size_t length = good.size() - 10 - 4;
    check_refused(changed(9, 255),
                  fmt::format("its header of {} bytes is cut off after {}", 0xff00 + length, length + 4));
    check_refused(changed(8, 0), "'{' is expected where it ends");
    check_refused(versioned(2, "", "").replace(8, 4, "\xff\xff\xff\xff"),
                  "its header of 4294967295 bytes is cut off after 0");
    check_refused(changed(6, 2), "bytes is cut off after");  // the dictionary's first bytes are taken for a length
    for (std::size_t other = 0; other < 256; ++other)        // takes in elements, or leaves out the dictionary's end
        CHECK((complaint(changed(8, static_cast<int>(other))) == "accepted") == (other == length));
}

TEST_CASE("npy: no file that is cut off or goes on is accepted", "[cli][negative]")
{
    const std::string header = "{'descr': '<i2', 'fortran_order': False, 'shape': (3, 2), }";
    for (const int major : {1, 2, 3}) {
        const std::string file = versioned(major, header + spaces(4) + "\n", "abcdefghijkl");
        check_read(file, ElementType::int16, {3, 2});
        for (std::size_t size = 0; size < file.size(); ++size) {
            CAPTURE(major, size);
            check_refused(file.substr(0, size), size < 6                  ? "does not begin"
                                                : size < file.size() - 12 ? "cut off after"
                                                                          : "12: the file is cut off");
        }
        for (std::size_t more = 1; more < 20; ++more)
            check_refused(file + std::string(more, '\0'), fmt::format("{} bytes follow", 12 + more));
    }
    const std::string empty = versioned(1, "{'descr': '<i2', 'fortran_order': False, 'shape': (0, 2), }", "");
    check_read(empty, ElementType::int16, {0, 2});
    for (std::size_t size = 0; size < empty.size(); ++size)
        CHECK(complaint(empty.substr(0, size)) != "accepted");
}

TEST_CASE("npy: any single byte that is changed is read or refused in one line", "[cli][negative]")
{
    const std::string good = with_shape("(2,)", 4);
    for (std::size_t at = 0; at < good.size() - 4; ++at) {
        for (int byte = 0; byte < 256; ++byte) {
            std::string file = good;
            file[at] = static_cast<char>(byte);
            if (const std::string message = complaint(file); message != "accepted") {
                const bool is_printable = message.find_first_of("\n\r\t\x1b\x7f") == std::string::npos;
                if (!message.starts_with("a.npy: ") || !is_printable)
                    FAIL_CHECK(fmt::format("byte {} as {}: {}", at, byte, message));
            }
        }
    }
}

TEST_CASE("npy: a message has no control characters of the file's name", "[cli][negative]")
{
    CHECK(complaint("", "a\n\x1b\x7f.npy") == "a???.npy: it does not begin as .npy files do");
    CHECK(complaint("", "\xc3\xa4.npy") == "\xc3\xa4.npy: it does not begin as .npy files do");
}

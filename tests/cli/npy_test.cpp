// NumPy's .npy files: files that NumPy writes are read, malformed or truncated ones are refused in one line.

#include "cli/files/npy.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/npy_files.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>

using namespace dcube;
using namespace dcube::test;
using namespace std::string_literals;

namespace {

constexpr ElementType all_types[] = {
    ElementType::int8,   ElementType::int16,  ElementType::int32,  ElementType::int64,   ElementType::uint8,
    ElementType::uint16, ElementType::uint32, ElementType::uint64, ElementType::float32, ElementType::float64};

constexpr const char* two_words = "{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }\n";

std::string spaces(std::size_t count)
{
    return std::string(count, ' ');
}

}  // namespace

TEST_CASE("npy: what is written is read, for all types and shapes", "[cli][slow]")
{
    const Shape shapes[] = {{},     {0},       {1},          {7},          {3, 4},    {1, 1},
                            {0, 5}, {5, 0, 2}, {2, 3, 4, 5}, Shape(32, 1), {1234567}, {40, 1000}};
    for (const ElementType type : all_types) {
        for (const Shape& shape : shapes) {
            std::size_t bytes = size_of(type);
            for (const std::size_t side : shape)
                bytes *= side;
            const std::string header = cli::npy_header(type, shape);
            CHECK(header.size() % 64 == 0);
            CHECK(header.back() == '\n');
            check_npy_read(header + std::string(bytes, '\x93'), type, shape);
            CHECK(read_npy(header + std::string(bytes, '\n')).data_offset == header.size());
            check_npy_refused(header + std::string(bytes + 1, '\0'), fmt::format("make {}: nothing may follow", bytes));
            if (bytes > 0)
                check_npy_refused(header + std::string(bytes - 1, '\0'),
                                  fmt::format("make {}: the file is cut", bytes));
        }
    }
}

TEST_CASE("npy: the header that is written has the expected bytes", "[cli]")
{
    const auto padded = [](const std::string& dictionary, char length, std::size_t padding) {
        return "\x93NUMPY\x01\0"s + length + '\0' + dictionary + spaces(padding) + '\n';
    };
    CHECK(cli::npy_header(ElementType::float64, Shape{3, 4}) ==
          padded("{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }", '\x76', 58));
    CHECK(cli::npy_header(ElementType::int8, Shape{15}) ==
          padded("{'descr': '|i1', 'fortran_order': False, 'shape': (15,), }", '\x76', 59));
    CHECK(cli::npy_header(ElementType::uint16, Shape{}) ==
          padded("{'descr': '<u2', 'fortran_order': False, 'shape': (), }", '\x76', 62));
    const char* const descriptors[] = {"|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "<f4", "<f8"};
    for (std::size_t i = 0; i < std::size(all_types); ++i)
        CHECK_THAT(cli::npy_header(all_types[i], Shape{2}),
                   Catch::Contains(fmt::format("{{'descr': '{}', ", descriptors[i])));
    CHECK_THROWS_AS(cli::npy_header(ElementType::int8, Shape(33, 1)), InvalidArgument);
}

TEST_CASE("npy: headers as NumPy writes them are read", "[cli]")
{
    // From NumPy's own tests: once, 80 bytes, without a comma at the end.
    check_npy_read("\x93NUMPY\x01\0F\0{'descr': '|u1', 'fortran_order': False, 'shape': (0,)}              \n"s,
                   ElementType::uint8, {0});
    check_npy_read("\x93NUMPY\x01\0F\0{'descr': '<f4', 'fortran_order': False, 'shape': ()}                \n1234"s,
                   ElementType::float32, {});
    check_npy_read("\x93NUMPY\x01\0F\0{'descr': '<i8', 'fortran_order': False, 'shape': (15,)}             \n"s +
                       std::string(120, 'x'),
                   ElementType::int64, {15});
    check_npy_read("\x93NUMPY\x01\0F\0{'descr': '<u2', 'fortran_order': True, 'shape': (5, 3)}             \n"s +
                       std::string(30, 'x'),
                   ElementType::uint16, {5, 3}, true);

    // Today: room for the first side to grow to 21 digits, then padded to 64 bytes.
    const std::string now = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 5), }" + spaces(20 + 38) + "\n";
    REQUIRE(now.size() == 118);
    const std::string data(120, 'x');
    check_npy_read(npy_file(1, now, data), ElementType::float64, {3, 5});
    CHECK(read_npy(npy_file(1, now, data)).data_offset == 128);

    // Versions 2 and 3 have 4 bytes of length; NumPy's tests force them upon headers that would fit in version 1.
    const std::string long_header = now.substr(0, 59) + spaces(20 + 36) + "\n";
    check_npy_read(npy_file(2, long_header, data), ElementType::float64, {3, 5});
    check_npy_read(npy_file(3, long_header, data), ElementType::float64, {3, 5});
    CHECK(read_npy(npy_file(2, long_header, data)).data_offset == 128);
    const std::string longer = now.substr(0, 59) + spaces(70000) + "\n";
    check_npy_read(npy_file(2, longer, data), ElementType::float64, {3, 5});
    CHECK(read_npy(npy_file(3, longer, data)).data_offset == 12 + longer.size());
}

TEST_CASE("npy: other files, versions and lengths are refused", "[cli][negative]")
{
    const std::string good = npy_with(two_words);
    REQUIRE(npy_complaint(good) == "accepted");
    const auto changed = [&](std::size_t at, int byte) {
        std::string file = good;
        file[at] = static_cast<char>(byte);
        return file;
    };
    const auto begins_as_npy = [](std::string_view file) {
        return cli::is_npy(std::as_bytes(std::span(file.data(), file.size())));
    };
    CHECK(begins_as_npy(good));
    CHECK(begins_as_npy(good.substr(0, 6)));
    for (std::size_t at = 0; at < 6; ++at) {
        CHECK_FALSE(begins_as_npy(changed(at, 'x')));
        CHECK_FALSE(begins_as_npy(good.substr(0, at)));
        check_npy_refused(changed(at, 'x'), "does not begin as .npy files do");
    }
    check_npy_refused(changed(6, 0), "version 0.0 is not supported: expected 1.0, 2.0 or 3.0");
    check_npy_refused(changed(6, 4), "version 4.0");
    check_npy_refused(changed(6, 255), "version 255.0");
    check_npy_refused(changed(7, 1), "version 1.1");
    check_npy_refused(changed(7, 255), "version 1.255");
    const std::size_t length = good.size() - 10 - 4;
    check_npy_refused(changed(9, 255),
                      fmt::format("its header of {} bytes is cut off after {}", 0xff00 + length, length + 4));
    check_npy_refused(changed(8, 0), "'{' is expected where it ends");
    check_npy_refused(npy_file(2, "", "").replace(8, 4, "\xff\xff\xff\xff"),
                      "its header of 4294967295 bytes is cut off after 0");
    check_npy_refused(changed(6, 2), "bytes is cut off after");  // the dictionary's first bytes are taken for a length
    for (std::size_t other = 0; other < 256; ++other)  // takes in elements, or leaves out the dictionary's end
        CHECK((npy_complaint(changed(8, static_cast<int>(other))) == "accepted") == (other == length));
}

TEST_CASE("npy: no file that is cut off or goes on is accepted", "[cli][negative]")
{
    const std::string header = "{'descr': '<i2', 'fortran_order': False, 'shape': (3, 2), }";
    for (const int major : {1, 2, 3}) {
        const std::string file = npy_file(major, header + spaces(4) + "\n", "abcdefghijkl");
        check_npy_read(file, ElementType::int16, {3, 2});
        for (std::size_t size = 0; size < file.size(); ++size) {
            CAPTURE(major, size);
            check_npy_refused(file.substr(0, size), size < 6                  ? "does not begin"
                                                    : size < file.size() - 12 ? "cut off after"
                                                                              : "12: the file is cut off");
        }
        for (std::size_t more = 1; more < 20; ++more)
            check_npy_refused(file + std::string(more, '\0'), fmt::format("{} bytes follow", 12 + more));
    }
    const std::string empty = npy_file(1, "{'descr': '<i2', 'fortran_order': False, 'shape': (0, 2), }", "");
    check_npy_read(empty, ElementType::int16, {0, 2});
    for (std::size_t size = 0; size < empty.size(); ++size)
        CHECK(npy_complaint(empty.substr(0, size)) != "accepted");
}

TEST_CASE("npy: a header with one byte changed is nearly always refused, in one line", "[cli][negative]")
{
    const std::string good = npy_with(two_words);
    for (std::size_t at = 0; at < good.size() - 4; ++at) {
        int refused = 0;
        for (int byte = 0; byte < 256; ++byte) {
            std::string file = good;
            file[at] = static_cast<char>(byte);
            if (const std::string message = npy_complaint(file); message != "accepted") {
                ++refused;
                const bool is_printable = message.find_first_of("\n\r\t\x1b\x7f") == std::string::npos;
                if (!message.starts_with("a.npy: ") || !is_printable)
                    FAIL_CHECK(fmt::format("byte {} as {}: {}", at, byte, message));
            }
        }
        CAPTURE(at);
        CHECK(refused > 200);
        CHECK(refused < 256);  // the file as it is
    }
}

TEST_CASE("npy: a message has no control characters of the file's name", "[cli][negative]")
{
    CHECK(npy_complaint("", "a\n\x1b\x7f.npy") == "a???.npy: it does not begin as .npy files do");
    CHECK(npy_complaint("", "\xc3\xa4.npy") == "\xc3\xa4.npy: it does not begin as .npy files do");
}

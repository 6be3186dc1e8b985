// .npy files: reading one ends with an array whose elements are all there, or with one line that begins with the file's
// name.
// The first byte chooses a good header, or none: then the rest is the file. The next two are the version and how many
// bytes of elements follow; then three for each change: where, how much is taken out, and which word is put in.

#include "cli/files/npy.hpp"

#include <dcube/error.hpp>

#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr std::string_view headers[] = {
    "{'descr': '<i2', 'fortran_order': False, 'shape': (3, 4), }          \n",
    "{'descr': '|u1', 'fortran_order': True, 'shape': (5,), }\n",
    "{'shape':(),'fortran_order':False,\"descr\":\"<f8\"}",
    "{'descr': '=u4', 'fortran_order': False, 'shape': (2, 0, 7)}",
};
constexpr std::string_view words[] = {
    // clang-format off
    "", "{", "}", "(", ")", ",", ":", "'", "\"", " ", "\n", "0", "1", "2", "3, ", "-", "[", "True", "False", "'<i8'",
    "'>f4'", "'|b1'", "'descr'", "'shape'", "'extra'", "18446744073709551615", "\xff", "4294967296",
    "18446744073709551616", "1, 1, 1, 1, 1, 1, 1, ",
    // clang-format on
};

void require(bool holds)
{
    if (!holds)
        std::abort();
}

std::string file_with(std::string_view header, unsigned version, std::size_t elements)
{
    std::string file = "\x93NUMPY";
    file += static_cast<char>(version);
    file += '\0';
    for (unsigned i = 0; i < (version == 1 ? 2U : 4U); ++i)
        file += static_cast<char>(header.size() >> 8 * i & 0xff);
    file += header;
    file.append(elements, 'x');
    return file;
}

std::string made_from(std::span<const std::uint8_t> data)
{
    if (data.size() < 3 || data[0] % 5 == 0)
        return {data.begin(), data.end()};
    std::string header(headers[data[0] % 5 - 1]);
    const unsigned version = 1 + data[1] % 3;
    const std::size_t elements = data[2];
    for (data = data.subspan(3); data.size() >= 3; data = data.subspan(3)) {
        const std::size_t at = data[0] % (header.size() + 1);
        header.replace(at, data[1] % 32, words[data[2] % std::size(words)]);
    }
    return file_with(header, version, elements);
}

void check_array(const dcube::cli::NpyArray& array, std::span<const std::byte> file)
{
    require(dcube::cli::is_npy(file) && array.shape.size() <= 32);
    require(array.data_offset <= file.size());
    std::size_t bytes = size_of(array.type);
    for (const std::size_t side : array.shape)
        require(!__builtin_mul_overflow(bytes, side, &bytes));
    require(bytes == file.size() - array.data_offset);
}

// An array that was read and is written again is read as the same.
void check_rewritten(const dcube::cli::NpyArray& array, std::span<const std::byte> file)
{
    const std::string header = dcube::cli::npy_header(array.type, array.shape);
    const auto head = std::as_bytes(std::span(header));
    const auto elements = file.subspan(array.data_offset);
    std::vector<std::byte> again(head.begin(), head.end());
    again.insert(again.end(), elements.begin(), elements.end());
    const dcube::cli::NpyArray second = dcube::cli::parse_npy(again, "again");
    require(second.type == array.type && second.shape == array.shape && !second.fortran_order);
    require(second.data_offset == header.size() && header.size() % 64 == 0);
}

void check_message(std::string_view message)
{
    require(message.starts_with("file?name: ") && message.size() < 300);
    for (const char c : message)
        require(c >= ' ' && c <= '~');
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string made = made_from({data, size});
    const std::vector<char> exact(made.begin(), made.end());  // allocated to its size, so that a sanitizer sees the end
    const auto file = std::as_bytes(std::span(exact));
    dcube::cli::NpyArray array;
    try {
        array = dcube::cli::parse_npy(file, "file\nname");
    } catch (const dcube::InvalidArgument& error) {
        check_message(error.what());
        return 0;
    }
    check_array(array, file);
    check_rewritten(array, file);
    return 0;
}

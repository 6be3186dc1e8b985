#include "cli/files/npy.hpp"

#include "cli/files/npy_dictionary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

namespace dcube::cli {

namespace {

constexpr std::string_view magic = "\x93NUMPY";

std::string_view as_text(std::span<const std::byte> bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Where the dictionary stands: behind the magic, two bytes of version and its own length in 2 or 4 bytes.
std::span<const std::byte> header_of(std::span<const std::byte> file, const std::string& name)
{
    constexpr std::size_t version_end = 8;
    if (file.size() < version_end)
        refuse_npy(name, fmt::format("it is cut off after {} bytes, within the header", file.size()));
    const auto major = static_cast<unsigned>(file[6]);
    const auto minor = static_cast<unsigned>(file[7]);
    if (major < 1 || major > 3 || minor != 0)
        refuse_npy(name, fmt::format("it is of version {}.{}: 1.0, 2.0 and 3.0 are allowed", major, minor));
    const std::size_t width = major == 1 ? 2 : 4;
    if (file.size() < version_end + width)
        refuse_npy(name, fmt::format("it is cut off after {} bytes, within the header", file.size()));
    std::size_t length = 0;
    for (std::size_t i = width; i-- > 0;)
        length = length << 8 | static_cast<std::size_t>(file[version_end + i]);
    const std::size_t begin = version_end + width;
    if (length > file.size() - begin)
        refuse_npy(name, fmt::format("its header of {} bytes is cut off after {}", length, file.size() - begin));
    return file.subspan(begin, length);
}

// Bytes of all elements; empty if there are too many. A side of 0 makes no difference to that: whoever multiplies some
// of the sides, in whatever order, gets no overflow either.
std::optional<std::size_t> bytes_of(const NpyArray& array)
{
    std::size_t bytes = size_of(array.type);
    for (const std::size_t side : array.shape)
        if (side != 0 && __builtin_mul_overflow(bytes, side, &bytes))
            return std::nullopt;
    return std::ranges::count(array.shape, std::size_t{0}) == 0 ? bytes : 0;
}

}  // namespace

bool is_npy(std::span<const std::byte> file)
{
    return as_text(file).starts_with(magic);
}

NpyArray parse_npy(std::span<const std::byte> file, const std::string& name)
{
    if (!is_npy(file))
        refuse_npy(name, "it does not begin as .npy files do");
    const std::span<const std::byte> header = header_of(file, name);
    NpyArray array = parse_npy_dictionary(as_text(header), name);
    array.data_offset = static_cast<std::size_t>(header.data() + header.size() - file.data());
    const std::optional<std::size_t> expected = bytes_of(array);
    const std::size_t found = file.size() - array.data_offset;
    if (!expected)
        refuse_npy(name,
                   fmt::format("{} bytes follow the header, where its shape and type make more than 2^64 - 1", found));
    if (*expected != found)
        refuse_npy(name,
                   fmt::format("{} bytes follow the header, where its shape and type make {}: {}", found, *expected,
                               found < *expected ? "the file is cut off" : "nothing may follow the elements"));
    return array;
}

std::string npy_header(ElementType type, std::span<const std::size_t> shape)
{
    std::string dictionary = npy_dictionary(type, shape);
    constexpr std::size_t before = 10;  // magic, version, length
    constexpr std::size_t alignment = 64;
    dictionary.append(alignment - 1 - (before + dictionary.size()) % alignment, ' ');
    dictionary += '\n';
    std::string header(magic);
    header += '\x01';
    header += '\x00';
    header += static_cast<char>(dictionary.size() & 0xff);
    header += static_cast<char>(dictionary.size() >> 8);
    return header + dictionary;
}

}  // namespace dcube::cli

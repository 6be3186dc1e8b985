#include "cli/npy.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace dcube::cli {

namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t most_dimensions = 32;

struct Descriptor {
    std::string_view text;
    ElementType type;
};
constexpr Descriptor descriptors[] = {
    {"|i1", ElementType::int8},    {"|u1", ElementType::uint8},  {"<i2", ElementType::int16},
    {"<u2", ElementType::uint16},  {"<i4", ElementType::int32},  {"<u4", ElementType::uint32},
    {"<i8", ElementType::int64},   {"<u8", ElementType::uint64}, {"<f4", ElementType::float32},
    {"<f8", ElementType::float64}, {"<i1", ElementType::int8},   {"<u1", ElementType::uint8},
    {"=i1", ElementType::int8},    {"=u1", ElementType::uint8},  {"=i2", ElementType::int16},
    {"=u2", ElementType::uint16},  {"=i4", ElementType::int32},  {"=u4", ElementType::uint32},
    {"=i8", ElementType::int64},   {"=u8", ElementType::uint64}, {"=f4", ElementType::float32},
    {"=f8", ElementType::float64}, {"i1", ElementType::int8},    {"u1", ElementType::uint8},
};

[[noreturn]] void refuse(const std::string& name, const std::string& what)
{
    throw InvalidArgument(fmt::format("{}: {}", name, what));
}

// What a file says, short and printable.
std::string quoted(std::string_view text)
{
    std::string shown;
    for (const char c : text.substr(0, 24))
        shown += c < ' ' || c > '~' ? '?' : c;
    return "'" + shown + (text.size() > 24 ? "...'" : "'");
}

std::string_view as_text(std::span<const std::byte> bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Reads the header's Python dictionary: {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
class Dictionary {
public:
    Dictionary(std::string_view text, const std::string& name) : rest_(text), name_(name) {}

    NpyArray read()
    {
        expect('{');
        while (!take('}')) {
            read_entry();
            if (!take(',')) {
                expect('}');
                break;
            }
        }
        skip_space();
        if (!rest_.empty())
            refuse(name_, fmt::format("the header goes on behind its dictionary: {}", quoted(rest_)));
        if (!type_ || !order_ || !shape_)
            refuse(name_, "the header does not tell all of descr, fortran_order and shape");
        return {*type_, *shape_, *order_, 0};
    }

private:
    void skip_space()
    {
        while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n' || rest_.front() == '\t'))
            rest_.remove_prefix(1);
    }
    bool take(char c)
    {
        skip_space();
        if (rest_.empty() || rest_.front() != c)
            return false;
        rest_.remove_prefix(1);
        return true;
    }
    void expect(char c)
    {
        if (!take(c))
            refuse(name_, fmt::format("the header is malformed: '{}' is expected before {}", c, quoted(rest_)));
    }

    std::string_view read_string()
    {
        skip_space();
        const char quote = rest_.starts_with('"') ? '"' : '\'';
        expect(quote);
        const std::size_t end = rest_.find(quote);
        if (end == std::string_view::npos)
            refuse(name_, "the header is malformed: a string does not end");
        const std::string_view text = rest_.substr(0, end);
        rest_.remove_prefix(end + 1);
        return text;
    }

    void read_entry()
    {
        const std::string_view key = read_string();
        expect(':');
        if (key == "descr")
            once(type_, key) = read_type();
        else if (key == "fortran_order")
            once(order_, key) = read_bool();
        else if (key == "shape")
            once(shape_, key) = read_shape();
        else
            refuse(name_,
                   fmt::format("the header has a key {}: descr, fortran_order and shape are allowed", quoted(key)));
    }

    template <class T>
    std::optional<T>& once(std::optional<T>& value, std::string_view key)
    {
        if (value)
            refuse(name_, fmt::format("the header tells {} twice", key));
        return value;
    }

    ElementType read_type()
    {
        skip_space();
        if (rest_.starts_with('['))
            refuse(name_, "its elements are records: integers and floats are allowed");
        const std::string_view text = read_string();
        for (const Descriptor& descriptor : descriptors)
            if (descriptor.text == text)
                return descriptor.type;
        refuse(name_, fmt::format("its elements are {}: little-endian i1 to i8, u1 to u8, f4 and f8 are allowed",
                                  quoted(text)));
    }

    bool read_bool()
    {
        skip_space();
        for (const auto& [word, value] : {std::pair{std::string_view("True"), true}, {"False", false}}) {
            if (rest_.starts_with(word)) {
                rest_.remove_prefix(word.size());
                return value;
            }
        }
        refuse(name_, fmt::format("fortran_order is neither True nor False: {}", quoted(rest_)));
    }

    // (), (3,), (3, 4), (3, 4,)
    std::vector<std::size_t> read_shape()
    {
        std::vector<std::size_t> shape;
        expect('(');
        while (!take(')')) {
            shape.push_back(read_number());
            if (shape.size() > most_dimensions)
                refuse(name_, fmt::format("its shape has more than {} dimensions", most_dimensions));
            if (take(','))
                continue;
            if (shape.size() == 1)
                refuse(name_, "the header is malformed: a shape of one dimension is written (3,)");
            expect(')');
            break;
        }
        return shape;
    }

    std::size_t read_number()
    {
        skip_space();
        std::size_t value = 0;
        const auto [stop, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
        if (error != std::errc{})
            refuse(name_, fmt::format("its shape is no tuple of whole numbers: {}", quoted(rest_)));
        rest_.remove_prefix(static_cast<std::size_t>(stop - rest_.data()));
        return value;
    }

    std::string_view rest_;
    const std::string& name_;
    std::optional<ElementType> type_;
    std::optional<bool> order_;
    std::optional<std::vector<std::size_t>> shape_;
};

// Where the dictionary stands: behind the magic, two bytes of version and its own length in 2 or 4 bytes.
std::span<const std::byte> header_of(std::span<const std::byte> file, const std::string& name)
{
    constexpr std::size_t version_end = 8;
    if (file.size() < version_end)
        refuse(name, fmt::format("it is cut off after {} bytes, within the header", file.size()));
    const auto major = static_cast<unsigned>(file[6]);
    const auto minor = static_cast<unsigned>(file[7]);
    if (major < 1 || major > 3 || minor != 0)
        refuse(name, fmt::format("it is of version {}.{}: 1.0, 2.0 and 3.0 are allowed", major, minor));
    const std::size_t width = major == 1 ? 2 : 4;
    if (file.size() < version_end + width)
        refuse(name, fmt::format("it is cut off after {} bytes, within the header", file.size()));
    std::size_t length = 0;
    for (std::size_t i = width; i-- > 0;)
        length = length << 8 | static_cast<std::size_t>(file[version_end + i]);
    const std::size_t begin = version_end + width;
    if (length > file.size() - begin)
        refuse(name, fmt::format("its header of {} bytes is cut off after {}", length, file.size() - begin));
    return file.subspan(begin, length);
}

// Bytes of all elements; empty if there are too many.
std::optional<std::size_t> bytes_of(const NpyArray& array)
{
    std::size_t bytes = size_of(array.type);
    for (const std::size_t side : array.shape)
        if (__builtin_mul_overflow(bytes, side, &bytes))
            return std::nullopt;
    return bytes;
}

}  // namespace

bool is_npy(std::span<const std::byte> file)
{
    return as_text(file).starts_with(magic);
}

NpyArray parse_npy(std::span<const std::byte> file, const std::string& name)
{
    if (!is_npy(file))
        refuse(name, "it does not begin as .npy files do");
    const std::span<const std::byte> header = header_of(file, name);
    NpyArray array = Dictionary(as_text(header), name).read();
    array.data_offset = static_cast<std::size_t>(header.data() + header.size() - file.data());
    const std::optional<std::size_t> expected = bytes_of(array);
    const std::size_t found = file.size() - array.data_offset;
    if (!expected || *expected != found)
        refuse(name, fmt::format("{} bytes follow the header, where its shape and type make {}", found,
                                 expected ? fmt::format("{}", *expected) : "more than 2^64"));
    return array;
}

std::string npy_header(ElementType type, std::span<const std::size_t> shape)
{
    const auto* const descriptor = std::ranges::find(descriptors, type, &Descriptor::type);
    std::string sides;
    for (const std::size_t side : shape)
        sides += fmt::format("{}{}", sides.empty() ? "" : ", ", side);
    if (shape.size() == 1)
        sides += ',';
    std::string dictionary =
        fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descriptor->text, sides);
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

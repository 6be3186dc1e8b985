#include "cli/files/npy.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

namespace dcube::cli {

namespace {

constexpr std::size_t most_dimensions = 32;

struct Descriptor {
    std::string_view text;
    ElementType type;
};
constexpr Descriptor descriptors[] = {
    {"|i1", ElementType::int8},    {"|u1", ElementType::uint8},   {"<i2", ElementType::int16},
    {"<u2", ElementType::uint16},  {"<i4", ElementType::int32},   {"<u4", ElementType::uint32},
    {"<i8", ElementType::int64},   {"<u8", ElementType::uint64},  {"<f4", ElementType::float32},
    {"<f8", ElementType::float64}, {"<i1", ElementType::int8},    {"<u1", ElementType::uint8},
    {"=i1", ElementType::int8},    {"=u1", ElementType::uint8},   {"=i2", ElementType::int16},
    {"=u2", ElementType::uint16},  {"=i4", ElementType::int32},   {"=u4", ElementType::uint32},
    {"=i8", ElementType::int64},   {"=u8", ElementType::uint64},  {"=f4", ElementType::float32},
    {"=f8", ElementType::float64}, {"<f2", ElementType::float16}, {"=f2", ElementType::float16},
};

// A type that dcube does not have: the letter after the byte order, and its meaning.
struct Refused {
    char letter;
    std::string_view what;
};
constexpr Refused refused_kinds[] = {{'b', "truth values"}, {'?', "truth values"},  {'c', "complex numbers"},
                                     {'O', "objects"},      {'S', "texts"},         {'a', "texts"},
                                     {'U', "texts"},        {'V', "raw bytes"},     {'M', "points in time"},
                                     {'m', "durations"},    {'e', "16-bit floats"}, {'g', "extended floats"}};

// Throws InvalidArgument with one line: the file's name and the mistake.
[[noreturn]] void refuse_npy(std::string name, const std::string& what)
{
    std::ranges::replace_if(  // it may hold anything; a message is one line
        name, [](unsigned char c) { return c < ' ' || c == 0x7f; }, '?');
    throw InvalidArgument(fmt::format("{}: {}", name, what));
}

// Text from a file, shortened and printable.
std::string quoted(std::string_view text)
{
    std::string shown;
    for (const char c : text.substr(0, 24))
        shown += c < ' ' || c > '~' ? '?' : c;
    return "'" + shown + (text.size() > 24 ? "...'" : "'");
}

// Why a descriptor is none of ours, in a few words that follow it: "" if nothing is known of it.
std::string why_refused(std::string_view descriptor)
{
    if (descriptor.starts_with('>'))
        return ", big-endian";
    if (const std::size_t letter = descriptor.find_first_not_of("<=|"); letter != std::string_view::npos)
        for (const Refused& kind : refused_kinds)
            if (kind.letter == descriptor[letter])
                return fmt::format(", {}", kind.what);
    return "";
}

// Reads a Python dictionary, with the keys in any order, either kind of quotes, and any spaces.
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
            refuse_npy(name_, fmt::format("the header goes on behind its dictionary: {}", quoted(rest_)));
        if (!type_ || !order_ || !shape_)
            refuse_npy(name_, "the header lacks some of descr, fortran_order and shape");
        return {*type_, *shape_, *order_, 0};
    }

private:
    void skip_space() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n\f"), rest_.size())); }
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
            malformed(fmt::format("'{}'", c));
    }
    [[noreturn]] void malformed(std::string_view expected) const
    {
        refuse_npy(name_, fmt::format("the header is malformed: {} is expected {}", expected,
                                      rest_.empty() ? "where it ends" : "before " + quoted(rest_)));
    }

    std::string_view read_string()
    {
        skip_space();
        if (!rest_.starts_with('"') && !rest_.starts_with('\''))
            malformed("a string in quotes");
        const char quote = rest_.front();
        rest_.remove_prefix(1);
        const std::size_t end = rest_.find(quote);
        if (end == std::string_view::npos)
            refuse_npy(name_, "the header is malformed: a string does not end");
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
            refuse_npy(name_,
                       fmt::format("the header has a key {}: descr, fortran_order and shape are allowed", quoted(key)));
    }

    template <class T>
    std::optional<T>& once(std::optional<T>& value, std::string_view key)
    {
        if (value)
            refuse_npy(name_, fmt::format("the header has {} twice", key));
        return value;
    }

    ElementType read_type()
    {
        skip_space();
        if (rest_.starts_with('[') || rest_.starts_with('('))  // a list of fields; a type with a shape of its own
            refuse_npy(name_, "its elements are records or arrays: single integers and floats are allowed");
        const std::string_view text = read_string();
        for (const Descriptor& descriptor : descriptors)
            if (descriptor.text == text)
                return descriptor.type;
        refuse_npy(name_,
                   fmt::format(
                       "its elements are {}{}: little-endian i1, i2, i4, i8, u1, u2, u4, u8, f2, f4 and f8 are allowed",
                       quoted(text), why_refused(text)));
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
        refuse_npy(name_, fmt::format("fortran_order is neither True nor False: {}", quoted(rest_)));
    }

    // (), (3,), (3, 4), (3, 4,), (3L, 4L)
    std::vector<std::size_t> read_shape()
    {
        std::vector<std::size_t> shape;
        expect('(');
        while (!take(')')) {
            shape.push_back(read_number());
            if (shape.size() > most_dimensions)
                refuse_npy(name_, fmt::format("its shape has more than {} dimensions", most_dimensions));
            if (take(','))
                continue;
            if (shape.size() == 1)
                refuse_npy(name_, "the header is malformed: a shape of one dimension is written (3,)");
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
        const auto digits = static_cast<std::size_t>(stop - rest_.data());
        if (error == std::errc::result_out_of_range)
            refuse_npy(name_, fmt::format("a side of its shape is too large, 2^64 or more: {}", quoted(rest_)));
        if (error != std::errc{} || (digits > 1 && rest_.front() == '0'))  // Python has no numbers such as 03
            refuse_npy(name_, fmt::format("its shape is not a tuple of whole numbers: {}", quoted(rest_)));
        rest_.remove_prefix(digits);
        if (rest_.starts_with('L'))  // as Python 2 wrote them
            rest_.remove_prefix(1);
        return value;
    }

    std::string_view rest_;
    const std::string& name_;
    std::optional<ElementType> type_;
    std::optional<bool> order_;
    std::optional<std::vector<std::size_t>> shape_;
};

// Reads the dictionary. Throws InvalidArgument: one line that begins with the file's name.
NpyArray parse_npy_dictionary(std::string_view text, const std::string& name)
{
    return Dictionary(text, name).read();
}

// The dictionary of an array in C order. Throws InvalidArgument for more than 32 dimensions, and for bfloat16.
std::string npy_dictionary(ElementType type, std::span<const std::size_t> shape)
{
    if (shape.size() > most_dimensions)
        throw InvalidArgument(fmt::format("an array of {} dimensions cannot be written: at most {} are allowed",
                                          shape.size(), most_dimensions));
    const auto* const descriptor = std::ranges::find(descriptors, type, &Descriptor::type);
    if (descriptor == std::ranges::end(descriptors))
        throw InvalidArgument(
            fmt::format("NumPy has no {}: an array of it cannot be written in its format", name(type)));
    std::string sides;
    for (const std::size_t side : shape)
        sides += fmt::format("{}{}", sides.empty() ? "" : ", ", side);
    if (shape.size() == 1)
        sides += ',';
    return fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descriptor->text, sides);
}

constexpr std::string_view magic = "\x93NUMPY";

std::string_view as_text(std::span<const std::byte> bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The bytes of the dictionary: behind the magic, two bytes of version and its own length in 2 or 4 bytes.
std::span<const std::byte> header_of(std::span<const std::byte> file, const std::string& name)
{
    constexpr std::size_t version_end = 8;
    if (file.size() < version_end)
        refuse_npy(name, fmt::format("it is cut off after {} bytes, within the header", file.size()));
    const auto major = static_cast<unsigned>(file[6]);
    const auto minor = static_cast<unsigned>(file[7]);
    if (major < 1 || major > 3 || minor != 0)
        refuse_npy(name, fmt::format("version {}.{} is not supported: expected 1.0, 2.0 or 3.0", major, minor));
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

// The bytes of all elements; empty if there are too many. A side of 0 does not prevent that, so that no product of some
// of the sides, in whatever order, overflows either.
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

std::vector<std::uint32_t> counts_in_npy(std::span<const std::byte> file, const std::string& name)
{
    const NpyArray array = parse_npy(file, name);
    const bool is_signed = array.type >= ElementType::int8 && array.type <= ElementType::int64;
    if (is_float(array.type) || is_pair(array.type))
        refuse_npy(name, fmt::format("it has {} elements: whole numbers are allowed", dcube::name(array.type)));
    const bool turned = array.fortran_order && array.shape.size() == 2;
    const std::size_t size = size_of(array.type);
    const std::size_t elements = (file.size() - array.data_offset) / size;
    std::vector<std::uint32_t> counts;
    for (std::size_t i = 0; i < elements; ++i) {
        const std::size_t at = turned ? i % array.shape[1] * array.shape[0] + i / array.shape[1] : i;
        const std::byte* const bytes = file.data() + array.data_offset + at * size;
        std::uint64_t number = 0;
        std::memcpy(&number, bytes, size);  // little-endian, as dcube's machines are
        const bool negative = is_signed && (static_cast<unsigned>(bytes[size - 1]) & 0x80U) != 0;
        if (negative || number > std::numeric_limits<std::uint32_t>::max())
            refuse_npy(name, fmt::format("element {} is no number of packets: 0 to {} are allowed", i,
                                         std::numeric_limits<std::uint32_t>::max()));
        counts.push_back(static_cast<std::uint32_t>(number));
    }
    return counts;
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

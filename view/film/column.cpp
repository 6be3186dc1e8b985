#include "view/film/column.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>

namespace dcube::view {

namespace {

using Bytes = std::vector<unsigned char>;

// Seven bits a byte, the low ones first; the eighth says that more follow.
void append_leb128(Bytes& bytes, std::uint64_t value)
{
    while (value >= 0x80) {
        bytes.push_back(static_cast<unsigned char>(value | 0x80));
        value >>= 7;
    }
    bytes.push_back(static_cast<unsigned char>(value));
}

// 0, -1, 1, -2, .. become 0, 1, 2, 3, ..
std::uint64_t zigzag(std::int64_t value)
{
    return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}

// Without a header: what a browser's DecompressionStream("deflate-raw") reads.
Bytes deflated(const Bytes& bytes)
{
    constexpr int raw_deflate = -15;
    constexpr int usual_memory = 8;
    z_stream stream{};
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, raw_deflate, usual_memory, Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::runtime_error("columns cannot be compressed");
    Bytes packed(deflateBound(&stream, static_cast<uLong>(bytes.size())));
    stream.next_in = const_cast<Bytef*>(bytes.data());  // zlib does not change it
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = packed.data();
    stream.avail_out = static_cast<uInt>(packed.size());
    const int result = deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    if (result != Z_STREAM_END)
        throw std::runtime_error("columns cannot be compressed");
    return packed;
}

std::string base64(const Bytes& bytes)
{
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const std::size_t here = std::min<std::size_t>(3, bytes.size() - at);
        std::uint32_t bits = 0;
        for (std::size_t i = 0; i < 3; ++i)
            bits = bits << 8 | (i < here ? bytes[at + i] : 0U);
        for (std::size_t i = 0; i < 4; ++i)
            text += i <= here ? digits[bits >> (18 - 6 * i) & 63U] : '=';
    }
    return text;
}

}  // namespace

Column encoded(std::span<const std::int64_t> values, Packing packing)
{
    if (std::ranges::all_of(values, [&](std::int64_t value) { return value == values.front(); }))
        return {.constant = values.empty() ? 0 : values.front()};
    Bytes bytes;
    std::int64_t before = 0;
    for (const std::int64_t value : values) {
        append_leb128(bytes, zigzag(value - before));
        before = value;
    }
    return {.raw = bytes.size(), .data = base64(packing == Packing::deflated ? deflated(bytes) : bytes)};
}

}  // namespace dcube::view

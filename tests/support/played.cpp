#include "tests/support/played.hpp"

#include "tests/support/catch.hpp"

#include <zlib.h>

#include <algorithm>

namespace test_support {

namespace {

using Octets = std::vector<unsigned char>;

Octets from_base64(const std::string& text)
{
    const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    REQUIRE(text.size() % 4 == 0);
    Octets bytes;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char c : text) {
        if (c == '=')
            break;
        const std::size_t value = digits.find(c);
        REQUIRE(value != std::string::npos);
        bits = bits << 6 | static_cast<std::uint32_t>(value);
        count += 6;
        if (count >= 8) {
            count -= 8;
            bytes.push_back(static_cast<unsigned char>(bits >> count & 0xFFU));
        }
    }
    return bytes;
}

Octets inflated(Octets packed, std::size_t size)
{
    Octets bytes(size);
    z_stream stream{};
    REQUIRE(inflateInit2(&stream, -15) == Z_OK);
    stream.next_in = packed.data();
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = bytes.data();
    stream.avail_out = static_cast<uInt>(bytes.size());
    CHECK(inflate(&stream, Z_FINISH) == Z_STREAM_END);
    CHECK(stream.total_out == size);
    inflateEnd(&stream);
    return bytes;
}

// Back from what it is relative to the sender.
std::int64_t absolute(const Json& relative, std::int64_t node, std::int64_t sender)
{
    if (relative == "xor")
        return node ^ sender;
    if (relative == "plain")
        return node;
    std::int64_t result = 0;
    std::int64_t stride = 1;
    const std::vector<std::int64_t> sizes = relative.at("digits");
    for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) {
        result += (node % *size + sender % *size) % *size * stride;
        node = node / *size;
        sender = sender / *size;
        stride *= *size;
    }
    return result;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> set_of(const Json& film, std::int64_t number, std::int64_t sender)
{
    const std::vector<std::int64_t> flat = film.at("sets").at(static_cast<std::size_t>(number));
    std::vector<std::uint32_t> nodes;
    for (std::size_t i = 0; i < flat.size(); i += 2)
        for (std::int64_t node = flat[i]; node <= flat[i + 1]; ++node)
            nodes.push_back(static_cast<std::uint32_t>(absolute(film.at("network").at("relative"), node, sender)));
    std::ranges::sort(nodes);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges;
    for (const std::uint32_t node : nodes)
        if (!ranges.empty() && ranges.back().second + 1 == node)
            ranges.back().second = node;
        else
            ranges.emplace_back(node, node);
    return ranges;
}

}  // namespace

std::string unpacked(const std::string& base64, std::size_t size)
{
    const Octets bytes = inflated(from_base64(base64), size);
    return {bytes.begin(), bytes.end()};
}

std::vector<std::int64_t> decoded(const Json& column, std::size_t rows, bool deflate)
{
    if (column.is_number())
        return std::vector<std::int64_t>(rows, column.get<std::int64_t>());
    Octets bytes = from_base64(column.at("data").get<std::string>());
    if (deflate)
        bytes = inflated(std::move(bytes), column.at("raw").get<std::size_t>());
    CHECK(bytes.size() == column.at("raw").get<std::size_t>());
    std::vector<std::int64_t> values;
    std::uint64_t code = 0;
    int shift = 0;
    for (const unsigned char byte : bytes) {
        code |= std::uint64_t{byte & 0x7FU} << shift;
        shift += 7;
        if ((byte & 0x80U) != 0)
            continue;
        const auto difference = static_cast<std::int64_t>(code >> 1) ^ -static_cast<std::int64_t>(code & 1);
        values.push_back((values.empty() ? 0 : values.back()) + difference);
        code = 0;
        shift = 0;
    }
    CHECK(values.size() == rows);
    return values;
}

std::vector<PlayedPacket> played(const Json& film)
{
    const Json& columns = film.at("columns");
    const auto rows = columns.at("rows").get<std::size_t>();
    const auto column = [&](const char* name) {
        return decoded(columns.at("of").at(name), rows, columns.at("deflate").get<bool>());
    };
    const auto step = column("step"), from = column("from"), port = column("port"), start = column("start"),
               end = column("end"), joined = column("joined"), origin = column("origin"), target = column("target"),
               part = column("part"), count = column("count"), set = column("set");
    const Json& messages = film.at("messages");
    const Json& relative = film.at("network").at("relative");
    const std::string kind = messages.at("kind");
    std::vector<std::uint64_t> cuts{0};
    for (std::size_t i = 0; i < messages.at("parts").get<std::size_t>(); ++i)
        cuts.push_back(cuts.back() + (messages.at("part_bytes").is_number()
                                          ? messages.at("part_bytes").get<std::uint64_t>()
                                          : messages.at("part_bytes").at(i).get<std::uint64_t>()));
    std::vector<PlayedPacket> packets;
    for (std::size_t row = 0; row < rows;) {
        packets.push_back({step[row], from[row], port[row], start[row], end[row], {}});
        for (const std::size_t last = row + static_cast<std::size_t>(joined[row]); row < last; ++row) {
            PlayedPiece piece{-1, -1, cuts.at(static_cast<std::size_t>(part[row])), 0, {}};
            piece.length = cuts.at(static_cast<std::size_t>(part[row] + count[row])) - piece.offset;
            if (kind != "sums")
                piece.origin = absolute(relative, origin[row], from[row]);
            else
                CHECK(origin[row] == -1);
            if (kind == "moves")
                piece.target = absolute(relative, target[row], from[row]);
            if (kind == "sums") {
                const Json& sums = messages.at("sums");
                const std::int64_t sum = sums.size() > 1 ? absolute(relative, target[row], from[row]) : target[row];
                const Json& node = sums.at(static_cast<std::size_t>(sum));
                piece.target = node.is_null() ? -1 : node.get<std::int64_t>();
                piece.sum_of = set_of(film, set[row], from[row]);
            }
            packets.back().pieces.push_back(std::move(piece));
        }
    }
    return packets;
}

}  // namespace test_support

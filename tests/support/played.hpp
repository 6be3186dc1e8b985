#pragma once
// A document read again, as a page does it, by other means than those that wrote it.

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace test_support {

using Json = nlohmann::ordered_json;

/// `size` bytes that were deflated and written in base64. Fails the test where they are not well made.
std::string unpacked(const std::string& base64, std::size_t size);

/// The values of a column that has this many rows. Fails the test if it is not well made.
std::vector<std::int64_t> decoded(const Json& column, std::size_t rows, bool deflate);

/// A stretch of a message; origin or target is -1 where there is none.
struct PlayedPiece {
    std::int64_t origin;
    std::int64_t target;
    std::uint64_t offset;
    std::uint64_t length;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> sum_of;  // ranges

    friend bool operator==(const PlayedPiece&, const PlayedPiece&) = default;
};

struct PlayedPacket {
    std::int64_t step;
    std::int64_t from;
    std::int64_t port;
    std::int64_t start;
    std::int64_t end;
    std::vector<PlayedPiece> pieces;

    friend bool operator==(const PlayedPacket&, const PlayedPacket&) = default;
};

/// The packets of a film, with nodes as they are.
std::vector<PlayedPacket> played(const Json& film);

}  // namespace test_support

#pragma once
// The lines of JSON that peers print: bench/peers/peer.hpp says what stands in them.

#include <cstddef>
#include <string>
#include <vector>

namespace peers {

/// What a peer prints of one variant.
struct Line {
    std::string peer;
    std::string variant;
    unsigned dim = 0;
    std::size_t bytes = 0;
    std::vector<double> seconds;
    bool verified = false;
    std::string checksum;
};

/// Throws dcube::Error, in one line, if it is no such line: no JSON, a key that is missing or of another kind, no
/// times, or times that are none.
Line parse_line(const std::string& text);

}  // namespace peers

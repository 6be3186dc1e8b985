#pragma once

#include <vector>

namespace dcube::view {

using Bytes = std::vector<unsigned char>;

/// Without a header: what a browser's DecompressionStream("deflate-raw") reads. Throws InvalidArgument in a build
/// without zlib.
Bytes deflated(const Bytes& bytes);

}  // namespace dcube::view

#pragma once

#include <vector>

namespace dcube::view {

using Bytes = std::vector<unsigned char>;

/// The compressed bytes without a header, as a browser's DecompressionStream("deflate-raw") reads them. Throws
/// InvalidArgument in a build without zlib.
Bytes deflated(const Bytes& bytes);

}  // namespace dcube::view

#pragma once

#include <vector>

namespace dcube::view {

using Bytes = std::vector<unsigned char>;

/// The compressed bytes without a header, as a browser's DecompressionStream("deflate-raw") reads them. Throws
/// InvalidArgument in a build without zlib whose surroundings have none either.
Bytes deflated(const Bytes& bytes);

/// Compresses in the place of zlib, in a build without it. Null: nothing does.
inline Bytes (*deflated_outside)(const Bytes& bytes) = nullptr;

}  // namespace dcube::view

#include "inspect/view/document/deflated.hpp"

#include <zlib.h>

#include <stdexcept>

namespace dcube::view {

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

}  // namespace dcube::view

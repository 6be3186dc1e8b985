#include "cli/files/gzip.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <new>
#include <span>

#include <zlib.h>

namespace dcube::cli {

struct GzipWriter::Stream {
    z_stream state{};
};

GzipWriter::GzipWriter(NewFile& file) : file_(file), stream_(std::make_unique<Stream>())
{
    constexpr int gzip_format = 16;
    constexpr int usual_memory = 8;
    if (deflateInit2(&stream_->state, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + gzip_format, usual_memory,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::bad_alloc();  // nothing else can go wrong
}

GzipWriter::~GzipWriter()
{
    deflateEnd(&stream_->state);
}

void GzipWriter::write(std::string_view text)
{
    constexpr std::size_t most_in_one_call = std::numeric_limits<uInt>::max();
    while (!text.empty()) {
        compress(text.substr(0, most_in_one_call), Z_NO_FLUSH);
        text.remove_prefix(std::min(text.size(), most_in_one_call));
    }
}

void GzipWriter::finish()
{
    compress("", Z_FINISH);
}

void GzipWriter::compress(std::string_view text, int flush)
{
    std::array<unsigned char, std::size_t{1} << 16> out;
    z_stream& state = stream_->state;
    // zlib does not change its input, but says so only from 1.3 on.
    state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    state.avail_in = static_cast<uInt>(text.size());
    do {
        state.next_out = out.data();
        state.avail_out = static_cast<uInt>(out.size());
        deflate(&state, flush);
        file_.write(std::as_bytes(std::span(out).first(out.size() - state.avail_out)));
    } while (state.avail_out == 0);
}

}  // namespace dcube::cli

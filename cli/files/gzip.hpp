#pragma once
// Files that are compressed while they are written.

#include "cli/files/files.hpp"

#include <memory>
#include <string_view>

namespace dcube::cli {

/// Compresses what it is given into a file, as gzip does. Throws what the file throws.
class GzipWriter {
public:
    explicit GzipWriter(NewFile& file);
    ~GzipWriter();
    GzipWriter(const GzipWriter&) = delete;
    GzipWriter& operator=(const GzipWriter&) = delete;

    void write(std::string_view text);
    /// Writes what is still held back; nothing can be written after it.
    void finish();

private:
    struct Stream;

    void compress(std::string_view text, int flush);

    NewFile& file_;
    std::unique_ptr<Stream> stream_;
};

}  // namespace dcube::cli

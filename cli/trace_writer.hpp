#pragma once
// A trace as lines of JSON.

#include "cli/files.hpp"

#include <dcube/machine.hpp>

#include <fmt/format.h>

namespace dcube::cli {

/// Appends the line that tells of one transmission:
/// {"step":1,"from":0,"to":1,"port":0,"bytes":64,"start_ns":null,"end_ns":null,"pieces":[{"origin":0,...}]}
void append_line(fmt::memory_buffer& lines, const Transmission& transmission);

/// Writes a trace to a file, many lines at a time.
class TraceWriter {
public:
    explicit TraceWriter(NewFile& file) : file_(file) {}

    void write(const Transmission& transmission);
    void flush();

private:
    NewFile& file_;
    fmt::memory_buffer lines_;
};

}  // namespace dcube::cli

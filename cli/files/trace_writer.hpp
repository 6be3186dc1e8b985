#pragma once
// A trace as lines of JSON.

#include "cli/files/files.hpp"

#include <dcube/machine.hpp>

#include <fmt/format.h>

namespace dcube::cli {

/// Appends the line that tells of one transmission:
/// {"step":1,"from":0,"to":1,"port":0,"bytes":64,"start_ns":null,"end_ns":null,"pieces":[{"origin":0,...}]}
/// Times are whole numbers or fractions such as "5/2"; the unit model has none.
void append_line(fmt::memory_buffer& lines, const Transmission& transmission, const LinkModel& link);

/// Writes a trace to a file, many lines at a time.
class TraceWriter {
public:
    TraceWriter(NewFile& file, const LinkModel& link) : file_(file), link_(link) {}

    void write(const Transmission& transmission);
    void flush();

private:
    NewFile& file_;
    LinkModel link_;
    fmt::memory_buffer lines_;
};

}  // namespace dcube::cli

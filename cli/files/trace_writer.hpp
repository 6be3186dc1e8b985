#pragma once
// A trace on its way to a file.

#include "cli/files/files.hpp"
#include "run/trace_lines.hpp"

#include <dcube/report.hpp>

#include <fmt/format.h>

namespace dcube::cli {

/// Writes a trace to a file, many lines at a time.
class TraceWriter {
public:
    /// The report says what is run; nothing need be counted in it.
    TraceWriter(NewFile& file, const Report& report);

    void write(const Transmission& transmission);
    void flush();

private:
    NewFile& file_;
    LinkModel link_;
    fmt::memory_buffer lines_;
};

}  // namespace dcube::cli

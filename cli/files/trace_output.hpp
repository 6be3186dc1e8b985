#pragma once
// A trace on its way to a file or to standard output.

#include "cli/requests.hpp"

#include <dcube/report.hpp>
#include <dcube/trace.hpp>

#include <fmt/format.h>

#include <functional>
#include <string_view>

namespace dcube::cli {

/// Writes a trace, many lines at a time: as JSON lines, or as a table for people, a line for each transmission:
///   step  from   to  port  bytes  what
///      1     0    1     0     64  0>1
class TraceOutput {
public:
    using Write = std::function<void(std::string_view)>;

    /// The report says what is run; nothing need be counted in it.
    TraceOutput(TraceFormat format, Write write, const Report& report);

    void write(const Transmission& transmission);
    void flush();

private:
    void append_heading();
    void append_row(const Transmission& transmission);
    void append_times(const Transmission& transmission);
    void append_pieces(const Transmission& transmission);

    TraceFormat format_;
    Write write_;
    LinkModel link_;
    std::size_t packet_;  ///< bytes of one; 0 where packets have different sizes
    fmt::memory_buffer lines_;
};

}  // namespace dcube::cli

#pragma once
// A trace as a table for people: a line for each transmission.

#include <dcube/report.hpp>
#include <dcube/trace.hpp>

#include <fmt/format.h>

#include <functional>
#include <string_view>

namespace dcube::cli {

/// Writes the table, many lines at a time:
///   step  from   to  port  bytes  what
///      1     0    1     0     64  0>1
class TraceTable {
public:
    using Write = std::function<void(std::string_view)>;

    /// The report says what is run; nothing need be counted in it.
    TraceTable(Write write, const Report& report);

    void write(const Transmission& transmission);
    void flush();

private:
    void append_times(const Transmission& transmission);
    void append_pieces(const Transmission& transmission);

    Write write_;
    LinkModel link_;
    std::size_t packet_;  ///< bytes of one; 0 where packets have different sizes
    fmt::memory_buffer lines_;
};

}  // namespace dcube::cli

#pragma once
// A trace as lines of JSON.

#include <dcube/link.hpp>
#include <dcube/report.hpp>
#include <dcube/trace.hpp>

#include <fmt/format.h>

#include <span>
#include <string>

namespace dcube {

/// Appends the line for one transmission:
/// {"step":1,"from":0,"to":1,"port":0,"bytes":64,"start_ns":null,"end_ns":null,"pieces":[{"origin":0,...}]}
/// A sum's piece ends with its contributors, if they are known: "sum_of":[0,3,[5,7]] are nodes 0, 3, 5, 6 and 7.
/// Times are whole numbers or fractions such as "5/2"; the unit model has none.
void append_line(fmt::memory_buffer& lines, const Transmission& transmission, const LinkModel& link);

/// Appends the value of its "pieces".
void append_pieces(fmt::memory_buffer& lines, std::span<const Piece> pieces);

/// The first line of a trace: what was run, with the keys of a report that say something.
/// {"dcube_trace":1,"schema":1,"collective":"all-to-all","algorithm":"optimal","topology":"hypercube:3",...}
std::string trace_header(const Report& report);

}  // namespace dcube

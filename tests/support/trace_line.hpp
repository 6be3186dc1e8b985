#pragma once
// A transmission as a line of a trace, written without the program's own writer.

#include "tests/support/sum_of_text.hpp"

#include <dcube/dcube.hpp>

#include <fmt/format.h>

#include <numeric>
#include <string>

namespace test_support {

inline std::string time_text(dcube::Time ticks, const dcube::LinkModel& link)
{
    if (!link.bound())
        return "null";
    const dcube::Time scale = link.ticks_per_ns();
    const dcube::Time divisor = std::gcd(ticks, scale);
    return divisor == scale ? fmt::format("{}", ticks / scale)
                            : fmt::format("\"{}/{}\"", ticks / divisor, scale / divisor);
}

inline std::string trace_line(const dcube::Transmission& t, const dcube::LinkModel& link = {})
{
    std::string pieces;
    for (const dcube::Piece& piece : t.pieces)
        pieces += fmt::format(R"({}{{"origin":{},"target":{},"offset":{},"length":{}{}}})", pieces.empty() ? "" : ",",
                              piece.origin ? std::to_string(*piece.origin) : "null",
                              piece.target ? std::to_string(*piece.target) : "null", piece.offset, piece.length,
                              sum_of_text(piece));
    return fmt::format(R"({{"step":{},"from":{},"to":{},"port":{},"bytes":{},"start_ns":{},"end_ns":{},"pieces":[{}]}})"
                       "\n",
                       t.step, t.from, t.to, t.port, t.bytes, time_text(t.start, link), time_text(t.end, link), pieces);
}

}  // namespace test_support

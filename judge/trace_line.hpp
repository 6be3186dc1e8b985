#pragma once
// One line of a trace. The parsed record has the right shape and types; the judge fills in what the line leaves
// out, and other code judges whether it makes sense. A Record is a Transmission as a trace states it: with its line,
// and with times as they are written there.

#include <dcube/graph.hpp>
#include <dcube/link.hpp>
#include <dcube/trace.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dcube {

/// One line of a trace.
struct Record {
    static constexpr std::uint64_t left_out = ~std::uint64_t{0};  ///< as `bytes` or the length of a piece

    std::uint64_t line = 0;
    Step step = 0;
    NodeId from = 0;
    NodeId to = 0;
    Port port = 0;
    std::uint64_t bytes = 0;
    std::optional<Rational> start_ns;
    std::optional<Rational> end_ns;
    std::vector<Piece> pieces;
    std::string phase;    ///< the sender's name for its phase; not judged
    bool has_to = false;  ///< whether the line says it
    bool has_port = false;
    bool has_pieces = false;
    bool lost = false;  ///< it was sent, and does not arrive

    /// The times in ticks, worked out where times are judged (LinkTimes); elsewhere the step stands for both.
    Time start = 0;
    Time end = 0;
};

/// Reads a transmission; `unknown` is called with each unknown key, and the value of such a key is skipped. Returns an
/// error of the line, or nothing.
std::string parse_trace_line(std::string_view text, Record& record,
                             const std::function<void(const std::string& key)>& unknown);

}  // namespace dcube

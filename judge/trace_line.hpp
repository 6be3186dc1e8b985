#pragma once
// One line of a trace. What comes out has the right shape and types; whether it makes sense is for others to judge.
// A Record is a Transmission as somebody else tells it: with its line, and times as they stand there.

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
    std::uint64_t line = 0;
    Step step = 0;
    NodeId from = 0;
    NodeId to = 0;
    Port port = 0;
    std::uint64_t bytes = 0;
    std::optional<Rational> start_ns;
    std::optional<Rational> end_ns;
    std::vector<Piece> pieces;

    /// In ticks; who judges times works them out, 0 where times say nothing.
    Time start = 0;
    Time end = 0;
};

/// Reads a transmission; `unknown` is called with each key that nobody knows, whose value is passed over. Returns what
/// is wrong with the line, or nothing.
std::string parse_trace_line(std::string_view text, Record& record,
                             const std::function<void(const std::string& key)>& unknown);

}  // namespace dcube

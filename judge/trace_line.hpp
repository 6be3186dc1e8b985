#pragma once
// One line of a trace. What comes out has the right shape and types; what it leaves out complete_line() fills in, and
// whether it makes sense is for others to judge.
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
    std::string phase;    ///< what the sender calls what it does; not judged
    bool has_to = false;  ///< whether the line says it
    bool has_port = false;
    bool lost = false;  ///< it was sent, and does not arrive

    /// In ticks; who judges times works them out, 0 where times say nothing.
    Time start = 0;
    Time end = 0;
};

/// Reads a transmission; `unknown` is called with each key that nobody knows, whose value is passed over. Returns what
/// is wrong with the line, or nothing.
std::string parse_trace_line(std::string_view text, Record& record,
                             const std::function<void(const std::string& key)>& unknown);

}  // namespace dcube

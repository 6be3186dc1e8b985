#pragma once
// Reads a trace line by line. What comes out has the right shape and types; whether it makes sense is for others to
// judge.

#include <dcube/link.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <vector>

namespace dcube {

/// One line of a trace.
struct Record {
    struct Piece {
        std::optional<NodeId> origin;
        std::optional<NodeId> target;
        std::uint64_t offset = 0;
        std::uint64_t length = 0;
    };

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

class TraceReader {
public:
    static constexpr std::size_t longest_line = std::size_t{64} << 20;

    explicit TraceReader(std::istream& trace);

    /// Reads the next line into `record`; false at the end of the trace. Throws TraceError, which names the line.
    bool next(Record& record);

    /// The number of the line that was read last.
    [[nodiscard]] std::uint64_t line() const { return line_; }

private:
    bool read_line();
    bool refill();

    std::istream& trace_;
    std::vector<char> buffer_;
    std::size_t at_ = 0;  // what is left of the buffer: [at_, end_)
    std::size_t end_ = 0;
    std::string text_;  // the line
    std::uint64_t line_ = 0;
};

}  // namespace dcube

#pragma once
// dcube and its peers, measured in turn.

#include "bench/peers/known_peers.hpp"
#include "inspect/measure/statistics.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace peers {

struct Row {
    enum class State : std::uint8_t {
        measured,
        not_built,  ///< its packages are missing
        left_out,   ///< it needs more memory than there is
        stopped,    ///< by the limit of time
        failed,
    };

    std::string peer;
    std::string variant;
    State state = State::measured;
    std::string note{};                  ///< why it has not been measured, or not to the end
    std::vector<double> seconds{};       ///< all times, in the order in which they were taken
    std::vector<std::string> without{};  ///< what dcube does in its time and this does not (KnownVariant)
    std::string remark{};                ///< what else makes the comparison unequal

    [[nodiscard]] double median() const;  ///< for rows that have times
    /// The interval in which the median lies with 95 % (inspect/measure/statistics.hpp); empty below 6 times.
    [[nodiscard]] std::optional<dcube::measure::Interval> interval() const;
};

/// dcube itself: a variant, and the function that measures it the given number of times and returns the times and the
/// checksum of all nodes' data afterwards.
struct OwnVariant {
    struct Times {
        std::vector<double> seconds;
        std::string checksum;
    };
    std::string name;
    std::function<Times(std::size_t)> measure;
};

struct Question {
    Size size;
    std::size_t repeat = 9;
    double limit_seconds = 60;                           ///< for each start of a peer
    std::string folder;                                  ///< where the peers are
    std::vector<std::string> only;                       ///< names; empty: all
    std::size_t memory = 0;                              ///< bytes that a peer may take
    std::size_t cores = 1;                               ///< for how many MPI starts ranks
    std::function<void(const std::string&)> on_start{};  ///< called with what is measured next
};

/// A row for each variant: dcube's first, then the peers'. The `repeat` times are taken in up to three rounds, in each
/// of which every variant has its share of them. A variant that has failed or was stopped is not started again. Every
/// peer must find its own bytes right, and leave behind the same checksum as the first variant of dcube.
std::vector<Row> compared(const Question& question, const std::vector<OwnVariant>& own);

/// The line of JSON that a peer prints of one variant: bench/peers/peer.hpp says what stands in it.
struct Line {
    std::string peer;
    std::string variant;
    unsigned dim = 0;
    std::size_t bytes = 0;
    std::vector<double> seconds;
    bool verified = false;
    std::string checksum;
};

/// Throws dcube::Error, in one line, if it is no such line: no JSON, a key that is missing or of another kind, no
/// times, or times that are none.
Line parse_line(const std::string& text);

}  // namespace peers

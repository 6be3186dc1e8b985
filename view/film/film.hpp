#pragma once
// Films: a recording with its transmissions told in messages and parts, so that it can be played.

#include "run/recording.hpp"
#include "view/film/messages.hpp"
#include "view/film/relative.hpp"

#include <dcube/contributors.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace dcube::view {

/// A stretch of parts of one message, in a packet.
struct Row {
    std::uint32_t message = 0;
    std::uint32_t part = 0;
    std::uint32_t count = 0;  ///< parts
    std::uint32_t set = 0;    ///< sums: who is in it, an index in Film::sets

    friend bool operator==(const Row&, const Row&) = default;
};

struct Film {
    explicit Film(Recording recording);

    /// Every transmission was recorded, and messages and parts are few enough to be played; else there are counts only.
    [[nodiscard]] bool has_rows() const { return recording.detail == Detail::flights; }
    /// It is played in time, not in steps.
    [[nodiscard]] bool timed() const { return recording.problem.link.bound() && has_rows(); }
    [[nodiscard]] std::uint32_t parts_of(std::uint64_t message) const { return parts.of(messages.bytes(message)); }

    [[nodiscard]] std::span<const Row> rows_of(std::size_t flight) const
    {
        return std::span(rows).subspan(first_row[flight], first_row[flight + 1] - first_row[flight]);
    }
    /// The indices of the flights of a step: [first, second).
    [[nodiscard]] std::pair<std::size_t, std::size_t> flights_in(Step step) const
    {
        return {first_flight[step - 1], first_flight[step]};
    }

    Recording recording;  ///< its flights are sorted by step, sender and port
    Messages messages;
    Parts parts;
    Relative relative;
    std::vector<Row> rows{};
    std::vector<std::uint32_t> first_row{0};  ///< of every flight, and the end
    std::vector<std::size_t> first_flight{};  ///< of every step, and the end: of step t at t - 1
    std::vector<Contributors> sets{};         ///< of sums
    /// What the judge rejected, if it could be read and played: its step, over its link, in these rows.
    std::optional<Flight> rejected{};
    std::vector<Row> rejected_rows{};

private:
    void sort_flights();
    void make_rows();
};

}  // namespace dcube::view

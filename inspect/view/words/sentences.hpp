#pragma once
// The sentences that go with a film: what the algorithm does, and what the links do. All counts in them are counted.

#include "inspect/view/film/film.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace dcube::view {

/// "0", "0 and 3", "0, 3 and 5"
std::string enumerated(const std::vector<std::string>& each);

/// A stretch of a film that has a name: steps, or ticks on links that take time; both ends included.
struct NamedStretch {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    std::string name;
    /// The dimensions whose links belong to it, where stretches overlap; empty: all.
    std::vector<unsigned> dimensions{};
};
std::vector<NamedStretch> stretches(const Film& film);

/// The sentences of a film: one before the first step, one for each step, and one at the end.
std::vector<std::string> step_sentences(const Film& film);

struct TimedSentence {
    Time at = 0;  ///< from this tick on
    std::string text;
};
/// The sentences for links that take time: sorted; the first at 0, the last when all has arrived.
std::vector<TimedSentence> timed_sentences(const Film& film);

/// "Node 0 sends the blocks for 3, 6 and 4 over ports 0, 1 and 2; every other node does the same, seen from itself."
/// Empty where they do not, or in a step in which nothing is sent. The film has rows.
std::string same_for_all(const Film& film, Step step);

}  // namespace dcube::view

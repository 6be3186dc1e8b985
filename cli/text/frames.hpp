#pragma once
// A film as text: one frame a step, with the packets on each port of each node.

#include "cli/text/colour.hpp"
#include "view/film/film.hpp"
#include "view/film/holdings.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace dcube::cli {

/// Draws the frames of one film, which outlives this, in any order; those that follow each other are drawn quickest.
class Frames {
public:
    Frames(const view::Film& film, std::size_t width, Colour colour);

    /// Frame 0 is before the first step; the last one, steps() + 1, says what was achieved.
    [[nodiscard]] Step steps() const { return film_.recording.steps; }
    std::string at(Step step);

private:
    void play_before(Step step);
    [[nodiscard]] std::string heading(Step step) const;
    [[nodiscard]] std::string link_bar(Step step) const;
    [[nodiscard]] std::string sentence(Step step) const;

    const view::Film& film_;
    std::size_t width_;
    Colour colour_;
    std::vector<std::string> sentences_;
    std::optional<view::Holdings> holdings_;  // none where there are counts only
};

}  // namespace dcube::cli

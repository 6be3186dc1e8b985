#pragma once
// A film as text: one frame a step, with the packets on each port of each node.

#include "cli/text/colour.hpp"
#include "inspect/view/film/film.hpp"
#include "inspect/view/film/holdings.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace dcube::cli {

/// The room for a frame.
struct Screen {
    std::size_t columns;
    std::optional<std::size_t> rows{};  ///< none: as many as it takes
};

/// Draws the frames of one film, which outlives this, in any order; those that follow each other are drawn quickest.
class Frames {
public:
    Frames(const view::Film& film, Colour colour);

    /// Frame 0 is before the first step; the last one, steps() + 1, says what was achieved.
    [[nodiscard]] Step steps() const { return film_.recording.steps; }
    /// If rows are few, the head (title, links, sentence) comes first, and as many nodes as there is room for.
    std::string at(Step step, const Screen& screen);

private:
    void play_before(Step step);
    [[nodiscard]] std::string heading(Step step, std::size_t width) const;
    [[nodiscard]] std::string link_bar(Step step, std::size_t width) const;
    [[nodiscard]] std::string sentence(Step step, const Screen& screen) const;

    const view::Film& film_;
    Colour colour_;
    std::vector<std::string> sentences_;
    std::optional<view::Holdings> holdings_;  // none where there are counts only
};

}  // namespace dcube::cli

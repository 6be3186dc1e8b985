#pragma once
// Figures of films: one step, or several in a strip.

#include "inspect/view/film/film.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dcube::view {

/// In a step, packets are on their way, and nodes hold what they held when it began. Step 0 is before the first, and
/// the one after the last is when all is done. In a time, links are filled as far as packets have come.
struct Moment {
    Step step = 0;
    std::optional<Time> tick{};

    friend bool operator==(const Moment&, const Moment&) = default;
};

/// A time, to the nearest tick. Throws InvalidArgument for one that the run has not.
Time tick_at(const Film& film, const Rational& ns);

/// All steps from the first to the last.
std::vector<Moment> steps_between(Step first, Step last);

enum class Legend : std::uint8_t { drawn, left_out };

struct FigureRequest {
    std::vector<Moment> moments{};
    double width_mm = 84;
    std::optional<std::string> layout{};  ///< its name; none: the first in which no packet covers another
    std::optional<NodeId> origin{};       ///< the origin whose packets are shown
    Legend legend = Legend::drawn;        ///< and captions
};

struct FilmFigure {
    std::string svg;
    std::string legend;  ///< the description of what is seen
};

/// The same bytes every time. Throws InvalidArgument: moments, an origin, a layout or a width that are not possible, a
/// network that is too large or too tangled to be drawn, a run of which only counts were kept.
FilmFigure figure(const Film& film, const FigureRequest& request);

}  // namespace dcube::view

#pragma once
// Figures of films: one step, or several in a strip.

#include "inspect/view/film/film.hpp"
#include "inspect/view/film/holdings.hpp"
#include "inspect/view/svg/figure.hpp"
#include "inspect/view/svg/state.hpp"

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
    std::optional<NodeId> origin{};       ///< whose packets are shown
    Legend legend = Legend::drawn;        ///< and captions
};

struct FilmFigure {
    std::string svg;
    std::string legend;  ///< what is seen
};

/// The same bytes every time. Throws InvalidArgument: moments, an origin, a layout or a width that are not possible, a
/// network that is too large or too tangled to be drawn, a run of which only counts were kept.
FilmFigure figure(const Film& film, const FigureRequest& request);

/// A film as pictures of the same size: before the first step, `per_step` of each step, and when all is done. On links
/// that take time, as many pictures at equal distances in time.
class FilmFrames {
public:
    /// The request has no moments. Without a layout, the first one is taken. Throws what figure() does, and
    /// InvalidArgument for more than most_frames.
    FilmFrames(const Film& film, const FigureRequest& request, std::uint32_t per_step);

    static constexpr std::size_t most_frames = 10'000;
    [[nodiscard]] std::size_t count() const { return count_; }
    /// The same bytes every time. Those that follow each other are drawn quickest.
    std::string svg(std::size_t index);

private:
    FrameMark frame_in_steps(std::size_t index);
    FrameMark frame_in_time(std::size_t index);

    const Film& film_;
    FigureRequest request_;
    std::uint32_t per_step_;
    std::size_t count_;
    States states_;
    Figure figure_;
    std::optional<Holdings> holdings_;
    std::size_t next_ = 0;  // the index that the holdings are ready for, or a later one
};

}  // namespace dcube::view

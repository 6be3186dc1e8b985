#pragma once
// Writes SVG files. Lengths are points, with one decimal.

#include "inspect/view/layouts/geometry.hpp"
#include "inspect/view/palette.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace dcube::view {

struct Pen {
    std::optional<Colour> fill{};
    std::optional<Colour> stroke{};
    double width = 0;
    std::string_view dashes{};
};

enum class Anchor : std::uint8_t { start, middle, end };

class Drawing {
public:
    void rectangle(const Box& box, double corner, const Pen& pen);
    void disc(Point centre, double radius, const Pen& pen);
    void text(Point base, std::string_view text, double size, Anchor anchor, Colour colour);
    // All that is moved by it until the next call.
    void begin_group(Point origin);
    void end_group();

    // Pieces of one path, which is drawn with finish_path().
    void add_line(const Line& line);
    // Smooth through all points.
    void add_curve(const Line& line);
    void add_polygon(const Line& line);
    void add_box(const Box& box);
    void add_disc(Point centre, double radius);
    void finish_path(const Pen& pen);

    // The whole file.
    [[nodiscard]] std::string file(double width_mm, double width, double height, std::string_view title,
                                   std::string_view description) const;

private:
    std::string body_;
    std::string path_;
};

}  // namespace dcube::view

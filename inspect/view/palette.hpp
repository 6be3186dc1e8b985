#pragma once
// The colours of figures: those of the page's light theme (web/page/src/style.css), but for what print needs otherwise.

#include "base/sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>

namespace dcube::view {

struct Colour {
    std::uint8_t red = 0;
    std::uint8_t green = 0;
    std::uint8_t blue = 0;

    friend bool operator==(const Colour&, const Colour&) = default;
};

namespace palette {

// The page's colours: palette.cpp, made of palette.cpp.in, takes them from its style.
extern const std::array<Colour, 8> hues;
extern const Colour progress;  // neither an origin nor a part
extern const Colour bound;     // the cause of the lower bound, and nothing else
extern const Colour wrong;     // idle links, and nothing else
extern const Colour complete;  // a node that has everything

constexpr Colour white{0xff, 0xff, 0xff};
constexpr Colour ink{0x00, 0x00, 0x00};   // in print; the page's is softer
constexpr Colour link{0x99, 0x99, 0x99};  // darker than the page's: printed lines are thin

}  // namespace palette

inline std::string hex(Colour colour)
{
    return fmt::format("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue);
}

inline Colour mixed(Colour a, Colour b, double share_of_b)
{
    const auto channel = [&](std::uint8_t from, std::uint8_t to) {
        return static_cast<std::uint8_t>(std::lround(from + (to - from) * share_of_b));
    };
    return {channel(a.red, b.red), channel(a.green, b.green), channel(a.blue, b.blue)};
}

// The colour of number `index` of `count`: a hue each up to 8, two tones of each up to 16, then hues by the high bits.
inline Colour colour_of(std::uint64_t index, std::uint64_t count)
{
    if (count <= 8)
        return palette::hues[index % 8];
    if (count > 16)
        return palette::hues[as_size(std::min<std::uint64_t>(7, index * 8 / count))];
    const Colour hue = palette::hues[index / 2 % 8];
    return index % 2 == 0 ? hue : mixed(hue, palette::white, .5);
}

// Relative luminance, 0 to 1 (WCAG 2.1).
inline double luminance(Colour colour)
{
    const auto linear = [](std::uint8_t channel) {
        const double value = channel / 255.0;
        return value <= .04045 ? value / 12.92 : std::pow((value + .055) / 1.055, 2.4);
    };
    return .2126 * linear(colour.red) + .7152 * linear(colour.green) + .0722 * linear(colour.blue);
}

// The colour of text on a ground: at least 4.8 : 1 on all hues and tones.
inline Colour text_on(Colour ground)
{
    return luminance(ground) > .18 ? palette::ink : palette::white;
}

}  // namespace dcube::view

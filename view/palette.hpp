#pragma once
// The colours of figures: the light theme of the page, which has its own copy in page/src/style.css. Change both.

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

// Okabe and Ito's, black softened: told apart by colour-blind eyes too.
constexpr std::array<Colour, 8> hues{{{0x00, 0x72, 0xb2},
                                      {0xe6, 0x9f, 0x00},
                                      {0x00, 0x9e, 0x73},
                                      {0xcc, 0x79, 0xa7},
                                      {0x56, 0xb4, 0xe9},
                                      {0xd5, 0x5e, 0x00},
                                      {0xf0, 0xe4, 0x42},
                                      {0x33, 0x3a, 0x44}}};
constexpr Colour white{0xff, 0xff, 0xff};
constexpr Colour ink{0x00, 0x00, 0x00};       // of print; the page's is softer
constexpr Colour link{0x99, 0x99, 0x99};      // darker than the page's: printed lines are thin
constexpr Colour progress{0x4a, 0x56, 0x63};  // neither an origin nor a part
constexpr Colour bound{0x7b, 0x2f, 0xb5};     // what decides the lower bound, and nothing else
constexpr Colour wrong{0xc6, 0x28, 0x28};     // idle links, and nothing else
constexpr Colour complete{0x1b, 0x7f, 0x4b};  // a node that has everything

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

// Of number `index` of `count`: a hue each up to 8, two tones of each up to 16, then hues by the high bits.
inline Colour colour_of(std::uint64_t index, std::uint64_t count)
{
    if (count <= 8)
        return palette::hues[index % 8];
    if (count > 16)
        return palette::hues[std::min<std::uint64_t>(7, index * 8 / count)];
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

// Of text on it: at least 4.8 : 1 on all hues and tones.
inline Colour text_on(Colour ground)
{
    return luminance(ground) > .18 ? palette::ink : palette::white;
}

}  // namespace dcube::view

#pragma once
// Networks and links in words, and text laid out for a screen of 80 columns. For what a collective does, see
// run/describe.hpp.

#include "cli/text/colour.hpp"
#include "run/describe.hpp"

#include <dcube/link.hpp>
#include <dcube/topology.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace dcube::cli {

inline constexpr std::size_t screen_width = 80;

/// "hypercube:8, 256 nodes, all ports".
std::string describe(const Topology& topology, PortModel ports);

/// "graph:dgx1.txt is ghc:2x4, and gets its algorithms and bounds", a line; empty if the network is not recognised.
std::string recognised_line(const Topology& topology);

/// "tau 2.5 ns per byte, beta 1 000 ns per packet, data-driven clock"; "ncube3: " precedes it if these are that
/// machine's numbers.
std::string describe(const LinkModel& link, const Topology& topology);

/// Exact: "1 234 ns", "1 234.25 ns", "3 703/3 ns".
std::string time_text(const Rational& ns);
/// "12.3 beta"; empty if beta is 0.
std::string in_beta_text(const Rational& ns, const LinkModel& link);

/// Lines of at most `width` columns, the second and later ones indented. The first one starts in column `start`.
std::string wrapped(std::string_view text, std::size_t indent = 0, std::size_t start = 0,
                    std::size_t width = screen_width);

/// A label and what belongs to it, in two columns.
std::string row(std::string_view label, std::string_view text);

/// "128 (optimal: <reason>)" or "206 (lower bound 205: <reason>)", as a row.
std::string count_row(std::string_view label, std::uint64_t count, std::uint64_t bound, std::string_view reason,
                      Colour colour);

/// Its columns: COLUMNS, else the width of the terminal, else 80; at least 40, at most 10 000.
std::size_t terminal_width();

}  // namespace dcube::cli

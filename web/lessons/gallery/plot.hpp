#pragma once
/// The output of `dcube compare` for several sizes, as a plot: time over size, a line for each algorithm.

#include <string>
#include <vector>

namespace dcube::gallery {

struct Line {
    std::string algorithm;
    std::vector<double> values;  ///< one for each size
};

enum class Axes { linear, logarithmic };

struct Plot {
    std::vector<double> sizes;  ///< in bytes, ascending
    std::vector<Line> lines;
    std::string unit;  ///< of the values: ns or steps
    Axes axes = Axes::linear;
};

/// A size at which the best algorithm changes.
struct Crossing {
    double size = 0;
    double value = 0;
    double from = 0;  ///< the last size of the one, and
    double to = 0;    ///< the first size of the other; equal to `size` if both are equal there
    std::string before{};
    std::string behind{};
};

/// Reads what `dcube compare ... --format csv` prints. Throws InvalidArgument if there are fewer than two sizes, or an
/// algorithm lacks one of them.
Plot plot_of(const std::string& csv, Axes axes);

std::vector<Crossing> crossings_of(const Plot& plot);

/// A figure in SVG, without colours of its own where the page has them (--hue-0 ..), and the numbers as a table in
/// HTML.
std::string svg_of(const Plot& plot, const std::string& title);
std::string table_of(const Plot& plot);

/// "rotated is best up to 300 bytes, then pipelined." for those who do not see the figure.
std::string words_of(const Plot& plot);

}  // namespace dcube::gallery

#pragma once
// A benchmark's cells as curves: a cell is named by its variables; the cells of a curve have all of them equal but the
// one that it is drawn over. page/src/bench/series.ts does the same for the page.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dcube::view {

enum class Panel { speed_up, throughput, hop };

/// One cell's place in a panel.
struct CurvePoint {
    double x = 0;  ///< threads, bytes, dimension or nodes
    double y = 0;  ///< a ratio, GB/s, or ns a hop
    double low = 0;
    double high = 0;              ///< the 95 % interval of y; both y where nobody knows it
    std::optional<double> limit;  ///< what the machine's limit would give
};

struct Curve {
    std::string label;  ///< what tells it from the panel's other curves
    std::vector<CurvePoint> points;
};

struct PanelCurves {
    Panel panel = Panel::hop;
    std::string common;         ///< what all its cells have in common
    std::string axis;           ///< what x is
    bool x_doubles = false;     ///< wants a logarithmic axis
    bool in_bytes = false;      ///< x is a size
    bool over_threads = false;  ///< x is a number of threads
    std::vector<Curve> curves;
    std::size_t all = 0;  ///< how many curves there would be
};

/// At most so many curves are drawn in a panel.
constexpr std::size_t most_curves = 8;

struct BenchmarkCurves {
    std::string command;
    std::string source;  ///< program, processor, date
    std::vector<PanelCurves> panels;
};

/// The panels that the document has data for. The last, the time of a hop, is there in any case if there is a cell that
/// has one. Throws InvalidArgument if it is no benchmark's document, or has nothing that could be drawn.
BenchmarkCurves curves_of(std::string_view json);

}  // namespace dcube::view

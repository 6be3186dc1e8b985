#pragma once
// Figures for slides and papers: a network with its packets in one moment or several, as SVG.

#include "inspect/view/layouts/layout.hpp"
#include "inspect/view/palette.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dcube::view {

// A cell of a node's box, or of a travelling sum.
struct CellMark {
    double share = 0;  // the filled share, 0 to 1; below 0 there is nothing to wait for
    Colour colour{};
};

struct NodeMark {
    std::vector<CellMark> cells{};
    std::uint64_t kept = 0;  // blocks for others, to be sent on
    std::string number{};    // in the box; may be empty
    bool missing = false;    // crossed out: the network lacks the node
    bool passes_on = false;  // a switch: round, without cells
    bool root = false;
    bool complete = false;
};

struct PacketMark {
    std::uint32_t link = 0;  // directed: 2 i and 2 i + 1 are the two directions of link i
    std::string number{};    // short; may be empty
    Colour colour{};
    std::vector<CellMark> cells{};    // a partial sum travels as a copy of the cells of a node; else none
    std::optional<double> reached{};  // how far it has filled its link, 0 to 1; else it is somewhere on its way
    bool faint = false;               // not what the figure is about
    bool lost = false;                // crossed out: it does not arrive
};

struct FrameMark {
    std::string caption{};  // below it: "step 3"; may be empty
    std::vector<NodeMark> nodes{};
    std::vector<PacketMark> packets{};
    std::vector<std::uint32_t> idle{};  // directed links that bind and carry nothing, dashed
};

struct Figure {
    std::string title{};            // not drawn: for readers of the file and for screen readers
    std::string description{};      // the same
    std::string legend{};           // drawn below all frames; may be empty
    std::vector<Layout> layouts{};  // to choose from: the first in which no packet covers another, or a number
    std::vector<UndirectedLink> links{};
    std::uint32_t columns = 1;  // cells in a box
    std::uint32_t rows = 1;
    std::vector<std::uint32_t> binding{};  // undirected links that decide the bound, ascending
    std::vector<FrameMark> frames{};
};

constexpr double least_width_mm = 20;
constexpr double most_width_mm = 2000;

// Whether packets are large enough to bear their numbers.
bool is_numbered(const Figure& figure, double width_mm);

// The same bytes every time. Frames stand in rows, as many in each as can be read. Throws InvalidArgument for a width
// that is not from 20 to 2000 mm.
std::string svg(const Figure& figure, double width_mm);

}  // namespace dcube::view

#pragma once
// The look of a film in one of its steps: marks for nodes and packets.

#include "inspect/view/document/network.hpp"
#include "inspect/view/film/cells.hpp"
#include "inspect/view/film/holdings.hpp"
#include "inspect/view/svg/figure.hpp"

#include <optional>
#include <vector>

namespace dcube::view {

class States {
public:
    /// The states of a film that has rows, and that outlives this. With an origin only its blocks are shown: a box is
    /// full when that of its node has arrived.
    explicit States(const Film& film, std::optional<NodeId> origin = std::nullopt);

    /// The nodes' holdings when the next step begins; the packets of that step, if there is one, are on their way.
    [[nodiscard]] FrameMark frame(const Holdings& holdings) const;

    /// At a tick, of which `holdings` are: links are filled as far as packets have come.
    [[nodiscard]] FrameMark frame_at(const Holdings& holdings, Time tick) const;

    [[nodiscard]] const Cells& cells() const { return cells_; }

private:
    struct Unit {
        std::uint64_t message;
        std::uint32_t part;
    };

    [[nodiscard]] std::vector<std::uint32_t> idle_beside(const std::vector<PacketMark>& packets) const;
    [[nodiscard]] NodeMark origin_mark(const Holdings& holdings, NodeId node) const;
    [[nodiscard]] NodeMark node_mark(const Holdings& holdings, NodeId node) const;
    [[nodiscard]] std::vector<CellMark> cell_marks(const Holdings& holdings, NodeId node) const;
    [[nodiscard]] CellMark sum_cell(const Holdings& holdings, NodeId node, std::uint32_t cell) const;
    [[nodiscard]] CellMark message_cell(const Holdings& holdings, NodeId node, std::uint32_t cell) const;
    [[nodiscard]] CellMark stretch_cell(const Holdings& holdings, NodeId node, std::uint32_t cell) const;
    [[nodiscard]] bool has_all(const Holdings& holdings, NodeId node) const;
    [[nodiscard]] std::uint64_t kept(const Holdings& holdings, NodeId node) const;
    [[nodiscard]] bool has(const Holdings& holdings, NodeId node, Unit unit) const;

    [[nodiscard]] PacketMark packet_mark(std::size_t flight) const;
    [[nodiscard]] Colour colour_of_row(const Row& row) const;
    [[nodiscard]] Colour colour_of_part(std::uint32_t part) const;

    const Film& film_;
    Cells cells_;
    NodeId nodes_;
    bool one_origin_;                                 // all messages are copies of one
    std::vector<std::vector<std::uint64_t>> needed_;  // messages, by node
    LinkNumbers links_;
    std::vector<std::uint32_t> binding_;  // directed
    std::optional<NodeId> origin_;        // its blocks are shown; none: all origins'
};

}  // namespace dcube::view

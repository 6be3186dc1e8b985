#pragma once
// Stages: how large everything is in a frame, and where the nodes stand. All frames of a figure stand alike.

#include "inspect/view/layouts/fit.hpp"
#include "inspect/view/svg/figure.hpp"
#include "inspect/view/svg/lanes.hpp"

#include <string_view>

namespace dcube::view {

constexpr double type_size = 7.5;  // points; node numbers in large figures are larger

struct Stage {
    const Figure& figure;
    Fitted fitted;
    double label = type_size;
    double cell = 0;    // side
    Box box{};          // a node's, about (0, 0)
    double radius = 0;  // a packet's
    Box extent{};       // around all that may be drawn

    Stage(const Figure& drawn, const Layout& layout, double width);

    // Packets are large enough to bear numbers.
    [[nodiscard]] bool is_numbered() const;
    [[nodiscard]] Lane lane(std::uint32_t directed, double aside) const;
    [[nodiscard]] Box node_box(NodeId node) const;
    // The place of a node's number: the base line's right end, and all of it.
    [[nodiscard]] Point label_base(NodeId node) const;
    [[nodiscard]] Box label_box(NodeId node) const;
    // Half of the width that a packet's mark takes.
    [[nodiscard]] double reach(const PacketMark& packet) const;

private:
    void size(const Variant& variant, double width, double height, double scale);
    void measure();
};

constexpr double token_share = .55;  // of a node's box: a sum on its way

double text_width(std::string_view text, double size);
Box at(const Box& box, Point centre);
Box grown(const Box& box, double by);

}  // namespace dcube::view

#pragma once
// The marks of one frame: links, nodes, packets, where a layout has them.

#include "view/svg/drawing.hpp"
#include "view/svg/stage.hpp"

namespace dcube::view {

void paint(Drawing& drawing, const Stage& stage, const FrameMark& frame);

}  // namespace dcube::view

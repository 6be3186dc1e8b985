#pragma once
// The places of packets on their links: about .62 of the way, so that their direction is seen, and moved a little where
// packets on crossing links would cover each other, a node or a number.

#include "inspect/view/svg/stage.hpp"

namespace dcube::view {

struct Places {
    std::vector<Place> of;    // each packet of the frame
    std::size_t covered = 0;  // packets that cover something all the same
};

Places places_of(const Stage& stage, const FrameMark& frame);

}  // namespace dcube::view

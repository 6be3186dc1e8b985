#pragma once
// Counts of parts of a machine, added up: of its chunks, and of its ranks.

#include "emu/border.hpp"

#include <dcube/counts.hpp>
#include <dcube/world.hpp>

namespace dcube::detail {

// All but steps, times, phases and counters. Of links that carried equally many the first stays: add the parts in
// order.
void add(Counts& counts, const Counts& part);

// All ranks' counts, on all of them, with what crossed between them.
Counts added_up(World& world, const Counts& own, const Border::Traffic& traffic);

}  // namespace dcube::detail

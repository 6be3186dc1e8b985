#pragma once
// The machine that a random program runs on, and its nodes' memory.

#include "tests/support/random_program.hpp"

#include <cstddef>

namespace test_support {

class Draw;

/// The bytes of a node's memory that are filled from the start; received packets go behind them.
inline constexpr std::size_t filled_bytes = 256;

dcube::Topology random_network(Draw& draw);
/// One on which many nodes may follow one script.
dcube::Topology random_symmetric_network(Draw& draw);
/// The capacity of channels: mostly a few packets, up to 64.
std::size_t random_capacity(Draw& draw);
/// Chooses channels, links, and observers of the run.
void choose_machine(RandomProgram& made, Draw& draw);
void choose_labels(RandomProgram& made, Draw& draw);

}  // namespace test_support

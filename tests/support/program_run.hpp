#pragma once
// Random programs on the machine itself: every node's calls are made by a coroutine.

#include "tests/support/random_program.hpp"

namespace test_support {

/// A machine as the program wants it, that runs on as many threads of its own, in every step.
dcube::Machine machine_for(const RandomProgram& program, dcube::ChannelKind channel, unsigned threads);

/// What can be seen of a run. The machine may have run other programs before.
Outcome run_on_machine(const RandomProgram& program, dcube::Machine& machine);

}  // namespace test_support

#pragma once
// Random programs on the machine itself: every node's calls are made by a coroutine.

#include "tests/support/random_program.hpp"

#include <dcube/world.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace test_support {

/// A machine as the program wants it, that runs on as many threads of its own, in every step.
dcube::Machine machine_for(const RandomProgram& program, dcube::ChannelKind channel, unsigned threads,
                           std::shared_ptr<dcube::World> world = {});

/// The observable result of a run. The machine may have run other programs before. `prelude` is called when it is about
/// to run this one.
Outcome run_on_machine(const RandomProgram& program, dcube::Machine& machine,
                       const std::function<void()>& prelude = {});

/// The same on a machine that is spread over ranks, `times` times one after the other: what their nodes have, put
/// together.
std::vector<Outcome> run_on_ranks(const RandomProgram& program, dcube::ChannelKind channel, unsigned threads,
                                  unsigned ranks, std::size_t times);

}  // namespace test_support

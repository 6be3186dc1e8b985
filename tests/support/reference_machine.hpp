#pragma once
// The machine in its plainest form, for tests alone: one thread, queues, steps, rules and virtual time, written to be
// believed and not to be fast. It shares nothing with emu/ but topologies, names and the types of results.

#include "tests/support/random_program.hpp"

#include <optional>

namespace test_support {

/// The order in which the nodes of a step have their turns: nothing may depend on it.
enum class Turns { ascending, descending };

/// The outcome of such a program; none if one node writes bytes in the very step in which another reads them, so that
/// the machine's behaviour is not defined.
std::optional<Outcome> run_on_reference(const RandomProgram& program, Turns turns);

}  // namespace test_support

#pragma once
// Several ranks of a program, started by MPI's launcher.

#include "tests/support/process.hpp"

#include <string>
#include <vector>

namespace dcube::test {

/// The environment of launchers and ranks: more ranks than there are cores are allowed, and root is.
Variables rank_variables();

/// The command with which mpirun starts this many ranks of a program.
Start ranks_of(const std::string& program, unsigned ranks);

/// The outcome of a launch.
Outcome launched(const std::string& program, unsigned ranks, const std::vector<std::string>& arguments);

/// The lines that dcube has said on standard error: launchers say something, too.
std::vector<std::string> complaints(const Outcome& outcome);

}  // namespace dcube::test

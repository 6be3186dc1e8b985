#pragma once
// The programs beside this one.

#include <cstdint>
#include <string>

namespace dcube::cli {

/// The path of the program of this name in the folder of this one; empty if there is none.
std::string program_beside(const char* name);

/// Executes this command line as so many ranks of dcube-mpi: mpirun takes this process's place. Throws InvalidArgument
/// if it cannot be started.
[[noreturn]] void execute_as_ranks(std::uint64_t ranks, const char* const* argv);

}  // namespace dcube::cli

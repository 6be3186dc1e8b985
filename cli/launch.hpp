#pragma once
// Starting the ranks: what --ranks and --launcher ask for.

#include <cstdint>
#include <optional>
#include <string>

namespace dcube::cli {

struct LaunchRequest {
    std::optional<std::uint64_t> ranks{};
    std::optional<std::uint64_t> rank_timeout{};  ///< seconds; nothing is started for it, and others must be there
    std::optional<std::string> launcher{};        ///< a command, instead of mpirun and the options that it gets
};

/// The values of these options on the command line that is being executed.
LaunchRequest& launch_request();

/// Starts this command line again as the requested number of ranks, and waits until the launcher ends. Returns the
/// launcher's exit code, or another one if a rank was ended by a signal or no rank came to its end, which is reported.
/// Returns nothing if nothing has to be started, or if the ranks already exist. Throws InvalidArgument if the ranks
/// cannot be started, or if another number of them was started.
std::optional<int> launch(const LaunchRequest& request, const char* const* argv);

/// Removes the first argument if it is the one that marks a process started by launch().
void take_launch_word(int& argc, char**& argv);
/// Whether launch() has started this process. If so, launch() reports what has ended the ranks.
bool launched_by_dcube();
/// Notifies launch(), which is waiting, that all ranks have come to their end. All of them call it last.
void say_farewell();

/// The path of the program of this name in the folder of this one; empty if there is none.
std::string program_beside(const char* name);

constexpr const char* how_to_get_mpi = "./dcube mpi-setup installs MPI and builds dcube-mpi";

}  // namespace dcube::cli

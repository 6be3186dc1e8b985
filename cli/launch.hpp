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

/// Starts this command line anew as so many ranks, and waits for the launcher's end. The exit code: the launcher's, or
/// another where a rank was ended by a signal, or none has come to its end, which is said. Nothing where nothing is to
/// be started, or the ranks are there. Throws InvalidArgument where they cannot be started, or others were.
std::optional<int> launch(const LaunchRequest& request, const char* const* argv);

/// Of a process that launch() has started: its first argument says so, and is taken away.
void take_launch_word(int& argc, char**& argv);
/// Whether it is one. Then launch() says what has ended the ranks.
bool launched_by_dcube();
/// Tells launch(), where it waits, that all ranks have come to their end. All of them call it last.
void say_farewell();

/// The path of dcube-mpi, which stands beside this program; empty if there is none.
std::string program_with_mpi();

constexpr const char* how_to_get_mpi = "./dcube mpi-setup installs MPI and builds dcube-mpi";

}  // namespace dcube::cli

#pragma once
// Starting the ranks: what --ranks and --launcher ask for.

#include <cstdint>
#include <optional>
#include <string>

namespace dcube::cli {

struct LaunchWish {
    std::optional<std::uint64_t> ranks{};
    std::optional<std::string> launcher{};  ///< a command, instead of mpirun and the options that it gets
};

/// Starts this command line anew as so many ranks: the launcher takes this process' place. Returns where nothing is to
/// be started, or the ranks are there. Throws InvalidArgument where they cannot be started, or others were.
void launch(const LaunchWish& wish, const char* const* argv);

/// The path of dcube-mpi, which stands beside this program; empty if there is none.
std::string program_with_mpi();

constexpr const char* how_to_get_mpi = "./dcube mpi-setup installs MPI and builds dcube-mpi";

}  // namespace dcube::cli

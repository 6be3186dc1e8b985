#pragma once
// The ranks that this program runs on: one, or those that mpirun has started as dcube-mpi.

#include <dcube/world.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace dcube::cli {

/// The values of --ranks and --rank-timeout on the command line that is being executed.
struct RankOptions {
    std::optional<std::uint64_t> ranks{};
    std::optional<std::uint64_t> timeout{};  ///< seconds
};
RankOptions& rank_options();

/// Returns if this process is one of as many ranks as the options ask for. If it is alone, they are started and take
/// its place. Throws InvalidArgument if there is another number of them, or they cannot be started.
void become_ranks(const char* const* argv);

// The only differences between dcube (without_mpi.cpp) and dcube-mpi (with_mpi.cpp):
/// All ranks that were started together.
std::shared_ptr<World> world_of_program(double rank_timeout);
/// Starts ranks of this command line in the place of this process, which is alone. Throws InvalidArgument if it cannot.
[[noreturn]] void start_ranks(std::uint64_t ranks, const char* const* argv);
/// Which MPI this program has, for --version.
std::string mpi_of_program();

/// The world over which machines are spread: world_alone() until run_program() has found more ranks.
const std::shared_ptr<World>& shared_world();
World& process_world();

/// Whether this process is the one that prints output, errors and progress: rank 0.
bool is_output_rank();

/// Finds the other ranks, and releases them when it is destroyed. run_program() has one.
class Ranks {
public:
    Ranks() = default;
    ~Ranks();
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;

    /// Called by all ranks, with their command lines. Throws InvalidArgument, on all of them, if versions or arguments
    /// differ.
    void find(int argc, char** argv);

    /// All ranks call it last, each with its own exit code and the reason for it. Returns the code of the lowest rank
    /// with a code other than 0; if that is not rank 0, rank 0 prints the reason. Ranks that wait for this one
    /// elsewhere are ended.
    [[nodiscard]] int leave(int code, std::string_view why);
};

}  // namespace dcube::cli

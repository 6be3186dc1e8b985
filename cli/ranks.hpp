#pragma once
// The ranks that this program runs on: one, or those that MPI's launcher has started.

#include <dcube/world.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace dcube::cli {

/// The ranks that were started together.
struct Launched {
    unsigned ranks = 1;
    unsigned rank = 0;
    std::string by{};  ///< for messages: the launcher; empty if none is known to have started this process
};

/// From the environment, without MPI.
Launched launched();

/// The world of a process that was started with others; does not return if another program takes this one's place.
/// Throws InvalidArgument if there is no such world. `argv` is the command line. This function and the next
/// are the only difference between dcube (without_mpi.cpp) and dcube-mpi (with_mpi.cpp).
std::shared_ptr<World> world_of_program(const Launched& launched, char** argv, double rank_timeout);
/// Which MPI this program has, for --version.
std::string mpi_of_program();

/// What a machine is to be spread over: world_alone() until run_program() has found that there are more.
const std::shared_ptr<World>& shared_world();
World& process_world();

/// Whether this process is the one that prints, complains and shows how far it is: rank 0.
bool is_output_rank();

/// Finds the other ranks, and releases them when it is destroyed. run_program() has one.
class Ranks {
public:
    Ranks() = default;
    ~Ranks();
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;

    /// All ranks call it, with their command lines. Throws InvalidArgument, on all of them, where versions or arguments
    /// differ, or the launcher does not go with this program.
    void find(int argc, char** argv);

    /// All ranks call it last, each with its own exit code and the reason for it. Returns the code of the lowest rank
    /// with a code other than 0; if that is not rank 0, rank 0 prints the reason. Ranks that wait for this one
    /// elsewhere are ended.
    [[nodiscard]] int leave(int code, std::string_view why);
};

}  // namespace dcube::cli

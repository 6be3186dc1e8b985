#pragma once
// The ranks that this program runs on: one, or those that MPI's launcher has started.

#include <dcube/world.hpp>

#include <memory>
#include <string_view>

namespace dcube::cli {

/// What a machine is to be spread over: world_alone() until main() has found out that there are more.
const std::shared_ptr<World>& shared_world();
World& process_world();

/// Whether this process is the one that prints, complains and shows how far it is: rank 0.
bool is_output_rank();

/// Finds the others, and lets go of them when it ends. main() has one.
class Ranks {
public:
    Ranks() = default;
    ~Ranks();
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;

    /// All ranks call it, with their command lines. Throws InvalidArgument, on all of them, where versions or arguments
    /// differ, or the launcher does not go with this program.
    void find(int argc, char** argv);

    /// All ranks call it last, with the exit code that each would have, and why: the code of the lowest rank that has
    /// one other than 0; if rank 0 has none, it complains of that. Whoever waits for this rank elsewhere is ended.
    [[nodiscard]] int leave(int code, std::string_view why);
};

}  // namespace dcube::cli

#pragma once
/// @file
/// The processes that an MPI launcher has started, as a World. Component dcube::mpi: a build without MPI lacks it.

#include <dcube/world.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#pragma GCC visibility push(default)
namespace dcube {

/// @addtogroup hosts
/// @{

/// Options for waiting between ranks and for cutting their messages.
struct MpiOptions {
    /// Seconds after which a rank that has waited in vain ends all of them; 0: never. For launchers that do not end the
    /// others when one has died.
    double rank_timeout = 0;
    /// Bytes after which a message is cut; less than 1 GiB, which is the most, is for tests.
    std::size_t longest_piece = std::size_t{1} << 30;
};

/// The ranks of MPI_COMM_WORLD. While it lives, only the thread that made it may call MPI.
///
/// Its end is for all ranks together, too: ranks that wait for one that has left, by leave() or by destroying this,
/// never wait in vain: they end all processes. So does a rank that destroys it because of an exception, or that calls
/// exit() before.
class MpiWorld : public World {
public:
    /// A rank's last message when it leaves: an exit code and a reason.
    struct LastWord {
        unsigned rank = 0;  ///< who said it
        int code = 0;       ///< 0: all is well
        std::string why{};  ///< its first 200 bytes
    };
    /// Ends the world, as the last call of all ranks. `code` is this rank's exit code, and `why` its reason. Returns
    /// the word of the lowest rank whose code is not 0; rank 0's if all are 0.
    [[nodiscard]] virtual LastWord leave(int code, std::string_view why) = 0;
};

/// Initialises MPI, unless that has been done, and finalises it when it is destroyed: once in a process.
std::shared_ptr<MpiWorld> world_of_mpi(const MpiOptions& options = {});

/// MPI implementation and version: "Open MPI v4.1.4".
std::string mpi_version();

/// @}

}  // namespace dcube
#pragma GCC visibility pop

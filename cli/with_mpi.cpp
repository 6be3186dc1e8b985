// dcube-mpi: has the ranks of MPI.

#include "cli/ranks.hpp"

#include <dcube/error.hpp>
#include <dcube/mpi.hpp>

#include <fmt/format.h>

namespace dcube::cli {

std::shared_ptr<World> world_of_program(const Launched& launched, char**, double rank_timeout)
{
    auto world = world_of_mpi({.rank_timeout = rank_timeout});
    const unsigned ranks = world->ranks();
    if (ranks == launched.ranks)
        return world;
    world.reset();  // an exception that passes it would end all ranks
    throw InvalidArgument(
        fmt::format("{} has started {} ranks, but {}, for which this dcube-mpi was built, knows of {}: start it with "
                    "the launcher of that MPI",
                    launched.by, launched.ranks, mpi_version(), ranks));
}

std::string mpi_of_program()
{
    return mpi_version();
}

}  // namespace dcube::cli

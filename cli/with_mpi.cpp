// dcube-mpi: has the ranks of MPI.

#include "cli/ranks.hpp"

#include <dcube/error.hpp>
#include <dcube/mpi.hpp>

#include <fmt/format.h>

namespace dcube::cli {

std::shared_ptr<World> world_of_program(double rank_timeout)
{
    std::shared_ptr<World> world = world_of_mpi({.rank_timeout = rank_timeout});
    return world->ranks() > 1 ? world : world_alone();
}

void start_ranks(std::uint64_t ranks, const char* const*)
{
    throw InvalidArgument(fmt::format("--ranks {}, but this dcube-mpi runs alone: it is started by dcube, or by the "
                                      "mpirun of the MPI for which it was built, {}",
                                      ranks, mpi_version()));
}

std::string mpi_of_program()
{
    return mpi_version();
}

}  // namespace dcube::cli

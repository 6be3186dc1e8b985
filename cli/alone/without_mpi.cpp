// Ranks in WebAssembly: there is one, and no other process can be started.

#include "cli/ranks.hpp"

#include <dcube/error.hpp>

namespace dcube::cli {

std::shared_ptr<World> world_of_program(double)
{
    return world_alone();
}

void start_ranks(std::uint64_t, const char* const*)
{
    throw InvalidArgument("--ranks needs processes and MPI, which dcube's npm package lacks: ./dcube mpi-setup in "
                          "dcube's source folder builds the program that has them");
}

std::string mpi_of_program()
{
    return "none";
}

}  // namespace dcube::cli

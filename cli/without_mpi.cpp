// dcube: has no ranks but this one. dcube-mpi takes its place where others are asked for.

#include "cli/launch.hpp"
#include "cli/ranks.hpp"

namespace dcube::cli {

std::shared_ptr<World> world_of_program(double)
{
    return world_alone();
}

void start_ranks(std::uint64_t ranks, const char* const* argv)
{
    execute_as_ranks(ranks, argv);
}

std::string mpi_of_program()
{
    return program_beside("dcube-mpi").empty() ? "none"
                                               : "in dcube-mpi, which --ranks starts and whose --version says more";
}

}  // namespace dcube::cli

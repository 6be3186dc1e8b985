// dcube: has no ranks but this one. Where it was started with others, dcube-mpi takes its place.

#include "cli/launch.hpp"
#include "cli/ranks.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace dcube::cli {

std::shared_ptr<World> world_of_program(const Launched& launched, char** argv, double)
{
    const std::string program = program_beside("dcube-mpi");
    if (program.empty())
        throw InvalidArgument(fmt::format("{} has started {} ranks, and this dcube was built without MPI: {}",
                                          launched.by, launched.ranks, how_to_get_mpi));
    execv(program.c_str(), argv);
    throw InvalidArgument(fmt::format("cannot start {}: {}", program, std::generic_category().message(errno)));
}

std::string mpi_of_program()
{
    return program_beside("dcube-mpi").empty() ? "none"
                                               : "in dcube-mpi, which --ranks starts and whose --version says more";
}

}  // namespace dcube::cli

// dcube: has no ranks but this one. Where others are asked for, mpirun takes its place and starts dcube-mpi, which is
// beside it.

#include "cli/files/this_program.hpp"
#include "cli/ranks.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

namespace dcube::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* how_to_get_mpi = "./dcube mpi-setup installs MPI and builds dcube-mpi";

bool can_be_run(const fs::path& file)
{
    std::error_code ignored;
    return fs::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0;
}

// Empty if there is none.
std::string dcube_mpi()
{
    const fs::path program = program_folder() / "dcube-mpi";
    return can_be_run(program) ? program.string() : "";
}

// mpirun of the MPI that this program was built with, if it still exists, else the one in PATH.
std::string mpirun()
{
    const std::string built_with = DCUBE_MPIRUN;
    return can_be_run(built_with) ? built_with : "mpirun";
}

// Settings for Open MPI 4 and 5, which other MPIs ignore: root may start ranks, there may be more ranks than cores,
// their threads may use every core, and Open MPI adds no message when a rank fails.
constexpr std::pair<const char*, const char*> variables[]{{"OMPI_ALLOW_RUN_AS_ROOT", "1"},
                                                          {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
                                                          {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
                                                          {"PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"},
                                                          {"OMPI_MCA_hwloc_base_binding_policy", "none"},
                                                          {"PRTE_MCA_hwloc_default_binding_policy", "none"},
                                                          {"OMPI_MCA_orte_execute_quiet", "1"},
                                                          {"PRTE_MCA_prte_execute_quiet", "1"}};

}  // namespace

std::shared_ptr<World> world_of_program(double)
{
    return world_alone();
}

void start_ranks(std::uint64_t ranks, const char* const* argv)
{
    const std::string program = dcube_mpi();
    if (program.empty())
        throw InvalidArgument(
            fmt::format("--ranks needs MPI, and this dcube was built without it: {}", how_to_get_mpi));
    for (const auto& [name, value] : variables)
        setenv(name, value, 0);
    std::vector<std::string> words{mpirun(), "-n", std::to_string(ranks), program};
    for (const char* const* word = argv + 1; *word != nullptr; ++word)
        words.emplace_back(*word);
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    execvp(pointers.front(), pointers.data());
    throw InvalidArgument(fmt::format("--ranks cannot start {}: {}; {}", words.front(),
                                      std::generic_category().message(errno), how_to_get_mpi));
}

std::string mpi_of_program()
{
    return dcube_mpi().empty() ? "none" : "in dcube-mpi, which --ranks starts and whose --version says more";
}

}  // namespace dcube::cli

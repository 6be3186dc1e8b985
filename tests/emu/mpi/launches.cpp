#include "tests/emu/mpi/launches.hpp"

namespace dcube::test {

Variables rank_variables()
{
    return {{"OMPI_ALLOW_RUN_AS_ROOT", "1"},
            {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
            {"OMPI_MCA_orte_execute_quiet", "1"},
            {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
            {"OMPI_MCA_hwloc_base_binding_policy", "none"},
            {"PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"},
            // MPI leaks in modules that are unloaded before one could say which
            {"ASAN_OPTIONS", "detect_leaks=0"}};
}

Start ranks_of(const std::string& program, unsigned ranks)
{
    return {.variables = rank_variables(), .program = {DCUBE_MPIRUN, "-n", std::to_string(ranks), program}};
}

Outcome launched(const std::string& program, unsigned ranks, const std::vector<std::string>& arguments)
{
    return dcube_program(arguments, ranks_of(program, ranks));
}

std::vector<std::string> complaints(const Outcome& outcome)
{
    std::vector<std::string> lines = lines_of(outcome.err);
    std::erase_if(lines, [](const std::string& line) { return !line.starts_with("dcube: "); });
    return lines;
}

}  // namespace dcube::test

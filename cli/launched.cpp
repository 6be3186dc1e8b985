#include "cli/launched.hpp"

#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace dcube::cli {

namespace {

std::optional<unsigned> number_in(const char* variable)
{
    const char* const text = std::getenv(variable);
    if (text == nullptr)
        return {};
    const std::string_view digits = text;
    unsigned number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc() || end != digits.data() + digits.size())
        return {};
    return number;
}

struct Launcher {
    const char* name;
    const char* ranks;
    const char* rank;
    const char* besides;  // what must be set, too; Slurm says how many there are to those that it does not connect
};

constexpr Launcher launchers[]{
    {"mpirun of Open MPI", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", nullptr},
    {"a launcher with PMI, as MPICH has it,", "PMI_SIZE", "PMI_RANK", nullptr},
    {"srun", "SLURM_NTASKS", "SLURM_PROCID", "PMIX_RANK"},
    {"srun", "SLURM_NTASKS", "SLURM_PROCID", "PMI_FD"},
};

}  // namespace

Launched launched()
{
    for (const Launcher& one : launchers) {
        const std::optional<unsigned> ranks = number_in(one.ranks);
        const std::optional<unsigned> rank = number_in(one.rank);
        if (ranks && rank && *rank < *ranks && (one.besides == nullptr || std::getenv(one.besides) != nullptr))
            return {*ranks, *rank, one.name};
    }
    return {};
}

}  // namespace dcube::cli

#include "cli/ranks.hpp"

#include "base/numbers.hpp"
#include "cli/output.hpp"

#include <dcube/mpi.hpp>
#include <dcube/version.hpp>

#include <fmt/format.h>

#include <bit>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace dcube::cli {

namespace {

std::optional<unsigned> number_in(const char* variable)
{
    const char* const text = std::getenv(variable);
    if (text == nullptr)
        return {};
    return parsed_number<unsigned>(text);
}

struct Launcher {
    const char* name;
    const char* ranks;
    const char* rank;
    const char* besides;  // must be set, too: Slurm gives the numbers even to processes that it does not connect
};

constexpr Launcher launchers[]{
    {"mpirun of Open MPI", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", nullptr},
    {"a launcher with PMI, as MPICH has it,", "PMI_SIZE", "PMI_RANK", nullptr},
    {"srun", "SLURM_NTASKS", "SLURM_PROCID", "PMIX_RANK"},
    {"srun", "SLURM_NTASKS", "SLURM_PROCID", "PMI_FD"},
};

std::shared_ptr<World>& current_world()
{
    static std::shared_ptr<World> world = world_alone();
    return world;
}

// --rank-timeout is in force from the start, before the command line is parsed; a wrong value is reported only then.
// Its beginning will do, from where --ranks, too, begins with it no more.
double rank_timeout_in(int argc, char** argv)
{
    constexpr std::string_view name = "--rank-timeout";
    constexpr std::string_view shortest = "--rank-";
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        const std::string_view typed = word.substr(0, word.find('='));
        if (!typed.starts_with(shortest) || !name.starts_with(typed))
            continue;
        if (typed.size() < word.size())
            return std::atof(argv[i] + typed.size() + 1);
        if (i + 1 < argc)
            return std::atof(argv[i + 1]);
    }
    return 0;
}

// The name of the program may differ: a path, dcube or dcube-mpi.
std::string arguments(int argc, char** argv)
{
    std::string all;
    for (int i = 1; i < argc; ++i)
        all.append(argv[i]).push_back('\0');
    return all;
}

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

const std::shared_ptr<World>& shared_world()
{
    return current_world();
}

World& process_world()
{
    return *current_world();
}

bool is_output_rank()
{
    const World& world = process_world();
    return world.ranks() > 1 ? world.rank() == 0 : launched().rank == 0;
}

void Ranks::find(int argc, char** argv)
{
    const Launched start = launched();
    if (start.ranks == 1)
        return;
    current_world() = world_of_program(start, argv, rank_timeout_in(argc, argv));
    const bool little = std::endian::native == std::endian::little;
    require_same(process_world(), "the version of dcube",
                 fmt::format("{} {} {}", version(), little ? "little" : "big", sizeof(void*)));
    require_same(process_world(), "the arguments", arguments(argc, argv));
}

int Ranks::leave(int code, std::string_view why)
{
    auto* const world = dynamic_cast<MpiWorld*>(&process_world());
    if (world == nullptr)
        return code;
    const MpiWorld::LastWord last = world->leave(code, why);
    if (last.rank != 0 && !last.why.empty())
        complain(fmt::format("rank {}: {}", last.rank, last.why));
    return last.code;
}

Ranks::~Ranks()
{
    current_world() = world_alone();
}

}  // namespace dcube::cli

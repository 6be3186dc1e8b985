#include "cli/ranks.hpp"

#include "cli/output.hpp"

#include <dcube/error.hpp>
#include <dcube/mpi.hpp>
#include <dcube/version.hpp>

#include <fmt/format.h>

#include <bit>
#include <cstdlib>

namespace dcube::cli {

namespace {

std::shared_ptr<World>& current_world()
{
    static std::shared_ptr<World> world = world_alone();
    return world;
}

// --rank-timeout is in force from the start, before the command line is parsed; a wrong value is reported only then.
double rank_timeout_in(int argc, char** argv)
{
    constexpr std::string_view name = "--rank-timeout";
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word == name && i + 1 < argc)
            return std::atof(argv[i + 1]);
        if (word.starts_with(name) && word.substr(name.size()).starts_with('='))
            return std::atof(argv[i] + name.size() + 1);
    }
    return 0;
}

// The name of the program may differ: a path.
std::string arguments(int argc, char** argv)
{
    std::string all;
    for (int i = 1; i < argc; ++i)
        all.append(argv[i]).push_back('\0');
    return all;
}

}  // namespace

RankOptions& rank_options()
{
    static RankOptions only;
    return only;
}

void become_ranks(const char* const* argv)
{
    const RankOptions& asked = rank_options();
    const unsigned started = process_world().ranks();
    if (started > 1 && asked.ranks && *asked.ranks != started)
        throw InvalidArgument(fmt::format("--ranks {}, but {} were started: leave --ranks out", *asked.ranks, started));
    if (started == 1 && asked.ranks.value_or(1) > 1)
        start_ranks(*asked.ranks, argv);
    if (started == 1 && asked.timeout)
        throw InvalidArgument("--rank-timeout is for several ranks: give --ranks, too");
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
    return process_world().rank() == 0;
}

void Ranks::find(int argc, char** argv)
{
    current_world() = world_of_program(rank_timeout_in(argc, argv));
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

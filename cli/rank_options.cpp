#include "cli/rank_options.hpp"

namespace dcube::cli {

namespace {

constexpr NumberRange rank_numbers{1, 65'536};
constexpr NumberRange seconds{1, 1'000'000};

// One, though every command has its options: a command line has one command.
LaunchRequest& request()
{
    static LaunchRequest only;
    return only;
}

}  // namespace

RankOptions::RankOptions(CLI::App& app)
{
    add_number(app, {"--ranks", "P", "processes that share the nodes, by MPI [1]", "Machine"}, rank_numbers,
               request().ranks);
    add_text(app, {"--launcher", "COMMAND", "what starts them, with its options [mpirun]", "Machine"},
             request().launcher);
    add_number(app, {"--rank-timeout", "S", "abort if a rank does not respond for S seconds [never]", "Machine"},
               seconds,
               request().rank_timeout);  // cli/ranks.cpp reads it before: it counts from the beginning
}

const LaunchRequest& launch_request()
{
    return request();
}

}  // namespace dcube::cli

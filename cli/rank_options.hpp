#pragma once
// --ranks, --launcher and --rank-timeout: for commands that are spread over several ranks.

#include "cli/arguments.hpp"
#include "cli/launch.hpp"

namespace dcube::cli {

class RankOptions {
public:
    explicit RankOptions(CLI::App& app);
    RankOptions(const RankOptions&) = delete;
    RankOptions& operator=(const RankOptions&) = delete;
};

/// What the options of the command that was parsed say.
const LaunchRequest& launch_request();

}  // namespace dcube::cli

#pragma once
// Who has started this process, as far as MPI's launchers say it to those that they start.

#include <string>

namespace dcube::cli {

/// The ranks that were started together.
struct Launched {
    unsigned ranks = 1;
    unsigned rank = 0;
    std::string by{};  ///< for messages: the launcher; empty if none is known to have started this process
};

/// From the environment, without MPI.
Launched launched();

}  // namespace dcube::cli

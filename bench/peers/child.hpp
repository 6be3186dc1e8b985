#pragma once
// Another program, run to its end or to a limit of time.

#include <string>
#include <vector>

namespace peers {

struct Child {
    int exit_code = -1;    ///< 128 + the signal where one ended it
    bool stopped = false;  ///< by the limit
    std::string out;
    std::string err;
};

/// Runs the program in a session of its own. When `limit_seconds` are over it is asked to end, and two seconds later at
/// the latest every process is killed that it has started, and that those have: also in sessions of their own, as ranks
/// of MPI are, and so is any other child of this process. If this process is interrupted meanwhile, the program is
/// asked to end. Throws std::system_error if it cannot be started.
Child run_child(const std::vector<std::string>& words, double limit_seconds);

}  // namespace peers

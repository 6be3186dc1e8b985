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

/// Runs the program in a session of its own. When `limit_seconds` are over it is asked to end, and soon afterwards
/// every process of that session is killed: also those that have left the group of their parent, as ranks of MPI do.
/// The same happens if this process is interrupted meanwhile. Throws std::system_error if it cannot be started.
Child run_child(const std::vector<std::string>& words, double limit_seconds);

}  // namespace peers

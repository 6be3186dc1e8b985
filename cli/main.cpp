// dcube, and dcube-mpi.

#include "cli/launch.hpp"
#include "cli/program.hpp"
#include "cli/ranks.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <tuple>

namespace {

// Where the caller has closed a standard stream, the next file would be opened in its place and get what is meant for
// the stream. What is put there instead cannot be read (standard input) or written (the others), as if still closed.
void fill_closed_streams()
{
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (fcntl(stream, F_GETFD) < 0)  // open takes the least number that is free: this one
            std::ignore = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

}  // namespace

int main(int argc, char** argv)
{
    fill_closed_streams();
    dcube::cli::take_launch_word(argc, argv);
    dcube::cli::Ranks ranks;
    const dcube::cli::End end = dcube::cli::execute(argc, argv, [&] { ranks.find(argc, argv); });
    const int code = ranks.leave(end.code, end.why);
    dcube::cli::say_farewell();
    return code;
}

// The program as a process: its standard streams, its signals and its ranks.

#include "cli/program.hpp"
#include "cli/ranks.hpp"

#include <dcube/program.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <tuple>
#include <vector>

namespace dcube::cli {

namespace {

// Opens /dev/null in place of each standard stream that the caller has closed. Otherwise the next file would be opened
// in its place and get the stream's output. The mode keeps the stream unusable: standard input cannot be read, the
// others cannot be written.
void fill_closed_streams()
{
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (fcntl(stream, F_GETFD) < 0)  // open takes the least number that is free: this one
            std::ignore = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

}  // namespace

}  // namespace dcube::cli

namespace dcube {

int run_program(std::vector<std::string> words)
{
    using namespace cli;
    fill_closed_streams();
    std::signal(SIGXFSZ, SIG_IGN);  // a file that is larger than the limit is an error of its writing
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    const int argc = static_cast<int>(words.size());
    char** const argv = pointers.data();
    Ranks ranks;
    const End end = execute(argc, argv, [&] { ranks.find(argc, argv); });
    return ranks.leave(end.code, end.why);
}

}  // namespace dcube

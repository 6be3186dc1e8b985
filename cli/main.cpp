// dcube: the program. Lists the commands, executes the one that is asked for, and turns errors into one line and an
// exit code.

#include "cli/arguments.hpp"
#include "cli/failed_allocation.hpp"
#include "cli/output.hpp"
#include "cli/ranks.hpp"

#include <dcube/error.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <tuple>

namespace dcube::cli {

// Each in its own file in commands/.
extern const Command run_command;
extern const Command verify_command;
extern const Command replay_command;
extern const Command compare_command;
extern const Command bench_command;
extern const Command view_command;
extern const Command histogram_command;
extern const Command info_command;
extern const Command explain_command;
extern const Command limits_command;
extern const Command list_command;
extern const Command help_command;
extern const Command completion_command;
extern const Command export_command;

}  // namespace dcube::cli

namespace {

using namespace dcube::cli;

constexpr const Command* commands[] = {&run_command,   &verify_command,    &replay_command, &compare_command,
                                       &bench_command, &limits_command,    &view_command,   &histogram_command,
                                       &info_command,  &explain_command,   &list_command,   &export_command,
                                       &help_command,  &completion_command};

enum Exit : int { failed = 1, unusable = 2, interrupted = 130 };

// The exit code of a rank, and the error that it ends with.
struct End {
    int code = 0;
    std::string why{};
};

End told(const char* message, Exit code)
{
    complain(message);
    return {code, message};
}

// Where the caller has closed a standard stream, the next file would be opened in its place and get what is meant for
// the stream. What is put there instead cannot be read (standard input) or written (the others), as if still closed.
void fill_closed_streams()
{
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (fcntl(stream, F_GETFD) < 0)  // open takes the least number that is free: this one
            std::ignore = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

End execute(Ranks& ranks, int argc, char** argv)
{
    try {
        ranks.find(argc, argv);
        return {run_command_line(argc, argv, commands)};
    } catch (const dcube::InvalidArgument& error) {
        return told(error.what(), unusable);
    } catch (const dcube::Interrupted& error) {
        return told(error.what(), interrupted);
    } catch (const std::bad_alloc&) {
        return told(out_of_memory_text().c_str(), unusable);
    } catch (const std::length_error&) {  // more than any memory has
        return told("out of memory: more bytes were asked for than there are addresses", unusable);
    } catch (const std::system_error& error) {
        return told(error.what(), unusable);
    } catch (const std::exception& error) {
        return told(error.what(), failed);
    }
}

}  // namespace

int main(int argc, char** argv)
{
    fill_closed_streams();
    Ranks ranks;
    const End end = execute(ranks, argc, argv);
    return ranks.leave(end.code, end.why);
}

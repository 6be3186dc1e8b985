#include "cli/program.hpp"

#include "cli/arguments.hpp"
#include "cli/failed_allocation.hpp"
#include "cli/files/interrupt.hpp"
#include "cli/output.hpp"

#include <dcube/error.hpp>

#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

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

namespace {

constexpr const Command* commands[] = {&run_command,   &verify_command,    &replay_command, &compare_command,
                                       &bench_command, &limits_command,    &view_command,   &histogram_command,
                                       &info_command,  &explain_command,   &list_command,   &export_command,
                                       &help_command,  &completion_command};

enum Exit : int { failed = 1, unusable = 2, interrupted = 130 };

End told(const char* message, Exit code)
{
    if (*message != '\0')
        complain(message);
    return {code, message};
}

}  // namespace

End execute(int argc, const char* const* argv, const std::function<void()>& first)
{
    try {
        first();
        return {run_command_line(argc, argv, commands)};
    } catch (const InvalidArgument& error) {
        return told(error.what(), unusable);
    } catch (const Interrupted&) {
        return told(std::string(interruption_text()).c_str(), interrupted);
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

}  // namespace dcube::cli

#include "cli/program.hpp"

#include "base/numbers.hpp"
#include "cli/arguments.hpp"
#include "cli/files/interrupt.hpp"
#include "cli/output.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

namespace {

std::atomic<std::size_t> failed_bytes = 0;

}  // namespace

// std::bad_alloc does not say what was asked for, so the program's operator new notes it. Weak: a program of one's own
// that links the commands may have another.
// (Where g++ 12 inlines the deletes, it takes them for mismatched.)
#ifndef DCUBE_SANITIZED
[[gnu::weak]] void* operator new(std::size_t bytes)
{
    for (;;) {
        if (void* const memory = std::malloc(bytes == 0 ? 1 : bytes))
            return memory;
        if (const std::new_handler handler = std::get_new_handler()) {
            handler();
            continue;
        }
        failed_bytes = bytes;
        throw std::bad_alloc();
    }
}

[[gnu::weak, gnu::noinline]] void operator delete(void* memory) noexcept
{
    std::free(memory);
}

[[gnu::weak, gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory);
}
#endif

namespace dcube::cli {

// The commands, each in its own file in commands/.
extern const Command run_command;
extern const Command verify_command;
extern const Command replay_command;
extern const Command compare_command;
extern const Command bench_command;
extern const Command view_command;
extern const Command lab_command;
extern const Command histogram_command;
extern const Command info_command;
extern const Command explain_command;
extern const Command limits_command;
extern const Command scale_command;
extern const Command self_test_command;
extern const Command list_command;
extern const Command help_command;
extern const Command export_command;

namespace {

std::vector<const Command*> all_commands()
{
    std::vector<const Command*> all{&run_command,    &view_command,   &explain_command,   &compare_command,
                                    &info_command,   &bench_command,  &scale_command,     &verify_command,
                                    &replay_command, &export_command, &lab_command,       &histogram_command,
                                    &list_command,   &limits_command, &self_test_command, &help_command};
    for (const Command& command : launcher_commands())
        all.push_back(&command);
    return all;
}

enum Exit : int { failed = 1, unusable = 2, interrupted = interrupted_code };

// "out of memory: 1 073 741 824 bytes more were asked for". In sanitized builds, whose allocator is not ours, without
// the number.
std::string out_of_memory_text()
{
    const std::size_t bytes = failed_bytes;
    return bytes == 0 ? "out of memory"
                      : fmt::format("out of memory: {} bytes more were asked for at once", grouped(bytes));
}

End complained(const char* message, Exit code)
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
        return {run_command_line(argc, argv, all_commands())};
    } catch (const InvalidArgument& error) {
        return complained(error.sentence(given_option).c_str(), unusable);
    } catch (const Interrupted&) {
        return complained(std::string(interruption_text()).c_str(), interrupted);
    } catch (const std::bad_alloc&) {
        return complained(out_of_memory_text().c_str(), unusable);
    } catch (const std::length_error&) {  // more than any memory has
        return complained("out of memory: more bytes were asked for than there are addresses", unusable);
    } catch (const std::system_error& error) {
        return complained(error.what(), unusable);
    } catch (const std::exception& error) {
        return complained(error.what(), failed);
    }
}

}  // namespace dcube::cli

#include "cli/commands/bench_processes.hpp"

#include "base/planning.hpp"
#include "cli/arguments.hpp"
#include "cli/commands/bench_plan.hpp"
#include "cli/files/this_program.hpp"
#include "cli/ranks.hpp"
#include "cli/text/bench_progress.hpp"
#include "inspect/measure/bench_document.hpp"
#include "inspect/measure/bench_run.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#ifdef __linux__
#include <sys/prctl.h>
#endif

extern char** environ;

namespace dcube::cli {

namespace {

constexpr const char* part_variable = "DCUBE_BENCH_PART";

// Both ends of a pipe; each is closed with it, or before.
class PartPipe {
public:
    PartPipe()
    {
        if (pipe(ends_.data()) != 0)
            throw InvalidArgument(fmt::format("no pipe: {}", std::generic_category().message(errno)));
        for (const int end : ends_)  // no other thread starts processes, and macOS has no pipe2
            fcntl(end, F_SETFD, FD_CLOEXEC);
    }
    ~PartPipe()
    {
        for (const int end : ends_)
            if (end >= 0)
                close(end);
    }
    PartPipe(const PartPipe&) = delete;
    PartPipe& operator=(const PartPipe&) = delete;

    [[nodiscard]] int write_end() const { return ends_[1]; }
    void close_write_end() { close(std::exchange(ends_[1], -1)); }

    [[nodiscard]] std::string read_to_end() const
    {
        std::string text;
        std::vector<char> buffer(1 << 16);
        for (;;) {
            const ssize_t got = read(ends_[0], buffer.data(), buffer.size());
            if (got > 0)
                text.append(buffer.data(), static_cast<std::size_t>(got));
            else if (got == 0 || errno != EINTR)
                return text;
        }
    }

private:
    std::array<int, 2> ends_{-1, -1};
};

// The process is a group of its own, so that Ctrl-C reaches only this one, which passes it on.
pid_t start_part(int descriptor, unsigned number, unsigned all, const std::vector<std::string>& instead)
{
    constexpr int known_there = 3;
    std::vector<std::string> words = program_words();
    if (!instead.empty()) {
        words.resize(1);
        words.insert(words.end(), instead.begin(), instead.end());
    }
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    std::string variable = fmt::format("{}={},{},{}", part_variable, known_there, number, all);
    std::vector<char*> variables{variable.data()};
    for (char** one = environ; *one != nullptr; ++one)
        variables.push_back(*one);
    variables.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, descriptor, known_there);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    pid_t process = -1;
    const int error =
        posix_spawn(&process, program_file().c_str(), &actions, &attributes, arguments.data(), variables.data());
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (error != 0)
        throw InvalidArgument(
            fmt::format("--processes cannot start this program again: {}", std::generic_category().message(error)));
    return process;
}

// Writes the document to where the part's goes.
void write_part(const BenchPart& part, const std::string& document)
{
    std::string_view left = document;
    while (!left.empty()) {
        const ssize_t written = write(part.descriptor, left.data(), left.size());
        if (written < 0 && errno != EINTR)
            throw InvalidArgument(
                fmt::format("the measurements cannot be passed on: {}", std::generic_category().message(errno)));
        left.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
    }
    close(part.descriptor);
}

// Starts process `number` of `all`, and waits for its document; it shows its progress itself. A request to stop is
// passed on; the document then has what was finished until then, or is empty.
std::optional<measure::Json> measured_by_process(unsigned number, unsigned all, Interrupt& interrupt,
                                                 const std::vector<std::string>& words)
{
    PartPipe pipe;
    const pid_t process = start_part(pipe.write_end(), number, all, words);
    pipe.close_write_end();
    std::string text;
    int status = 0;
    {
        const Interrupt::PassedOn passed_on(interrupt, process);
        text = pipe.read_to_end();
    }
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    if (!text.empty())
        return measure::read_bench_document(text, part_text(number, all));
    if (interrupt.token().stop_requested())
        return std::nullopt;
    throw InvalidArgument(
        fmt::format("process {} of {} has measured nothing: --processes 1 needs no other process", number + 1, all));
}

}  // namespace

std::optional<BenchPart> part_of_benchmark()
{
    const char* const given = std::getenv(part_variable);
    if (given == nullptr)
        return std::nullopt;
    std::array<int, 3> numbers{};
    const std::string_view text(given);
    const char* at = text.data();
    for (int& number : numbers) {
        at = std::from_chars(at, text.data() + text.size(), number).ptr;
        at += at != text.data() + text.size() ? 1 : 0;
    }
#ifdef __linux__  // elsewhere a part whose starter is gone ends when it passes its measurements on
    prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
    return BenchPart{numbers[0], static_cast<unsigned>(numbers[1]), static_cast<unsigned>(numbers[2])};
}

std::string part_text(unsigned number, unsigned all)
{
    return all == 1 ? "" : fmt::format("process {} of {}, ", number + 1, all);
}

bool can_start_again()
{
    const std::vector<std::string> words = program_words();
    return !words.empty() && std::vector<std::string>(words.begin() + 1, words.end()) == command_words();
}

measure::Benchmark measured_here(const std::vector<measure::Setup>& setups, measure::BenchHead head,
                                 const std::string& which, Interrupt& interrupt)
{
    head.effort.keep_bytes = memory_to_keep();
    BenchProgress progress(which);
    const detail::PlanningScope planning(interrupt.token(), [&](const detail::PlanningStage& stage) {
        if (!stage.what.empty())
            progress.show(stage);
    });
    measure::Benchmark benchmark =
        measure::measured_benchmark(setups, measure::candidates_of(setups, memory_of_cells(setups), interrupt.token()),
                                    head, surroundings(interrupt, progress));
    if (benchmark.interrupted)
        interrupt.settle();
    if (!benchmark.interrupted)
        together(process_world(), [&] { interrupt.check(); });
    return benchmark;
}

int measure_part(const BenchPart& part, const std::vector<measure::Setup>& setups, const measure::BenchHead& head,
                 Interrupt& interrupt)
{
    try {
        const measure::Benchmark benchmark = measured_here(setups, head, part_text(part.number, part.all), interrupt);
        write_part(part, measure::bench_json(measure::bench_document(benchmark)));
        return 0;
    } catch (const Interrupted&) {
        return interrupted_code;  // the other one says so
    }
}

void add_processes(measure::Benchmark& benchmark, unsigned processes, Interrupt& interrupt,
                   const std::vector<std::string>& words)
{
    for (unsigned number = 1; number < processes && !benchmark.interrupted; ++number) {
        if (const std::optional<measure::Json> document = measured_by_process(number, processes, interrupt, words))
            measure::add_process(benchmark, *document);
        benchmark.interrupted = benchmark.interrupted || interrupt.token().stop_requested();
    }
    if (benchmark.interrupted)
        interrupt.settle();
}

}  // namespace dcube::cli

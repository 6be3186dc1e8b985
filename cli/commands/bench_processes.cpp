#include "cli/commands/bench_processes.hpp"

#include "base/planning.hpp"
#include "cli/arguments.hpp"
#include "cli/commands/bench_plan.hpp"
#include "cli/files/files.hpp"
#include "cli/files/this_program.hpp"
#include "cli/ranks.hpp"
#include "cli/text/bench_progress.hpp"
#include "inspect/measure/bench_document.hpp"
#include "inspect/measure/bench_run.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
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

// The descriptors that a part finds open.
constexpr int document_there = 3;
constexpr int turns_there = 4;

// The same with a number that no part's descriptor has, so that a child can be given both of its own, and closed in
// children: no other thread starts processes, and macOS has no pipe2.
int moved_away(int descriptor)
{
    constexpr int beyond = turns_there + 1;
    const int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, beyond);
    if (moved < 0)
        throw InvalidArgument(fmt::format("no more open files: {}", std::generic_category().message(errno)));
    close(descriptor);
    return moved;
}

// Both ends of a connection; each is closed with it, or before, unless it is taken.
class Ends {
public:
    // `make` makes them, as pipe() does.
    template <class Make>
    explicit Ends(const Make& make)
    {
        if (make(ends_.data()) != 0)
            throw InvalidArgument(
                fmt::format("processes cannot be connected: {}", std::generic_category().message(errno)));
        std::ranges::transform(ends_, ends_.begin(), moved_away);
    }
    ~Ends()
    {
        for (const int end : ends_)
            if (end >= 0)
                close(end);
    }
    Ends(const Ends&) = delete;
    Ends& operator=(const Ends&) = delete;

    [[nodiscard]] int end(std::size_t which) const { return ends_[which]; }
    [[nodiscard]] int taken(std::size_t which) { return std::exchange(ends_[which], -1); }
    void close_end(std::size_t which) { close(taken(which)); }

private:
    std::array<int, 2> ends_{-1, -1};
};

std::string read_to_end(int descriptor)
{
    std::string text;
    std::vector<char> buffer(1 << 16);
    for (;;) {
        const ssize_t got = read(descriptor, buffer.data(), buffer.size());
        if (got > 0)
            text.append(buffer.data(), static_cast<std::size_t>(got));
        else if (got == 0 || errno != EINTR)
            return text;
    }
}

// The variable that tells a process which part it is.
std::string part_in_words(const BenchPart& part)
{
    return fmt::format("{}={},{},{},{}", part_variable, part.number, part.all, static_cast<int>(part.turns),
                       part.shows_progress ? 1 : 0);
}

struct Start {
    std::string program;             // a file
    std::vector<std::string> words;  // with the program's name
    BenchPart part;
    int document = -1;
    int turns = -1;
};

// The process is a group of its own, so that Ctrl-C reaches only this one, which passes it on.
pid_t started(const Start& start)
{
    std::vector<std::string> words = start.words;
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    std::string variable = part_in_words(start.part);
    std::vector<char*> variables{variable.data()};
    for (char** one = environ; *one != nullptr; ++one)
        variables.push_back(*one);
    variables.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, start.document, document_there);
    if (start.turns >= 0)
        posix_spawn_file_actions_adddup2(&actions, start.turns, turns_there);
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
        posix_spawn(&process, start.program.c_str(), &actions, &attributes, arguments.data(), variables.data());
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (error != 0)
        throw InvalidArgument(fmt::format("program {} cannot be started: {}", shown_file(start.program),
                                          std::generic_category().message(error)));
    return process;
}

// Writes the document to the process that has started this one.
void write_part(const std::string& document)
{
    std::string_view left = document;
    while (!left.empty()) {
        const ssize_t written = write(document_there, left.data(), left.size());
        if (written < 0 && errno != EINTR)
            throw InvalidArgument(
                fmt::format("the measurements cannot be passed on: {}", std::generic_category().message(errno)));
        left.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
    }
    close(document_there);
}

std::string text_of(const BenchPart& part)
{
    return part.all == 1 ? "" : fmt::format("process {} of {}, ", part.number + 1, part.all);
}

// A process that measures until its document is asked for. A request to stop is passed on; the document then has what
// was finished until then, or is empty.
class StartedPart {
public:
    StartedPart(Start start, Interrupt& interrupt)
        : start_(std::move(start)), interrupt_(interrupt), process_(started_here()), pass_on_(interrupt, process_)
    {
        pipe_.close_end(1);
    }
    ~StartedPart()
    {
        if (waited_)
            return;
        kill(process_, SIGTERM);
        wait();
    }
    StartedPart(const StartedPart&) = delete;
    StartedPart& operator=(const StartedPart&) = delete;

    // Once.
    std::optional<measure::Json> document()
    {
        const std::string text = read_to_end(pipe_.end(0));
        wait();
        if (!text.empty())
            return measure::read_bench_document(text, text_of(start_.part));
        if (interrupt_.token().stop_requested())
            return std::nullopt;
        if (start_.part.turns != TurnsPart::none)
            throw InvalidArgument(fmt::format("process {} of {} has measured nothing in turns with its rival",
                                              start_.part.number + 1, start_.part.all));
        throw InvalidArgument(fmt::format("process {} of {} has measured nothing: --processes 1 needs no other process",
                                          start_.part.number + 1, start_.part.all));
    }

private:
    pid_t started_here()
    {
        start_.document = pipe_.end(1);
        return started(start_);
    }
    void wait()
    {
        while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
        }
        waited_ = true;
    }

    Start start_;
    Interrupt& interrupt_;
    Ends pipe_{[](int* ends) { return pipe(ends); }};
    pid_t process_;
    bool waited_ = false;
    Interrupt::PassedOn pass_on_;
};

// This program, with other words behind its name than its own if there are any.
Start start_of_this(const BenchPart& part, const std::vector<std::string>& instead = {})
{
    Start start{.program = program_file(), .words = program_words(), .part = part};
    if (!instead.empty()) {
        start.words.resize(1);
        start.words.insert(start.words.end(), instead.begin(), instead.end());
    }
    return start;
}

// One end of a connection of two processes, over which they give each other the turn: a byte.
class TurnsOverSocket : public measure::Turns {
public:
    TurnsOverSocket(int descriptor, bool first, const Interrupt& interrupt)
        : descriptor_(descriptor), own_turn_(first), interrupt_(interrupt)
    {
    }
    ~TurnsOverSocket() override { close(descriptor_); }

    void wait() override
    {
        char turn = 0;
        while (!own_turn_ && !alone_) {
            const ssize_t got = recv(descriptor_, &turn, sizeof turn, 0);
            own_turn_ = got == sizeof turn;
            together_ = together_ || own_turn_;
            alone_ = !own_turn_ && !(got < 0 && errno == EINTR);  // the other one has ended
        }
        if (!own_turn_ && !together_) {
            interrupt_.check();
            throw InvalidArgument("the other program ended before it had measured anything");
        }
    }

    void pass() override
    {
        const char turn = 0;
        own_turn_ = false;
        alone_ = alone_ || send(descriptor_, &turn, sizeof turn, MSG_NOSIGNAL) != sizeof turn;
    }

private:
    int descriptor_;
    bool own_turn_;
    const Interrupt& interrupt_;
    bool alone_ = false;
    bool together_ = false;  // the other one has had a turn
};

}  // namespace

std::optional<BenchPart> part_of_benchmark()
{
    const char* const given = std::getenv(part_variable);
    if (given == nullptr)
        return std::nullopt;
    std::array<unsigned, 4> numbers{};
    const std::string_view text(given);
    const char* at = text.data();
    for (unsigned& number : numbers) {
        at = std::from_chars(at, text.data() + text.size(), number).ptr;
        at += at != text.data() + text.size() ? 1 : 0;
    }
#ifdef __linux__  // elsewhere a part whose starter is gone ends when it passes its measurements on
    prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
    const auto turns = static_cast<TurnsPart>(std::min(numbers[2], static_cast<unsigned>(TurnsPart::second)));
    return BenchPart{numbers[0], numbers[1], turns, numbers[3] != 0};
}

bool can_start_again()
{
    const std::vector<std::string> words = program_words();
    return !words.empty() && std::vector<std::string>(words.begin() + 1, words.end()) == command_words();
}

// Two that measure in turns hold their cells at the same time.
measure::Benchmark measured_here(const std::vector<measure::Setup>& setups, measure::BenchHead head,
                                 const BenchPart& part, Interrupt& interrupt, measure::Turns* turns)
{
    head.effort.keep_bytes = memory_to_keep() / (turns != nullptr ? 2 : 1);
    BenchProgress progress(text_of(part), part.shows_progress);
    const detail::PlanningScope planning(interrupt.token(), [&](const detail::PlanningStage& stage) {
        if (!stage.what.empty())
            progress.show(stage);
    });
    measure::Surroundings around = surroundings(interrupt, progress);
    around.turns = turns;
    measure::Benchmark benchmark = measure::measured_benchmark(
        setups, measure::candidates_of(setups, memory_of_cells(setups), interrupt.token()), head, around);
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
        std::optional<TurnsOverSocket> turns;
        if (part.turns != TurnsPart::none)
            turns.emplace(turns_there, part.turns == TurnsPart::first, interrupt);
        const measure::Benchmark benchmark = measured_here(setups, head, part, interrupt, turns ? &*turns : nullptr);
        turns.reset();  // the other one need not wait any more
        write_part(measure::bench_json(measure::bench_document(benchmark)));
        return 0;
    } catch (const Interrupted&) {
        return interrupted_code;  // the other one says so
    }
}

void add_processes(measure::Benchmark& benchmark, unsigned processes, Interrupt& interrupt,
                   const std::vector<std::string>& words)
{
    for (unsigned number = 1; number < processes && !benchmark.interrupted; ++number) {
        StartedPart process(start_of_this({number, processes}, words), interrupt);
        if (const std::optional<measure::Json> document = process.document())
            measure::add_process(benchmark, *document);
        benchmark.interrupted = benchmark.interrupted || interrupt.token().stop_requested();
    }
    if (benchmark.interrupted)
        interrupt.settle();
}

// Which program begins alternates.
ProgramsInTurns measured_in_turns(const std::vector<measure::Setup>& setups, const measure::BenchHead& head,
                                  unsigned processes, const std::string& program, Interrupt& interrupt)
{
    ProgramsInTurns both;
    for (unsigned number = 0; number < processes && !both.own.interrupted; ++number) {
        const bool own_first = number % 2 == 0;
        const BenchPart own{number, processes, own_first ? TurnsPart::first : TurnsPart::second};
        Ends sockets([](int* ends) { return socketpair(AF_UNIX, SOCK_STREAM, 0, ends); });
        Start start = start_of_this({number, processes, own_first ? TurnsPart::second : TurnsPart::first, false});
        start.program = program;
        start.turns = sockets.end(1);
        StartedPart other(std::move(start), interrupt);
        sockets.close_end(1);
        if (number == 0) {
            TurnsOverSocket turns(sockets.taken(0), own_first, interrupt);
            both.own = measured_here(setups, head, own, interrupt, &turns);
        } else {
            Start again = start_of_this(own);
            again.turns = sockets.end(0);
            StartedPart process(std::move(again), interrupt);
            sockets.close_end(0);
            if (const std::optional<measure::Json> document = process.document())
                measure::add_process(both.own, *document);
        }
        if (std::optional<measure::Json> document = other.document()) {
            if (both.other)
                measure::add_rounds(*both.other, *document);
            else
                both.other = std::move(document);
        }
        both.own.interrupted = both.own.interrupted || interrupt.token().stop_requested();
    }
    if (both.own.interrupted)
        interrupt.settle();
    return both;
}

}  // namespace dcube::cli

#include "inspect/measure/disturbance.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstring>
#include <string_view>
#include <utility>

namespace dcube::measure {

namespace {

// A loop's counter: each step waits for the one before, so only the processor's frequency and its other threads decide
// how long it takes.
void count_up()
{
    constexpr unsigned steps = 3000;  // a microsecond
    for (unsigned i = 0; i < steps; ++i)
        asm volatile("" : "+r"(i));
}

double seconds_of_probe()
{
    const auto began = std::chrono::steady_clock::now();
    count_up();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

// The second number of a schedstat: nanoseconds for which the thread could run, and did not.
std::optional<double> delay_in(int file)
{
    std::array<char, 96> text{};
    const ssize_t length = pread(file, text.data(), text.size(), 0);
    if (length <= 0)
        return std::nullopt;
    const std::string_view line(text.data(), static_cast<std::size_t>(length));
    const std::size_t space = line.find(' ');
    std::uint64_t nanoseconds = 0;
    if (space == std::string_view::npos ||
        std::from_chars(line.data() + space + 1, line.data() + line.size(), nanoseconds).ec != std::errc())
        return std::nullopt;
    return static_cast<double>(nanoseconds) * 1e-9;
}

int number_of_this_thread()
{
#ifdef __linux__
    return gettid();
#else
    return 0;
#endif
}

// A run of one thread is the caller's.
rusage usage_of_run(unsigned threads)
{
#ifdef RUSAGE_THREAD
    const int whose = threads == 1 ? RUSAGE_THREAD : RUSAGE_SELF;
#else  // macOS
    static_cast<void>(threads);
    const int whose = RUSAGE_SELF;
#endif
    rusage usage{};
    getrusage(whose, &usage);
    return usage;
}

double processor_seconds_of_process()
{
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace

ThreadWatch::ThreadWatch() : caller_(number_of_this_thread())
{
    quickest_probes_.fill(std::numeric_limits<double>::max());
    constexpr int probes = 50;
    for (int i = 0; i < probes; ++i)
        probe();
    find_threads();
}

ThreadWatch::~ThreadWatch()
{
    for (const auto& [thread, file] : files_)
        close(file);
}

// Threads come and go between slices.
void ThreadWatch::find_threads()
{
    std::map<int, int> files;
    DIR* const folder = opendir("/proc/self/task");
    while (const dirent* const entry = folder != nullptr ? readdir(folder) : nullptr) {
        int thread = 0;
        const std::string_view name(entry->d_name);
        if (std::from_chars(name.data(), name.data() + name.size(), thread).ec != std::errc())
            continue;
        if (const auto known = files_.find(thread); known != files_.end()) {
            files.insert(files_.extract(known));
            continue;
        }
        const int file = open(fmt::format("/proc/self/task/{}/schedstat", thread).c_str(), O_RDONLY | O_CLOEXEC);
        if (file >= 0)
            files.emplace(thread, file);
    }
    if (folder != nullptr)
        closedir(folder);
    for (const auto& [thread, file] : files_) {  // have ended
        close(file);
        ended_ += std::exchange(delays_[thread], 0);
        delays_.erase(thread);
    }
    files_ = std::move(files);
}

double ThreadWatch::read_delays()
{
    double all = ended_;
    for (const auto& [thread, file] : files_) {
        double& known = delays_[thread];
        known = delay_in(file).value_or(known);
        all += known;
    }
    return all;
}

// The time of a little work.
double ThreadWatch::probe()
{
    const double seconds = seconds_of_probe();
    quickest_probes_.back() = std::min(quickest_probes_.back(), seconds);
    std::ranges::sort(quickest_probes_);
    return seconds;
}

void ThreadWatch::begin()
{
    find_threads();
    unsettled_ = true;
}

// A thread that has left its processor waits from then on, and comes back later: the files are read at this look, and
// at the next one. A run of one thread is disturbed only by what happens to the caller.
Losses ThreadWatch::look(unsigned threads)
{
    const bool alone = threads == 1;
    const rusage usage = usage_of_run(threads);
    Losses now = last_;
    now.switches = static_cast<std::uint64_t>(usage.ru_nivcsw);
    now.sleeps = static_cast<std::uint64_t>(usage.ru_nvcsw);
    const bool moved = now.switches != last_.switches || now.sleeps != last_.sleeps;
    if (moved || unsettled_) {
        const double all = read_delays();
        const auto own = delays_.find(caller_);
        now.all_delay_seconds = all;
        now.delay_seconds = alone && own != delays_.end() ? own->second : all;
        now.delays_known = own != delays_.end();
    }
    unsettled_ = moved;
    now.processor_seconds = alone ? 0 : processor_seconds_of_process();
    now.slowdown = std::max(1.0, probe() / quickest_probes_.back());
    last_ = now;
    return now;
}

Sieve::Sieve(Watch* watch, const std::function<double()>& now, unsigned threads)
    : watch_(watch), now_(now), threads_(threads), cold_until_(std::numeric_limits<double>::lowest())
{
    if (watch_ == nullptr)
        return;
    watch_->begin();
    watch_->look(threads_);  // reads what the next one need not
    const double began = now_();
    first_ = before_ = watch_->look(threads_);
    looked_at_ = now_();
    cost_ = looked_at_ - began;
}

void Sieve::add(double seconds)
{
    constexpr double looks_share = 0.01;
    pending_.push_back(seconds);
    if (watch_ != nullptr && (now_() - looked_at_) * looks_share >= cost_)
        settle();
}

void Sieve::settle()
{
    if (watch_ == nullptr)
        round_.samples_seconds.insert(round_.samples_seconds.end(), pending_.begin(), pending_.end());
    if (watch_ == nullptr || pending_.empty()) {
        pending_.clear();
        return;
    }
    const double ended = now_();
    const double window = ended - looked_at_;
    Losses lost = watch_->look(threads_);
    const Losses after = lost;
    lost.delay_seconds -= before_.delay_seconds;
    lost.switches -= before_.switches;
    lost.sleeps -= before_.sleeps;
    lost.processor_seconds -= before_.processor_seconds;
    const double waited = lost.delay_seconds - wake_up_seconds * static_cast<double>(lost.sleeps);
    const bool interrupted = lost.delays_known ? waited > most_delay * std::ranges::min(pending_) : lost.switches > 0;
    const bool slow = std::max(before_.slowdown, after.slowdown) > most_slowdown || looked_at_ < cold_until_;
    if (interrupted)
        cold_until_ = ended + cold_seconds;
    if (interrupted || slow)
        add_disturbed(lost, window, slow);
    else
        round_.samples_seconds.insert(round_.samples_seconds.end(), pending_.begin(), pending_.end());
    pending_.clear();
    before_ = after;
    looked_at_ = now_();
}

// A run of one thread would have taken what it took less what the thread waited, and a little less, because caches were
// another's in between. Of several threads more than one may have waited at a time, and where one waits, others wait
// for it: the least is what is left of the time if none of this was at once, or half of the processor time that
// a thread had, the rest of which it may have spent looking for another. A slow processor is slow by a factor of 2 at
// most.
void Sieve::add_disturbed(const Losses& lost, double window, bool slow)
{
    constexpr double without_cold_caches = 0.95;
    constexpr double least_share = 1e-3;
    const double share = std::clamp(lost.processor_seconds / (window * threads_), least_share, 1.0);
    for (const double seconds : pending_) {
        round_.disturbed_seconds.push_back(seconds);
        const double rest = seconds - std::max(lost.delay_seconds, 0.0);
        Interval bounds{std::max(rest, seconds * share / 2), seconds};
        if (threads_ == 1) {
            bounds.high = std::max(rest, seconds * least_share);
            bounds.low = bounds.high * without_cold_caches;
        }
        if (slow)
            bounds.low /= 2;
        if (lost.delays_known)
            round_.disturbed_bounds.push_back(bounds);
    }
}

std::size_t Sieve::undisturbed()
{
    settle();
    return round_.samples_seconds.size();
}

Round Sieve::finished()
{
    settle();
    if (watch_ == nullptr)
        return std::move(round_);
    if (round_.disturbed_bounds.size() != round_.disturbed_seconds.size())
        round_.disturbed_bounds.clear();
    if (before_.delays_known)
        round_.run_delay_seconds = before_.all_delay_seconds - first_.all_delay_seconds;
    round_.switches = before_.switches - first_.switches;
    return std::move(round_);
}

}  // namespace dcube::measure

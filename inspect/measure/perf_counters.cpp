#include "inspect/measure/perf_counters.hpp"

#if defined(__linux__)
#include <fmt/format.h>

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>
#endif

namespace dcube::measure {

PerfCounters::~PerfCounters()
{
    close_all();
}

#if defined(__linux__)

const PerfCounters::Events PerfCounters::hardware{{{PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
                                                   {PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
                                                   {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES}}};

namespace {

// Counts for a thread and those that it starts from now on, once it is enabled.
int opened(const PerfCounters::Event& event, int thread)
{
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = event.type;
    attributes.config = event.config;
    attributes.disabled = 1;
    attributes.inherit = 1;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    return static_cast<int>(syscall(SYS_perf_event_open, &attributes, thread, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

std::string why_not(int error)
{
    switch (error) {
    case EACCES:
    case EPERM: return "the system does not allow it (kernel.perf_event_paranoid, or a container's rules)";
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP: return "this machine shows no such counters, as most virtual ones";
    case ENOSYS: return "this kernel has none";
    default: return std::error_code(error, std::generic_category()).message();
    }
}

std::set<int> threads_of_process()
{
    std::set<int> all;
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task", failed)) {
        const std::string name = entry.path().filename().string();
        int number = 0;
        if (std::from_chars(name.data(), name.data() + name.size(), number).ec == std::errc())
            all.insert(number);
    }
    if (all.empty())
        all.insert(0);  // the calling one
    return all;
}

struct Reading {
    std::uint64_t value = 0;
    std::uint64_t enabled = 0;
    std::uint64_t running = 0;
};

}  // namespace

// A thread that another one starts in this moment may be missed: a process has its threads before it measures.
PerfCounters::PerfCounters(const Events& events)
{
    for (const int thread : threads_of_process()) {
        obstacle_ = add_thread(thread, events);
        if (!obstacle_.empty())
            break;
    }
    if (!obstacle_.empty())
        close_all();
}

std::string PerfCounters::add_thread(int thread, const Events& events)
{
    OfThread files{-1, -1, -1};
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        files[kind] = opened(events[kind], thread);
        if (files[kind] >= 0)
            continue;
        const int error = errno;
        for (std::size_t before = 0; before < kind; ++before)
            close(files[before]);
        return error == ESRCH ? "" : why_not(error);  // it has ended meanwhile
    }
    threads_.push_back(files);
    return "";
}

void PerfCounters::control(unsigned long request)
{
    for (const OfThread& files : threads_)
        for (const int file : files)
            ioctl(file, request, 0);
}

void PerfCounters::start()
{
    control(PERF_EVENT_IOC_ENABLE);
}

void PerfCounters::stop()
{
    control(PERF_EVENT_IOC_DISABLE);
}

std::optional<CounterSums> PerfCounters::sums() const
{
    if (threads_.empty())
        return std::nullopt;
    std::array<double, kinds> sums{};
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        Reading all;
        for (const OfThread& files : threads_) {
            Reading one;
            if (read(files[kind], &one, sizeof one) != static_cast<ssize_t>(sizeof one))
                return std::nullopt;
            all.value += one.value;
            all.enabled += one.enabled;
            all.running += one.running;
        }
        if (all.running == 0 && all.enabled != 0)
            return std::nullopt;
        sums[kind] = static_cast<double>(all.value);
        if (all.running != 0)
            sums[kind] *= static_cast<double>(all.enabled) / static_cast<double>(all.running);
    }
    return CounterSums{sums[0], sums[1], sums[2]};
}

void PerfCounters::close_all()
{
    for (const OfThread& files : threads_)
        for (const int file : files)
            close(file);
    threads_.clear();
}

#else

const PerfCounters::Events PerfCounters::hardware{};

PerfCounters::PerfCounters(const Events&) : obstacle_("this system has none") {}
void PerfCounters::start() {}
void PerfCounters::stop() {}
std::optional<CounterSums> PerfCounters::sums() const
{
    return std::nullopt;
}
void PerfCounters::close_all() {}

#endif

}  // namespace dcube::measure

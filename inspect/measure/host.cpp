#include "inspect/measure/host.hpp"

#include "base/numbers.hpp"
#include "inspect/measure/host_files.hpp"

#include <dcube/machine.hpp>

#include <fmt/format.h>
#include <xxhash.h>

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <ctime>
#include <fstream>
#include <map>
#include <set>
#include <thread>

namespace dcube::measure {

namespace {

// The processors online; where the kernel does not list them, those in cpuinfo.
std::vector<unsigned> online_processors(const std::string& root)
{
    if (const auto list = line_of(root + "sys/devices/system/cpu/online"))
        return number_list(*list);
    std::vector<unsigned> numbers;
    std::ifstream file(root + "proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("processor"))
            numbers.push_back(static_cast<unsigned>(numbers.size()));
    return numbers;
}

std::string lower_case(std::string text)
{
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

// "sys/devices/system/cpu/cpu3/" below the root: the folder under which proc and sys are, which ends with "/".
std::string processor_folder(const std::string& root, unsigned number)
{
    return fmt::format("{}sys/devices/system/cpu/cpu{}/", root, number);
}

// x86 has a model name; ARM has numbers for the designer and the part; others call it cpu. Empty if there is none.
std::string cpu_name(const std::string& root)
{
    const std::string path = root + "proc/cpuinfo";
    for (const char* const key : {"model name", "Model", "cpu model", "cpu", "uarch"})
        if (const auto name = value_in(path, key))
            return *name;
    const auto implementer = value_in(path, "CPU implementer");
    const auto part = value_in(path, "CPU part");
    return implementer && part ? fmt::format("implementer {}, part {}", *implementer, *part) : "";
}

// NUMA nodes; none where the kernel does not list them.
std::vector<unsigned> online_nodes(const std::string& root)
{
    return number_list(line_of(root + "sys/devices/system/node/online").value_or(""));
}

// The smallest number of a processor that shares this one's last level of cache.
std::optional<unsigned> last_cache_of(const std::string& root, unsigned number)
{
    std::optional<unsigned> first;
    std::uint64_t highest = 0;
    for (unsigned index = 0;; ++index) {
        const std::string folder = fmt::format("{}cache/index{}/", processor_folder(root, number), index);
        const auto level = number_of(folder + "level");
        if (!level)
            return first;
        const auto sharing = number_list(line_of(folder + "shared_cpu_list").value_or(""));
        if (*level > highest && !sharing.empty()) {
            highest = *level;
            first = sharing.front();
        }
    }
}

// The processors online, and their places; unknown numbers are 0, or for the core the processor itself.
std::vector<Processor> placed_processors(const std::string& root)
{
    std::vector<Processor> all;
    std::map<std::string, unsigned> sockets;
    for (const unsigned number : online_processors(root)) {
        const std::string topology = processor_folder(root, number) + "topology/";
        const auto core = number_list(line_of(topology + "thread_siblings_list").value_or(""));
        const auto socket = line_of(topology + "physical_package_id").value_or("0");
        const unsigned next = static_cast<unsigned>(sockets.size());
        all.push_back({number, core.empty() ? number : core.front(), sockets.try_emplace(socket, next).first->second, 0,
                       last_cache_of(root, number)});
    }
    for (const unsigned node : online_nodes(root)) {
        const auto list = line_of(fmt::format("{}sys/devices/system/node/node{}/cpulist", root, node));
        for (const unsigned number : number_list(list.value_or("")))
            for (Processor& processor : all)
                if (processor.number == number)
                    processor.numa_node = node;
    }
    return all;
}

// The caches that this processor uses; none where the kernel does not list them.
std::vector<Cache> caches_of(const std::string& root, unsigned number)
{
    std::vector<Cache> all;
    for (unsigned index = 0;; ++index) {
        const std::string folder = fmt::format("{}cache/index{}/", processor_folder(root, number), index);
        const auto level = number_of(folder + "level");
        const auto bytes = bytes_in(line_of(folder + "size").value_or(""));
        if (!level || !bytes)
            return all;
        const auto sharing = number_list(line_of(folder + "shared_cpu_list").value_or(""));
        all.push_back({static_cast<unsigned>(*level), lower_case(line_of(folder + "type").value_or("unified")), *bytes,
                       static_cast<unsigned>(std::max<std::size_t>(1, sharing.size()))});
    }
}

template <class Member>
std::optional<unsigned> different(const Host& host, Member member, bool known)
{
    std::set<unsigned> values;
    for (const Processor& processor : host.processors)
        values.insert(processor.*member);
    return known && !values.empty() ? std::optional(static_cast<unsigned>(values.size())) : std::nullopt;
}

std::optional<double> in_hz(const std::optional<std::uint64_t>& khz)
{
    return khz ? std::optional(1e3 * static_cast<double>(*khz)) : std::nullopt;
}

std::optional<double> frequency_now(const std::string& root, const std::string& folder)
{
    if (const auto hz = in_hz(number_of(folder + "scaling_cur_freq")))
        return hz;
    const auto mhz = value_in(root + "proc/cpuinfo", "cpu MHz");
    const double number = mhz ? std::strtod(mhz->c_str(), nullptr) : 0;
    return number > 0 ? std::optional(1e6 * number) : std::nullopt;
}

// "always [madvise] never".
std::optional<std::string> chosen_in(const std::optional<std::string>& choices)
{
    if (!choices)
        return std::nullopt;
    const std::size_t open = choices->find('[');
    const std::size_t close = choices->find(']', open);
    if (open == std::string::npos || close == std::string::npos)
        return std::nullopt;
    return choices->substr(open + 1, close - open - 1);
}

std::optional<std::array<double, 3>> load_average(const std::string& root)
{
    std::array<double, 3> load{};
    std::ifstream file(root + "proc/loadavg");
    return file >> load[0] >> load[1] >> load[2] ? std::optional(load) : std::nullopt;
}

std::optional<std::uint64_t> throttled(const Host& host, const std::string& root)
{
    std::optional<std::uint64_t> times;
    std::set<unsigned> cores;
    for (const Processor& processor : host.processors) {
        const auto count = number_of(processor_folder(root, processor.number) + "thermal_throttle/core_throttle_count");
        if (count && cores.insert(processor.core).second)
            times = times.value_or(0) + *count;
    }
    return times;
}

std::optional<std::uint64_t> total_memory(const std::string& root)
{
    const auto text = value_in(root + "proc/meminfo", "MemTotal");  // "24419264 kB"
    const auto kib = text ? bytes_in(*text) : std::nullopt;
    return kib ? std::optional(*kib << 10) : std::nullopt;
}

std::string kernel_of(const std::string& root)
{
    const auto type = line_of(root + "proc/sys/kernel/ostype");
    const auto release = line_of(root + "proc/sys/kernel/osrelease");
    return type && release ? *type + " " + *release : "";
}

std::string architecture()
{
    utsname names{};
    return uname(&names) == 0 ? names.machine : "";
}

std::string digest_of(const Host& host)
{
    constexpr std::uint64_t gib = std::uint64_t{1} << 30;
    std::string text = fmt::format("{}|{}|{}|{}|{}|{}|{}", host.cpu, host.architecture, host.processors.size(),
                                   host.cores.value_or(0), host.sockets.value_or(0), host.numa_nodes.value_or(0),
                                   (host.memory_bytes.value_or(0) + gib / 2) / gib);
    for (const Cache& cache : host.caches)
        text += fmt::format("|{} {} {} {}", cache.level, cache.kind, cache.bytes, cache.shared_by);
    return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size()));
}

// The facts that stay the same from boot to boot.
Host lasting_facts(const std::string& root)
{
    Host host;
    host.cpu = cpu_name(root);
    host.architecture = architecture();
    host.processors = placed_processors(root);
    if (!host.processors.empty()) {
        const unsigned first = host.processors.front().number;
        const std::string topology = processor_folder(root, first) + "topology/";
        host.cores = different(host, &Processor::core, line_of(topology + "thread_siblings_list").has_value());
        host.sockets = different(host, &Processor::socket, line_of(topology + "physical_package_id").has_value());
        host.caches = caches_of(root, first);
    }
    if (const auto nodes = online_nodes(root); !nodes.empty())
        host.numa_nodes = static_cast<unsigned>(nodes.size());
    host.memory_bytes = total_memory(root);
    host.kernel = kernel_of(root);
    host.system = value_in(root + "etc/os-release", "PRETTY_NAME").value_or("");
    if (root == "/")
        add_facts_by_sysctl(host);
    host.fingerprint = digest_of(host);
    return host;
}

// The time of all threads of this process.
double own_processor_seconds()
{
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Notes how many processors idled, and the share of their time that was stolen, between two looks.
void watch(Host& host, const HostSource& source)
{
    const auto before = processor_times(source.root);
    if (!before || source.watched.count() == 0)
        return;
    std::this_thread::sleep_for(source.watched);
    const auto after = processor_times(source.root);
    if (!after || after->all <= before->all)
        return;
    const auto share = [&](std::uint64_t from, std::uint64_t to) {
        return to < from ? 0 : static_cast<double>(to - from) / static_cast<double>(after->all - before->all);
    };
    host.idle_processors = share(before->idle, after->idle) * static_cast<double>(host.processors.size());
    host.steal_share = share(before->steal, after->steal);
}

}  // namespace

std::optional<unsigned> Host::threads_per_core() const
{
    if (!cores || *cores == 0)
        return std::nullopt;
    return static_cast<unsigned>(processors.size()) / *cores;
}

std::size_t Host::last_caches() const
{
    if (caches.empty())
        return 0;
    const std::size_t sharing = std::max(1U, std::ranges::max_element(caches, {}, &Cache::level)->shared_by);
    return (processors.size() + sharing - 1) / sharing;
}

std::optional<std::uint64_t> Host::last_cache_bytes() const
{
    if (caches.empty())
        return std::nullopt;
    return std::ranges::max_element(caches, {}, &Cache::level)->bytes * last_caches();
}

std::optional<std::uint64_t> Host::core_cache_bytes() const
{
    std::optional<std::uint64_t> bytes;
    unsigned level = 0;
    for (const Cache& cache : caches)
        if (cache.level <= 2 && cache.level > level && cache.kind != "instruction") {
            level = cache.level;
            bytes = cache.bytes;
        }
    return bytes;
}

std::optional<ProcessorTimes> processor_times(const std::string& root)
{
    std::ifstream file(root + "proc/stat");
    std::string key;
    std::array<std::uint64_t, 8> ticks{};  // user, nice, system, idle, iowait, irq, softirq, steal
    if (!(file >> key) || key != "cpu")
        return std::nullopt;
    for (std::uint64_t& count : ticks)
        if (!(file >> count))
            return std::nullopt;
    ProcessorTimes times{0, ticks[3] + ticks[4], ticks[7]};
    for (const std::uint64_t count : ticks)
        times.all += count;
    return times;
}

std::string_view level_of_pair(const Host& host, unsigned a, unsigned b)
{
    const auto first = std::ranges::find(host.processors, a, &Processor::number);
    const auto second = std::ranges::find(host.processors, b, &Processor::number);
    if (first == host.processors.end() || second == host.processors.end())
        return "unknown";
    if (first->core == second->core)
        return "same core";
    if (first->last_cache && first->last_cache == second->last_cache)
        return "same last cache";
    return first->socket == second->socket ? "same socket" : "other socket";
}

QuotaWatch::QuotaWatch(std::string root) : root_(std::move(root)), began_(detail::throttling(root_)) {}

std::string QuotaWatch::warning() const
{
    const detail::Throttling now = detail::throttling(root_);
    if (now.times <= began_.times)
        return "";
    return fmt::format("the cgroup's quota stopped dcube {}, for {:.2g} s of processor time",
                       counted(now.times - began_.times, "time"), std::max(0.0, now.seconds - began_.seconds));
}

PageWatch::PageWatch(std::string root) : root_(std::move(root)) {}

void PageWatch::look()
{
    const auto bytes = [&](const char* key) {
        const auto text = value_in(root_ + "proc/self/smaps_rollup", key);  // "2048 kB"
        return text ? bytes_in(*text) : std::nullopt;
    };
    const auto all = bytes("Anonymous");
    const auto huge = bytes("AnonHugePages");
    if (all && huge && *all != 0)
        largest_share_ = std::max(largest_share_.value_or(0), static_cast<double>(*huge) / static_cast<double>(*all));
}

std::string PageWatch::used() const
{
    if (!largest_share_)
        return "";
    if (*largest_share_ == 0)
        return "none";
    return *largest_share_ < 0.5 ? "some" : "most";
}

OthersWatch::OthersWatch() : began_(processor_times()), own_seconds_(own_processor_seconds()) {}

std::optional<double> OthersWatch::processors() const
{
    const std::optional<ProcessorTimes> now = processor_times();
    const auto count = static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN));
    const auto ticks_a_second = static_cast<double>(sysconf(_SC_CLK_TCK));
    if (!began_ || !now || now->all <= began_->all)
        return std::nullopt;
    const double passed = static_cast<double>(now->all - began_->all) / count / ticks_a_second;
    constexpr double shortest = 0.2;  // ticks are too coarse for less
    if (passed < shortest)
        return std::nullopt;
    const double idle = now->idle < began_->idle ? 0 : static_cast<double>(now->idle - began_->idle) / ticks_a_second;
    const double busy = count * passed - idle;
    return std::clamp((busy - (own_processor_seconds() - own_seconds_)) / passed, 0.0, count);
}

std::string fingerprint_of_host(const std::string& root)
{
    return lasting_facts(root).fingerprint;
}

Host this_host(const HostSource& source)
{
    const std::string& root = source.root;
    Host host = lasting_facts(root);
    const std::string frequency =
        processor_folder(root, host.processors.empty() ? 0 : host.processors.front().number) + "cpufreq/";
    host.governor = line_of(frequency + "scaling_governor");
    host.frequency_hz = frequency_now(root, frequency);
    host.most_frequency_hz = in_hz(number_of(frequency + "cpuinfo_max_freq"));
    host.page_bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    host.huge_pages = chosen_in(line_of(root + "sys/kernel/mm/transparent_hugepage/enabled"));
    host.load_average = load_average(root);
    host.throttled = throttled(host, root);
    host.usable_threads = available_threads();
    host.affinity = value_in(root + "proc/self/status", "Cpus_allowed_list").value_or("");
    if (const double quota = detail::processor_quota(root); std::isfinite(quota))
        host.processor_quota = quota;
    watch(host, source);
    return host;
}

}  // namespace dcube::measure

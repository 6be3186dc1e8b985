// Layout of a plan's file: eight bytes that identify the format, the sizes of key and plan, the key, the plan, and the
// XXH3 of all these. Sizes and checksum are eight bytes each, the lowest first.

#include <dcube/plan_cache.hpp>

#include "base/bytes.hpp"
#include "base/plan_files.hpp"
#include "base/sizes.hpp"

#include <dcube/version.hpp>

#include <fmt/format.h>
#include <xxhash.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

namespace dcube {

namespace detail {

namespace {

// ---- The directory that plans are kept in, and what has become of them ----

struct PlanCounts {
    std::atomic<std::uint64_t> read = 0;
    std::atomic<std::uint64_t> made = 0;
    std::atomic<std::uint64_t> written = 0;
    std::atomic<std::uint64_t> refused = 0;
};

struct State {
    std::mutex mutex{};
    std::shared_ptr<const PlanCache> cache{};
    std::mutex unfinished_mutex{};  // the right to make, rename or remove an unfinished file
    std::set<std::string> unfinished{};
    PlanCounts counts{};
};

State& state()
{
    static State all;
    return all;
}

[[noreturn]] void cannot_keep(const std::string& directory, const std::string& reason)
{
    throw InvalidArgument(fmt::format("plans cannot be kept in '{}': {}", directory, reason));
}

PlanCounts& plan_counts()
{
    return state().counts;
}

// The plan cache that is set, with a full path; null if there is none.
std::shared_ptr<const PlanCache> plan_cache()
{
    const std::scoped_lock lock(state().mutex);
    return state().cache;
}

// "No such file or directory"
std::string reason_of(int error)
{
    return std::generic_category().message(error);
}

// A file that gets its name when it is finished. Destroyed before that, it leaves nothing behind. Throws
// InvalidArgument with the system's reason alone.
class UnfinishedFile {
public:
    explicit UnfinishedFile(const std::string& target);
    ~UnfinishedFile();
    UnfinishedFile(const UnfinishedFile&) = delete;
    UnfinishedFile& operator=(const UnfinishedFile&) = delete;

    void write(std::string_view bytes);
    void finish();

private:
    std::string target_;
    std::string name_{};
    int descriptor_ = -1;
};

// The name is this process', as long as no other runs under its number.
UnfinishedFile::UnfinishedFile(const std::string& target) : target_(target)
{
    static std::atomic<unsigned> number = 0;
    const std::scoped_lock lock(state().unfinished_mutex);
    do {
        name_ = fmt::format("{}.{}.{}", target_, getpid(), number++);
        descriptor_ = open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (descriptor_ < 0 && errno == EEXIST);  // another process' of that number, which has not removed it
    if (descriptor_ < 0)
        throw InvalidArgument(reason_of(errno));
    state().unfinished.insert(name_);
}

UnfinishedFile::~UnfinishedFile()
{
    if (descriptor_ >= 0)
        close(descriptor_);
    if (name_.empty())
        return;
    const std::scoped_lock lock(state().unfinished_mutex);
    unlink(name_.c_str());
    state().unfinished.erase(name_);
}

void UnfinishedFile::write(std::string_view bytes)
{
    constexpr std::size_t most_at_once = std::size_t{1} << 26;
    while (!bytes.empty()) {
        const ssize_t done = ::write(descriptor_, bytes.data(), std::min(bytes.size(), most_at_once));
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            throw InvalidArgument(reason_of(errno));
        bytes.remove_prefix(static_cast<std::size_t>(done));
    }
}

void UnfinishedFile::finish()
{
    if (close(std::exchange(descriptor_, -1)) != 0)
        throw InvalidArgument(reason_of(errno));
    const std::scoped_lock lock(state().unfinished_mutex);
    if (std::rename(name_.c_str(), target_.c_str()) != 0)
        throw InvalidArgument(reason_of(errno));
    state().unfinished.erase(name_);
    name_.clear();
}

// ---- What stands in a file ----

// To be raised when a planner makes other plans than before, or plans are written in another format: older files are
// then no longer found.
constexpr std::uint64_t generation = 3;

constexpr std::string_view beginning = "dcubepln";
constexpr std::size_t bytes_of_a_size = 8;
constexpr std::size_t bytes_around = beginning.size() + 3 * bytes_of_a_size;
constexpr std::uint64_t largest_file = std::uint64_t{1} << 32;

std::string fixed(std::uint64_t number)
{
    std::string bytes(bytes_of_a_size, '\0');
    for (char& byte : bytes) {
        byte = static_cast<char>(number);
        number >>= 8;
    }
    return bytes;
}

std::uint64_t number_at(std::string_view bytes, std::size_t at)
{
    std::uint64_t number = 0;
    for (std::size_t i = bytes_of_a_size; i-- > 0;)
        number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
    return number;
}

std::uint64_t sum_of(std::string_view bytes)
{
    return XXH3_64bits(bytes.data(), bytes.size());
}

// Empty if there is no such file. Throws InvalidArgument where there is one that cannot be read.
std::optional<std::string> bytes_of(const std::string& path)
{
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe may have no writer
    if (descriptor < 0 && errno == ENOENT)
        return std::nullopt;
    if (descriptor < 0)
        throw InvalidArgument(reason_of(errno));
    const std::unique_ptr<const int, void (*)(const int*)> closer(&descriptor,
                                                                  [](const int* number) { close(*number); });
    struct stat status {};
    if (fstat(descriptor, &status) != 0)
        throw InvalidArgument(reason_of(errno));
    if (!S_ISREG(status.st_mode))
        throw InvalidArgument("it is not a file");
    if (static_cast<std::uint64_t>(status.st_size) > largest_file)
        throw InvalidArgument("it is larger than any plan");
    const std::size_t size = as_size(static_cast<std::uint64_t>(status.st_size));
    std::string bytes(size, '\0');
    for (std::size_t filled = 0; filled < size;) {
        const ssize_t got = read(descriptor, bytes.data() + filled, size - filled);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            throw InvalidArgument(reason_of(errno));
        if (got == 0)
            throw InvalidArgument("it ends too soon");
        filled += static_cast<std::size_t>(got);
    }
    return bytes;
}

// The plan in such bytes.
std::string plan_in(const std::string& bytes, std::string_view key)
{
    if (!std::string_view(bytes).starts_with(beginning))
        throw InvalidArgument("it is not a plan of dcube");
    if (bytes.size() < bytes_around)
        throw InvalidArgument("it ends too soon");
    const std::size_t rest = bytes.size() - bytes_around;
    const std::uint64_t key_size = number_at(bytes, beginning.size());
    const std::uint64_t plan_size = number_at(bytes, beginning.size() + bytes_of_a_size);
    if (key_size > rest || plan_size != rest - key_size)
        throw InvalidArgument("its size differs from its header");
    const std::string_view content = std::string_view(bytes).substr(0, bytes.size() - bytes_of_a_size);
    if (sum_of(content) != number_at(bytes, content.size()))
        throw InvalidArgument("its checksum is wrong");
    const std::string_view both = content.substr(beginning.size() + 2 * bytes_of_a_size);
    if (both.substr(0, key_size) != key)
        throw InvalidArgument("it is the plan of something else");
    return std::string(both.substr(key_size));
}

void warn(const std::string& line)
{
    if (const auto cache = plan_cache(); cache && cache->warn)
        cache->warn(line);
}

}  // namespace

void remove_unfinished_plans()
{
    state().unfinished_mutex.lock();  // for good: no file is made or renamed any more
    for (const std::string& name : state().unfinished)
        unlink(name.c_str());
}

bool keeps_plans_of(std::uint64_t work)
{
    const auto cache = plan_cache();
    return cache && work >= cache->least_work;
}

PlanFile::PlanFile(std::string_view kind, std::string_view key)
{
    ByteWriter whole;
    whole.text(version());
    whole.number(generation);
    whole.text(kind);
    whole.text(key);
    key_ = whole.take();
    if (const auto cache = plan_cache())
        path_ = fmt::format("{}/{}-{:016x}.plan", cache->directory, kind, sum_of(key_));
}

std::optional<std::string> PlanFile::read() const
{
    try {
        const std::optional<std::string> bytes = path_.empty() ? std::nullopt : bytes_of(path_);
        return bytes ? std::optional(plan_in(*bytes, key_)) : std::nullopt;
    } catch (const InvalidArgument& error) {
        refuse(error.what());
        return std::nullopt;
    }
}

void PlanFile::refuse(std::string_view why) const
{
    ++plan_counts().refused;
    warn(fmt::format("the plan in '{}' is rebuilt: {}", path_, why));
}

void PlanFile::write(std::string_view plan) const
{
    if (path_.empty())
        return;
    std::string bytes(beginning);
    bytes += fixed(key_.size());
    bytes += fixed(plan.size());
    bytes += key_;
    bytes += plan;
    bytes += fixed(sum_of(bytes));
    try {
        UnfinishedFile file(path_);
        file.write(bytes);
        file.finish();
        ++plan_counts().written;
    } catch (const InvalidArgument& error) {
        warn(fmt::format("a plan cannot be kept in '{}': {}", path_, error.what()));
    }
}

void PlanFile::note_read()
{
    ++plan_counts().read;
}

void PlanFile::note_made()
{
    ++plan_counts().made;
}

}  // namespace detail

void set_plan_cache(const PlanCache& cache)
{
    namespace files = std::filesystem;
    auto known = std::make_shared<PlanCache>(cache);
    // libstdc++ and libc++ differ in what they say of no name, and of a file that has the folder's.
    if (cache.directory.empty())
        detail::cannot_keep(cache.directory, detail::reason_of(ENOENT));
    std::error_code error;
    known->directory = files::absolute(cache.directory, error).string();
    if (files::exists(known->directory, error) && !files::is_directory(known->directory, error))
        detail::cannot_keep(cache.directory, detail::reason_of(ENOTDIR));
    files::create_directories(known->directory, error);
    if (error)
        detail::cannot_keep(cache.directory, error.message());
    try {
        std::ignore = detail::UnfinishedFile(known->directory + "/trial");
    } catch (const InvalidArgument& reason) {
        detail::cannot_keep(cache.directory, reason.what());
    }
    const std::scoped_lock lock(detail::state().mutex);
    detail::state().cache = std::move(known);
}

void forget_plan_cache()
{
    const std::scoped_lock lock(detail::state().mutex);
    detail::state().cache.reset();
}

PlanCacheUse plan_cache_use()
{
    const detail::PlanCounts& counts = detail::state().counts;
    return {counts.read, counts.made, counts.written, counts.refused};
}

}  // namespace dcube

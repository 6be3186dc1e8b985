// The directory that plans are kept in, and what has become of them.

#include <dcube/plan_cache.hpp>

#include "base/plan_directory.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

namespace dcube {

namespace {

struct State {
    std::mutex mutex{};
    std::shared_ptr<const PlanCache> cache{};
    std::mutex unfinished_mutex{};  // the right to make, rename or remove an unfinished file
    std::set<std::string> unfinished{};
    detail::PlanCounts counts{};
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

}  // namespace

namespace detail {

PlanCounts& plan_counts()
{
    return state().counts;
}

std::shared_ptr<const PlanCache> plan_cache()
{
    const std::scoped_lock lock(state().mutex);
    return state().cache;
}

std::string reason_of(int error)
{
    return std::generic_category().message(error);
}

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

void remove_unfinished_plans()
{
    state().unfinished_mutex.lock();  // for good: nobody makes or renames one any more
    for (const std::string& name : state().unfinished)
        unlink(name.c_str());
}

}  // namespace detail

void set_plan_cache(const PlanCache& cache)
{
    namespace files = std::filesystem;
    auto known = std::make_shared<PlanCache>(cache);
    std::error_code error;
    known->directory = files::absolute(cache.directory, error).string();
    if (!error)
        files::create_directories(known->directory, error);
    if (error)
        cannot_keep(cache.directory, error.message());
    if (!files::is_directory(known->directory, error))
        cannot_keep(cache.directory, detail::reason_of(ENOTDIR));
    try {
        std::ignore = detail::UnfinishedFile(known->directory + "/trial");
    } catch (const InvalidArgument& reason) {
        cannot_keep(cache.directory, reason.what());
    }
    const std::scoped_lock lock(state().mutex);
    state().cache = std::move(known);
}

void forget_plan_cache()
{
    const std::scoped_lock lock(state().mutex);
    state().cache.reset();
}

PlanCacheUse plan_cache_use()
{
    const detail::PlanCounts& counts = state().counts;
    return {counts.read, counts.made, counts.written, counts.refused};
}

}  // namespace dcube

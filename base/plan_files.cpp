// A plan's file: eight bytes that say what it is, the sizes of key and plan, key, plan, and the XXH3 of all that, sizes
// and sum as eight bytes, the lowest first.

#include "base/plan_files.hpp"

#include "base/bytes.hpp"
#include "base/plan_directory.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <memory>

namespace dcube::detail {

namespace {

// Raise it where a planner makes other plans than before, or they are written in another way: older files are not found
// then.
constexpr std::uint64_t generation = 2;

constexpr std::string_view beginning = "dcubepln";
constexpr std::size_t bytes_of_a_size = 8;
constexpr std::size_t bytes_around = beginning.size() + 3 * bytes_of_a_size;
constexpr std::size_t largest_file = std::size_t{1} << 32;

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
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // nobody may write to a pipe
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
    const auto size = static_cast<std::size_t>(status.st_size);
    if (size > largest_file)
        throw InvalidArgument("it is larger than any plan");
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
        throw InvalidArgument("its size is not what it says");
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

bool keeps_plans_of(std::uint64_t work)
{
    const auto cache = plan_cache();
    return cache && work >= cache->least_work;
}

PlanFile::PlanFile(std::string_view kind, std::string_view key)
{
    ByteWriter whole;
    whole.text(DCUBE_VERSION);  // the project's, as CMakeLists.txt has it
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
    warn(fmt::format("the plan in '{}' is made anew: {}", path_, why));
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

}  // namespace dcube::detail

#include "cli/files/file_uses.hpp"

#include "base/files.hpp"
#include "base/threads.hpp"
#include "cli/files/files.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace dcube::cli {

namespace {

struct ReadFile {
    std::string path;
    Replaced replaced;
};

struct WrittenFile {
    std::string option;
    std::string path;
};

struct FileUses {
    detail::Mutex mutex;
    std::vector<ReadFile> read;
    std::vector<WrittenFile> written;
};

FileUses& uses()
{
    static FileUses all;
    return all;
}

bool destroys(const WrittenFile& written, const ReadFile& read)
{
    const bool may = read.replaced == Replaced::by_output && written.option == "--output";
    return !may && is_same_file(written.path, read.path);
}

void require_apart(const WrittenFile& written, const ReadFile& read)
{
    if (destroys(written, read))
        throw InvalidArgument(
            fmt::format("{} names the file '{}', which this command reads", written.option, written.path));
}

}  // namespace

void begin_file_uses()
{
    const std::lock_guard lock(uses().mutex);
    uses().read.clear();
    uses().written.clear();
    detail::before_reading = [](const std::string& path) { note_read(path); };
}

void note_read(const std::string& path, Replaced replaced)
{
    if (!can_be_destroyed(path))
        return;
    const std::lock_guard lock(uses().mutex);
    const ReadFile& read = uses().read.emplace_back(path, replaced);
    for (const WrittenFile& written : uses().written)
        require_apart(written, read);
}

void note_written(const std::string& option, const std::string& path)
{
    if (!can_be_destroyed(path))
        return;
    const std::lock_guard lock(uses().mutex);
    for (const WrittenFile& other : uses().written)
        if (is_same_file(other.path, path))
            throw InvalidArgument(fmt::format("{} and {} name the same file", other.option, option));
    const WrittenFile& written = uses().written.emplace_back(option, path);
    for (const ReadFile& read : uses().read)
        require_apart(written, read);
}

void require_unread(const std::string& path)
{
    const std::lock_guard lock(uses().mutex);
    const auto& all = uses().written;
    const auto named = std::ranges::find_if(all, [&](const WrittenFile& one) { return is_same_file(one.path, path); });
    const WrittenFile written{named == all.end() ? "" : named->option, path};
    for (const ReadFile& read : uses().read)
        if (destroys(written, read))
            throw InvalidArgument(fmt::format("cannot write '{}': this command reads it", path));
}

}  // namespace dcube::cli

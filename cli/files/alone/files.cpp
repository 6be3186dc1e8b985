// The command line's files in WebAssembly: those of its surroundings.

#include "cli/files/files.hpp"

#include "base/sizes.hpp"
#include "cli/alone/host.hpp"

#include <dcube/error.hpp>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <sstream>
#include <system_error>
#include <utility>

namespace dcube::cli {

namespace {

// The size of a file whose bytes are to be taken now.
std::uint64_t read_by_host(const std::string& path)
{
    const std::int64_t size = host::read(path);
    if (size < 0)
        cannot_read(path, static_cast<int>(-size));
    return static_cast<std::uint64_t>(size);
}

void require_written(const std::string& path, int error)
{
    if (error != 0)
        cannot_write(path, error);
}

}  // namespace

bool can_be_destroyed(const std::string& path)
{
    return path != "-" && host::kind(path) != detail::OutsideFiles::Kind::other;
}

bool is_same_file(const std::string& one, const std::string& other)
{
    return host::is_same(one, other);
}

std::string last_name(const std::string& path)
{
    return path.substr(path.rfind('/') + 1);
}

FirstBytes first_bytes(const std::string& path, std::size_t limit)
{
    const std::uint64_t size = read_by_host(path);
    const std::uint64_t wanted = std::min<std::uint64_t>(size, std::uint64_t{limit} + 1);
    constexpr std::uint64_t most = std::numeric_limits<std::size_t>::max();
    return {host::take(allocatable(wanted)), as_size(std::min(size, most))};
}

void with_stream(const std::string& path, const std::function<void(std::istream&)>& read)
{
    note_read(path);
    const std::vector<std::byte> bytes = host::take(allocatable(read_by_host(path)));
    std::istringstream file(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    read(file);
}

NewFile::NewFile(std::string path, Until) : path_(std::move(path)), descriptor_(host::create(path_))
{
    if (descriptor_ < 0)
        cannot_write(path_, -descriptor_);
}

NewFile::~NewFile()
{
    host::release(descriptor_);
}

void NewFile::write(std::span<const std::byte> bytes)
{
    require_written(path_, host::append(descriptor_, bytes));
}

void NewFile::write_at(std::size_t offset, std::span<const std::byte> bytes)
{
    require_written(path_, host::write_at(descriptor_, offset, bytes));
}

void NewFile::set_size(std::size_t bytes)
{
    require_written(path_, host::resize(descriptor_, bytes));
}

void NewFile::commit()
{
    if (can_be_destroyed(path_))
        require_unread(path_);
    require_written(path_, host::commit(descriptor_));
}

}  // namespace dcube::cli

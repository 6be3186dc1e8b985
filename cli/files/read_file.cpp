// Whole files, and the words for files that cannot be read or written.

#include "base/numbers.hpp"
#include "cli/files/files.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <system_error>
#include <utility>

namespace dcube::cli {

std::string shown_file(const std::string& path)
{
    return path == "-" ? "standard input" : fmt::format("'{}'", path);
}

void cannot_read(const std::string& path, int error)
{
    throw InvalidArgument(fmt::format("cannot read {}: {}", shown_file(path), std::generic_category().message(error)));
}

void cannot_write(const std::string& path, int error)
{
    throw InvalidArgument(fmt::format("cannot write '{}': {}", path, std::generic_category().message(error)));
}

std::vector<std::byte> read_file(const std::string& path, std::size_t limit, const std::string& limit_is,
                                 Replaced replaced)
{
    note_read(path, replaced);
    FirstBytes first = first_bytes(path, limit);
    if (first.bytes.empty() && limit > 0)
        throw InvalidArgument(fmt::format("{} is empty", shown_file(path)));
    if (first.bytes.size() > limit)
        throw InvalidArgument(fmt::format("{} has {} bytes, but {} {}", shown_file(path),
                                          first.size > limit ? grouped(first.size) : "more than " + grouped(limit),
                                          limit_is, grouped(limit)));
    return std::move(first.bytes);
}

}  // namespace dcube::cli

// Reading files where the system has none: given texts, or what the surroundings have.

#include "base/files.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <sstream>

namespace dcube::detail {

namespace {

const OutsideFiles& outside()
{
    if (!outside_files)
        throw InvalidArgument("there is no such file: this build of dcube has none");
    return *outside_files;
}

std::string text_from_outside(const std::string& path)
{
    const OutsideFiles& files = outside();
    if (before_reading)
        before_reading(path);
    return files.text(path);
}

void require_regular(const std::string& path)
{
    using Kind = OutsideFiles::Kind;
    if (const Kind kind = outside().kind(path); kind != Kind::regular)
        throw InvalidArgument(kind == Kind::other ? "this is not a regular file" : "there is no such file");
}

}  // namespace

std::unique_ptr<std::istream> open_file(const std::string& path)
{
    const GivenFiles* const given = GivenFiles::here();
    return std::make_unique<std::istringstream>(given ? given->text(path) : text_from_outside(path));
}

std::string text_of_file(const std::string& path, std::uint64_t most)
{
    const GivenFiles* const given = GivenFiles::here();
    if (!given)
        require_regular(path);
    std::string text = given ? given->text(path) : text_from_outside(path);
    if (text.size() > most)
        throw InvalidArgument(fmt::format("at most {} bytes are allowed", most));
    return text;
}

}  // namespace dcube::detail

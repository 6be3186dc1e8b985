#include "base/files.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>

namespace dcube::detail {

namespace {

void will_read(const std::string& path)
{
    if (before_reading)
        before_reading(path);
}

}  // namespace

std::unique_ptr<std::istream> open_file(const std::string& path)
{
    if (const GivenFiles* const given = GivenFiles::here())
        return std::make_unique<std::istringstream>(given->text(path));
    will_read(path);
    auto file = std::make_unique<std::ifstream>(path, std::ios::binary);
    if (!*file)
        throw InvalidArgument(std::generic_category().message(errno));
    return file;
}

std::string text_of_file(const std::string& path, std::uint64_t most)
{
    namespace files = std::filesystem;
    const auto require_at_most = [most](std::uintmax_t bytes) {
        if (bytes > most)
            throw InvalidArgument(fmt::format("at most {} bytes are allowed", most));
    };
    if (const GivenFiles* const given = GivenFiles::here()) {
        require_at_most(given->text(path).size());
        return given->text(path);
    }
    std::error_code error;
    if (!files::is_regular_file(path, error))
        throw InvalidArgument(files::exists(path, error) ? "this is not a regular file" : "there is no such file");
    const std::uintmax_t size = files::file_size(path, error);
    require_at_most(error ? most + 1 : size);
    will_read(path);
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (!file)
        throw InvalidArgument("cannot be read");
    return text;
}

}  // namespace dcube::detail

#include "tests/support/files.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <system_error>

namespace dcube::test {

namespace {

// The place of the tests' folders: a command line that is split at spaces can name their files.
std::filesystem::path place_of_folders()
{
    const std::filesystem::path usual = std::filesystem::temp_directory_path();
    return usual.string().find(' ') == std::string::npos ? usual : std::filesystem::path("/tmp");
}

}  // namespace

TemporaryFolder::TemporaryFolder() : path_(place_of_folders() / "dcube-test-XXXXXX")
{
    if (mkdtemp(path_.data()) == nullptr)
        throw std::system_error(errno, std::generic_category(), path_);
}

TemporaryFolder::~TemporaryFolder()
{
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

bool TemporaryFolder::in_use() const
{
    namespace fs = std::filesystem;
    std::error_code ignored;
    for (const auto& process : fs::directory_iterator("/proc", ignored))
        for (fs::directory_iterator file(process.path() / "fd", ignored), end; !ignored && file != end;
             file.increment(ignored))
            if (fs::read_symlink(file->path(), ignored).string().starts_with(path_ + "/"))
                return true;
    return false;
}

std::vector<std::string> TemporaryFolder::names() const
{
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_))
        names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
}

std::string read_text(const std::string& file)
{
    std::ifstream stream(file, std::ios::binary);
    if (!stream)
        throw std::runtime_error("cannot read " + file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

void write_text(const std::string& file, const std::string& text)
{
    std::ofstream stream(file, std::ios::binary);
    stream << text;
    if (!stream.flush())
        throw std::runtime_error("cannot write " + file);
}

std::vector<std::string> lines_of(const std::string& text)
{
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

}  // namespace dcube::test

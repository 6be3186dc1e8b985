#include "cli/files/this_program.hpp"

#include <system_error>

#ifdef __APPLE__
#include <crt_externs.h>
#include <mach-o/dyld.h>

#include <cstdint>
#else
#include <fstream>
#endif

namespace dcube::cli {

namespace fs = std::filesystem;

#ifdef __APPLE__

fs::path program_file()
{
    std::uint32_t bytes = 0;
    _NSGetExecutablePath(nullptr, &bytes);
    std::string path(bytes, '\0');
    return _NSGetExecutablePath(path.data(), &bytes) == 0 ? fs::path(path.c_str()) : fs::path();
}

fs::path program_folder()
{
    std::error_code ignored;
    return fs::canonical(program_file(), ignored).parent_path();
}

std::vector<std::string> program_words()
{
    char** const words = *_NSGetArgv();
    return {words, words + *_NSGetArgc()};
}

#else

fs::path program_file()
{
    return "/proc/self/exe";
}

fs::path program_folder()
{
    std::error_code ignored;
    return fs::read_symlink(program_file(), ignored).parent_path();
}

std::vector<std::string> program_words()
{
    std::ifstream file("/proc/self/cmdline", std::ios::binary);
    std::vector<std::string> words;
    for (std::string word; std::getline(file, word, '\0');)
        words.push_back(word);
    return words;
}

#endif

}  // namespace dcube::cli

#include "cli/files/lab_module.hpp"

#include "cli/files/files.hpp"
#include "cli/files/this_program.hpp"

#include <dcube/error.hpp>

#include <cstddef>
#include <filesystem>
#include <system_error>
#include <vector>

namespace dcube::cli {

// Where the build or an installation puts it, relative to this program.
std::string usual_module()
{
    namespace fs = std::filesystem;
    constexpr std::size_t largest = std::size_t{64} << 20;
    std::error_code ignored;
    for (const char* const place : {"../../wasm/web/wasm/dcube.wasm", "../share/dcube/dcube.wasm"})
        if (const fs::path file = program_folder() / place; fs::is_regular_file(file, ignored)) {
            const std::vector<std::byte> bytes = read_file(file.string(), largest, "a module has at most");
            return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
        }
    throw InvalidArgument(
        "the module dcube.wasm is missing, which runs in the page: in dcube's source folder ./dcube lab builds it, "
        "with the packages clang-19, lld-19, libc++-19-dev-wasm32, libc++abi-19-dev-wasm32, libclang-rt-19-dev-wasm32, "
        "wasi-libc and binaryen");
}

}  // namespace dcube::cli

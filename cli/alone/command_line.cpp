// The program in WebAssembly, from outside: one function, which executes a command line. What it calls in its
// surroundings is in host.hpp; standard output, standard error, the clock and the environment are WASI's.

#include "cli/alone/host.hpp"
#include "cli/files/files.hpp"
#include "cli/program.hpp"

#include <dcube/error.hpp>

#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace dcube::cli {

namespace {

std::string text_of_host(const std::string& path)
{
    const std::int64_t size = host::read(path);
    if (size < 0)
        throw InvalidArgument(std::generic_category().message(static_cast<int>(-size)));
    const std::vector<std::byte> bytes = host::take(static_cast<std::size_t>(size));
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

constexpr detail::OutsideFiles files_of_host{.kind = host::kind, .text = text_of_host};

// The program's name, then the words, each of which ends with a zero.
std::vector<const char*> pointers_to(std::string_view words)
{
    std::vector<const char*> all{"dcube"};
    for (std::size_t at = 0; at < words.size(); at = words.find('\0', at) + 1)
        all.push_back(words.data() + at);
    return all;
}

}  // namespace

// Returns the exit code.
extern "C" __attribute__((export_name("command_line"))) int dcube_command_line(const char* words,
                                                                               std::size_t size) noexcept
{
    detail::outside_files = &files_of_host;
    view::deflated_outside = host::deflated;
    std::vector<const char*> argv = pointers_to({words, size});
    const int argc = static_cast<int>(argv.size());
    argv.push_back(nullptr);
    return execute(argc, argv.data(), [] {}).code;
}

}  // namespace dcube::cli

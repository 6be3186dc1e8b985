#include "cli/text/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

namespace dcube::cli {

namespace {

constexpr std::size_t usual = 80;
constexpr std::size_t narrowest = 40;

}  // namespace

std::size_t terminal_width()
{
    std::size_t columns = 0;
    if (const char* const told = std::getenv("COLUMNS")) {
        const std::string_view text = told;
        std::from_chars(text.data(), text.data() + text.size(), columns);
    }
    winsize size{};
    if (columns == 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
        columns = size.ws_col;
    return std::max(columns == 0 ? usual : columns, narrowest);
}

}  // namespace dcube::cli

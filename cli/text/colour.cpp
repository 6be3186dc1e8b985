#include "cli/text/colour.hpp"

#include "cli/ranks.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <cstdlib>

namespace dcube::cli {

namespace {

std::string_view variable(const char* name)
{
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

std::string painted(Colour colour, std::string_view code, std::string_view text)
{
    return colour == Colour::off ? std::string(text) : fmt::format("\033[{}m{}\033[0m", code, text);
}

}  // namespace

Colour choose_colour(ColourMode mode)
{
    if (mode != ColourMode::automatic)
        return mode == ColourMode::always ? Colour::on : Colour::off;
    if (!variable("NO_COLOR").empty())
        return Colour::off;
    if (const std::string_view force = variable("CLICOLOR_FORCE"); !force.empty() && force != "0")
        return Colour::on;
    if (variable("TERM") == "dumb")
        return Colour::off;
    // Open MPI's ranks have terminals of their own, wherever their output goes.
    return process_world().ranks() == 1 && isatty(STDOUT_FILENO) != 0 ? Colour::on : Colour::off;
}

std::string green(Colour colour, std::string_view text)
{
    return painted(colour, "32", text);
}

std::string yellow(Colour colour, std::string_view text)
{
    return painted(colour, "33", text);
}

std::string bold(Colour colour, std::string_view text)
{
    return painted(colour, "1", text);
}

}  // namespace dcube::cli

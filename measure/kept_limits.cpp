#include "measure/kept_limits.hpp"

#include "measure/host.hpp"
#include "measure/limits_document.hpp"

#include <dcube/error.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace dcube::measure {

namespace {

// What the variable says, if that is a full path, as the XDG base directory specification demands.
std::optional<std::string> folder_in(const char* variable)
{
    const char* const value = std::getenv(variable);
    return value != nullptr && value[0] == '/' ? std::optional<std::string>(value) : std::nullopt;
}

// Empty if it cannot be read or is larger than any that dcube writes.
std::string text_of(const std::string& path)
{
    constexpr std::size_t most = std::size_t{64} << 20;  // a thousand processors' matrix takes half of that
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
        return {};
    std::ifstream file(path, std::ios::binary);
    std::string text;
    for (std::istreambuf_iterator<char> next(file), end; next != end; ++next) {
        if (text.size() == most)
            return {};
        text += *next;
    }
    return text;
}

}  // namespace

std::optional<std::string> kept_limits_path()
{
    if (const auto cache = folder_in("XDG_CACHE_HOME"))
        return *cache + "/dcube/limits.json";
    if (const auto home = folder_in("HOME"))
        return *home + "/.cache/dcube/limits.json";
    return std::nullopt;
}

std::optional<Limits> limits_kept_in(const std::string& path, const std::string& fingerprint)
{
    try {
        const nlohmann::ordered_json document = parsed_limits_document(text_of(path));
        if (!is_of_this_build(document))
            return std::nullopt;
        Limits limits = read_limits(document);
        return limits.fingerprint == fingerprint ? std::optional(std::move(limits)) : std::nullopt;
    } catch (const InvalidArgument&) {
        return std::nullopt;
    }
}

std::optional<Limits> kept_limits()
{
    const std::optional<std::string> path = kept_limits_path();
    return path ? limits_kept_in(*path, fingerprint_of_host()) : std::nullopt;
}

}  // namespace dcube::measure

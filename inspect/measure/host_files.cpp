#include "inspect/measure/host_files.hpp"

#include "base/names.hpp"
#include "base/numbers.hpp"

#include <fstream>

namespace dcube::measure {

namespace {

constexpr unsigned most_processors = 1U << 16;  // no list of the kernel's has a larger number

}  // namespace

std::optional<std::string> line_of(const std::string& path)
{
    std::ifstream file(path);
    std::string line;
    if (!std::getline(file, line))
        return std::nullopt;
    line = trimmed(line);
    return line.empty() ? std::nullopt : std::optional(line);
}

std::optional<std::uint64_t> number_of(const std::string& path)
{
    const std::optional<std::string> line = line_of(path);
    if (!line)
        return std::nullopt;
    std::string_view text = *line;
    return leading_number<std::uint64_t>(text);
}

std::optional<std::string> value_in(const std::string& path, std::string_view key)
{
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with(key))
            continue;
        std::string rest = trimmed(std::string_view(line).substr(key.size()));
        if (rest.empty() || (rest.front() != ':' && rest.front() != '='))
            continue;  // a longer key
        rest = trimmed(std::string_view(rest).substr(1));
        if (rest.size() >= 2 && rest.front() == '"' && rest.back() == '"')
            rest = rest.substr(1, rest.size() - 2);
        if (!rest.empty())
            return rest;
    }
    return std::nullopt;
}

std::vector<unsigned> number_list(std::string_view text)
{
    std::vector<unsigned> numbers;
    while (!text.empty()) {
        const std::optional<unsigned> first = leading_number<unsigned>(text);
        std::optional<unsigned> last = first;
        if (first && text.starts_with('-')) {
            text.remove_prefix(1);
            last = leading_number<unsigned>(text);
        }
        if (!first || !last || *last < *first || *last > most_processors)
            return {};
        for (unsigned number = *first; number <= *last; ++number)
            numbers.push_back(number);
        if (!text.empty() && !text.starts_with(','))
            return {};
        text.remove_prefix(text.empty() ? 0 : 1);
    }
    return numbers;
}

std::optional<std::uint64_t> bytes_in(std::string_view text)
{
    const std::optional<std::uint64_t> number = leading_number<std::uint64_t>(text);
    if (!number)
        return std::nullopt;
    constexpr std::string_view units = "KMG";
    const std::size_t unit = text.empty() ? std::string_view::npos : units.find(text.front());
    return unit == std::string_view::npos ? *number : *number << (10 * (unit + 1));
}

}  // namespace dcube::measure

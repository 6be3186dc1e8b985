#include "base/lines.hpp"

#include <algorithm>

namespace dcube {

namespace {

bool is_a_digit(char c)
{
    return c >= '0' && c <= '9';
}

// Whether this space separates the digits of a number, 262 144: three digits follow, and no more.
bool inside_number(std::string_view text, std::size_t space)
{
    const std::string_view after = text.substr(space + 1, 4);
    const auto digits = static_cast<std::size_t>(std::ranges::find_if_not(after, is_a_digit) - after.begin());
    return space > 0 && is_a_digit(text[space - 1]) && digits == 3;
}

// The text up to the first space that is not inside a number.
std::string_view first_word(std::string_view text)
{
    std::size_t end = text.find(' ');
    while (end != std::string_view::npos && inside_number(text, end))
        end = text.find(' ', end + 1);
    return text.substr(0, end);
}

}  // namespace

std::vector<std::string> in_lines(std::string_view text, std::size_t width, std::size_t first)
{
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::string_view word = first_word(text);
        text.remove_prefix(std::min(text.size(), word.size() + 1));
        const std::size_t room = lines.size() <= 1 ? first : width;
        if (lines.empty() || (lines.size() == 1 && lines.back().empty()))
            lines.assign(1, std::string(word));
        else if (lines.back().size() + 1 + word.size() > room)
            lines.emplace_back(word);
        else
            lines.back().append(" ").append(word);
    }
    return lines;
}

std::string_view without_byte_order_mark(std::string_view text)
{
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

}  // namespace dcube

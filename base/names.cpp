#include "base/names.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

namespace dcube {

namespace {

char folded(char c)
{
    if (c == ' ' || c == '_')
        return '-';
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Letters that differ, are missing or too many, or stand the other way round (Damerau and Levenshtein's distance, where
// no letter is changed twice).
std::size_t misspellings(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> before_last(b.size() + 1);
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        before_last.swap(last);
        last.swap(row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = folded(a[i - 1]) == folded(b[j - 1]);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
            if (i > 1 && j > 1 && folded(a[i - 1]) == folded(b[j - 2]) && folded(a[i - 2]) == folded(b[j - 1]))
                row[j] = std::min(row[j], before_last[j - 2] + 1);
        }
    }
    return row[b.size()];
}

constexpr std::size_t most_shown = 40;
constexpr std::size_t longest_name = 64;

// The only candidate for which it holds.
template <class Holds>
std::optional<std::string_view> only_one(std::span<const std::string_view> candidates, Holds holds)
{
    if (std::ranges::count_if(candidates, holds) != 1)
        return std::nullopt;
    return *std::ranges::find_if(candidates, holds);
}

// Completes an abbreviation: "broadcast" for "broad"; where several begin so, the one whose first word it is:
// "to_layout" for "to".
std::optional<std::string_view> only_one_begun(std::string_view text, std::span<const std::string_view> candidates)
{
    if (text.size() < 2)
        return std::nullopt;
    const auto begins = [text](std::string_view candidate) { return candidate.starts_with(text); };
    const auto begins_as_a_word = [&](std::string_view candidate) {
        return begins(candidate) && candidate.size() > text.size() && folded(candidate[text.size()]) == '-';
    };
    const auto begun = only_one(candidates, begins);
    return begun ? begun : only_one(candidates, begins_as_a_word);
}

// The candidate that `text` was most likely meant to be: the one with the fewest letters wrong, missing, too many or
// changed over, if those are few; else the one that begins with it. None if it is none of them.
std::optional<std::string_view> closest_name(std::string_view text, std::span<const std::string_view> candidates)
{
    if (text.size() > longest_name)
        return std::nullopt;
    std::optional<std::string_view> closest;
    const std::size_t letters = text.size() - std::min(text.find_first_not_of('-'), text.size());
    std::size_t fewest = std::max<std::size_t>(1, letters / 3) + 1;
    for (const std::string_view candidate : candidates) {
        const std::size_t wrong = misspellings(text, candidate);
        if (wrong < fewest && wrong < candidate.size()) {
            fewest = wrong;
            closest = candidate;
        }
    }
    return closest ? closest : only_one_begun(text, candidates);
}

}  // namespace

bool same_name(std::string_view a, std::string_view b)
{
    if (a.size() != b.size())
        return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (folded(a[i]) != folded(b[i]))
            return false;
    return true;
}

std::vector<std::string> split(std::string_view text, std::string_view separator)
{
    std::vector<std::string> parts;
    for (std::size_t end = 0; end != std::string_view::npos;) {
        end = text.find(separator);
        parts.emplace_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + separator.size());
    }
    return parts;
}

std::string trimmed(std::string_view text)
{
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos)
        return {};
    return std::string(text.substr(first, text.find_last_not_of(blanks) + 1 - first));
}

std::string shortened(std::string_view text)
{
    std::string shown;
    for (const char c : text.substr(0, most_shown))
        shown += c < ' ' || c > '~' ? '?' : c;
    return text.size() > most_shown ? shown + "..." : shown;
}

std::string quoted(std::string_view text)
{
    return '\'' + shortened(text) + '\'';
}

std::string with_capital(std::string text)
{
    if (!text.empty())
        text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text;
}

std::string without_capital(std::string text)
{
    if (!text.empty())
        text.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(text.front())));
    return text;
}

std::string shell_word(std::string_view word)
{
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+:,./@%^";
    if (!word.empty() && word.find_first_not_of(plain) == std::string_view::npos)
        return std::string(word);
    std::string quoted_word = "'";
    for (const char c : word)
        quoted_word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted_word + "'";
}

std::string suggestion(std::string_view text, std::span<const std::string_view> candidates, std::string next)
{
    const std::optional<std::string_view> closest = closest_name(text, candidates);
    if (!closest)
        return next;
    return fmt::format("did you mean {}? {}", *closest, with_capital(std::move(next)));
}

std::string unknown_name(std::string_view text, std::string_view what, std::span<const std::string_view> candidates,
                         std::string_view allowed)
{
    return fmt::format("{} is not {}: {}", quoted(text), what,
                       suggestion(text, candidates, fmt::format("expected one of {}", allowed)));
}

}  // namespace dcube

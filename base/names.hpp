#pragma once
// Names of the values of an enumeration, as the command line and the reports spell them, and back.

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dcube {

/// A spelling of a value; the first one of each value is its name.
template <class Value>
struct Spelling {
    Value value;
    std::string_view text;
};

/// Whether the names are equal up to case, and up to spaces and underscores instead of hyphens.
bool same_name(std::string_view a, std::string_view b);

/// User input, shortened and put on one line whatever it contains.
std::string shortened(std::string_view text);
/// The same between apostrophes.
std::string quoted(std::string_view text);

/// The parts of the text between separators, of which there may be none: "a,,b" gives "a", "" and "b".
std::vector<std::string> split(std::string_view text, std::string_view separator);

/// The text without spaces, tabs and ends of lines at both ends.
std::string trimmed(std::string_view text);

/// The text with a capital at its beginning, and with a small letter there.
std::string with_capital(std::string text);
std::string without_capital(std::string text);

/// The word, in single quotes where a shell would split it.
std::string shell_word(std::string_view word);

/// Calls read(); if it throws InvalidArgument, that is about the value of this key (or option).
template <class Read>
auto about(std::string_view key, Read read)
{
    try {
        return read();
    } catch (const InvalidArgument& error) {
        throw InvalidArgument(key, error);
    }
}

/// Calls read(); if it throws InvalidArgument, the prefix, such as a file's name, stands before that sentence.
template <class Read>
auto prefixed(std::string_view prefix, Read read)
{
    try {
        return read();
    } catch (const InvalidArgument& error) {
        throw InvalidArgument(fmt::format("{}: {}", prefix, error.sentence(mention)));
    }
}

/// "did you mean scatter? Expected ..." where a candidate is near, else `next` alone, "expected ...".
std::string suggestion(std::string_view text, std::span<const std::string_view> candidates, std::string next);

/// "'scater' is not a collective: did you mean scatter? Expected one of ...". `what` is what the text should have been.
std::string unknown_name(std::string_view text, std::string_view what, std::span<const std::string_view> candidates,
                         std::string_view allowed);

/// `spellings` are a range of Spelling, those of one value side by side.
template <class Spellings, class Value>
std::string_view name_of(const Spellings& spellings, Value value)
{
    for (const auto& spelling : spellings)
        if (spelling.value == value)
            return spelling.text;
    return "unknown";
}

template <class Spellings>
std::string names(const Spellings& spellings)
{
    std::string list;
    for (std::size_t i = 0; i < std::size(spellings); ++i)
        if (i == 0 || spellings[i].value != spellings[i - 1].value)
            list.append(list.empty() ? "" : ", ").append(spellings[i].text);
    return list;
}

/// The names of a range of values.
template <const auto& values>
std::vector<std::string_view> names_of_all()
{
    std::vector<std::string_view> all;
    for (const auto value : values)
        all.push_back(name(value));
    return all;
}

/// Throws InvalidArgument, with the names there are; `what` is what the text should have been.
template <class Spellings>
auto parsed(const Spellings& spellings, std::string_view text, std::string_view what)
{
    for (const auto& spelling : spellings)
        if (same_name(text, spelling.text))
            return spelling.value;
    std::vector<std::string_view> known;
    for (const auto& spelling : spellings)
        known.push_back(spelling.text);
    throw InvalidArgument(unknown_name(text, what, known, names(spellings)));
}

}  // namespace dcube

#pragma once
// Names of the values of an enumeration, as the command line and the reports spell them, and back.

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>

namespace dcube {

/// A spelling of a value; the first one of each value is its name.
template <class Value>
struct Spelling {
    Value value;
    std::string_view text;
};

/// The same but for case, and for spaces and underscores instead of hyphens.
bool same_name(std::string_view a, std::string_view b);

/// What a user gave, short and on one line whatever it was.
std::string quoted(std::string_view text);

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

/// Throws InvalidArgument, with the names there are; `what` is what the text should have been.
template <class Spellings>
auto parsed(const Spellings& spellings, std::string_view text, std::string_view what)
{
    for (const auto& spelling : spellings)
        if (same_name(text, spelling.text))
            return spelling.value;
    throw InvalidArgument(fmt::format("{} is not {}: allowed are {}", quoted(text), what, names(spellings)));
}

}  // namespace dcube

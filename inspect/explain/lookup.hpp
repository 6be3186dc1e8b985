#pragma once
// The meaning of a name: names of the catalogue and their aliases, collectives and the papers' names of them, bounds,
// and the words of the glossary: dcube's, values of options, rows and columns, the textbooks', the letters of formulas,
// and the papers' own.

#include "inspect/explain/texts.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace dcube::explain {

struct Found {
    std::vector<Collective> collectives;
    std::vector<const Entry*> algorithms;
    std::vector<const BoundText*> bounds;
    std::vector<const WordText*> words;  ///< letters and papers' words only where nothing else has the name

    [[nodiscard]] std::size_t size() const
    {
        return collectives.size() + algorithms.size() + bounds.size() + words.size();
    }
};

/// Everything that has this name. If nothing has it, throws InvalidArgument with the names that are near it.
Found find(std::string_view name);

/// A name that is found, and in a line what it means.
struct NamedText {
    std::string name;
    std::string_view about;
};
std::vector<NamedText> all_names();

}  // namespace dcube::explain

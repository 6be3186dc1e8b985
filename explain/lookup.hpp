#pragma once
// What a name stands for: names of the catalogue and their aliases, collectives and the papers' names of them, bounds,
// and the words of the glossary: dcube's, the letters of formulas, and the papers' own.

#include "explain/texts.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace dcube::explain {

struct Found {
    std::vector<Collective> collectives;
    std::vector<const Algorithm*> algorithms;
    std::vector<const BoundText*> bounds;
    std::vector<const WordText*> words;  ///< letters and papers' words only where nothing else has the name

    [[nodiscard]] std::size_t size() const
    {
        return collectives.size() + algorithms.size() + bounds.size() + words.size();
    }
};

/// Everything that has this name. If nothing has, throws InvalidArgument with the names that are near it.
Found find(std::string_view name);

}  // namespace dcube::explain

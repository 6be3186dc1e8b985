#pragma once
/// The names that Doxygen has documented.

#include <string>
#include <vector>

namespace dcube::site {

struct Name {
    std::string name;     ///< "dcube::Machine::run"
    std::string kind;     ///< "function", "class", ...
    std::string address;  ///< in the reference's folder: file and anchor
    std::string arguments{};
};

/// What a tag file of Doxygen lists, each name once.
std::vector<Name> names_of(const std::string& tag_file);

}  // namespace dcube::site

#pragma once
// What may be given for an option, as far as it is a closed set: from the option's own help, and from the tables of
// collectives, algorithms, networks, machines and the like.

#include <dcube/collective.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace dcube::cli {

/// What may stand at a place of a command line, and what it means.
struct Candidate {
    std::string text;
    std::string about{};
};

struct Values {
    std::vector<Candidate> candidates{};
    bool files = false;           ///< it is a file's name
    std::string_view separators;  ///< characters after which another value may follow: "a,b"
};

/// Those of an option of `program` or of one of its commands. Numbers and other open sets have none.
/// `collective` is the command line's, if it names one.
Values values_of(const CLI::Option& option, const CLI::App& program, std::optional<Collective> collective);

}  // namespace dcube::cli

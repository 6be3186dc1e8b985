#pragma once
// Questions as keys with texts: what a page (web/lab/request.hpp) or a Python program asks of dcube. The keys are those
// of a report (dcube list fields) wherever a report has one, and so are the names of values; what is asked is read as
// the program reads its options, so that all refuse the same with the same words.

#include "collectives/problem_fields.hpp"

#include <dcube/error.hpp>
#include <dcube/faults.hpp>
#include <dcube/link.hpp>
#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dcube {

/// A key of a question or of a run, which is an option of the program too.
struct Key {
    enum class Kind : std::uint8_t {
        text,
        texts,   ///< a text, or a list of texts or of whole numbers
        number,  ///< a whole number, or a text that says it
        exact,   ///< a number, or a text such as "5/2"
        flag,
    };

    std::string_view key;
    const char* option;  ///< null: several, or an argument
    std::string_view help;
    Kind kind = Kind::text;
    const ProblemField* field = nullptr;                  ///< of the problem, if it is one
    std::vector<std::string_view> (*values)() = nullptr;  ///< all that are possible; null where there is no list
};

/// In the order in which command lines have them.
std::span<const Key> question_keys();
/// Null if there is none of that name.
const Key* find_key(std::string_view name);

/// The values of the keys that are given, as options would be given them, in the order of the keys.
using Texts = std::vector<std::pair<const Key*, std::string>>;

/// What is wrong with the value of a key.
struct WrongValue : InvalidArgument {
    WrongValue(std::string_view of, const std::string& why) : InvalidArgument(why), key(of) {}
    std::string key;
};

/// One run that is asked for, or what is asked of a board, a list or a judge.
struct Question {
    Topology topology = Topology::hypercube(0);
    PortModel ports = PortModel::all;
    Problem problem{};  ///< with its links
    std::string algorithm = "auto";
    std::uint64_t seed = 1;
    std::vector<Failing> failing{};
    /// A program of one's own without a collective: it is run and not verified (Recording::free).
    bool free = false;
};

/// Throws InvalidArgument: what is missing or does not go together, as the program says it.
Question question_of(const Texts& given);
/// The same for a program of one's own, which needs no collective.
Question own_question_of(const Texts& given);
Topology topology_of(const Texts& given);

/// The same on a network that is there already, and that the texts do not name.
Question question_of(const Texts& given, const Topology& topology);
Question own_question_of(const Texts& given, const Topology& topology);

}  // namespace dcube

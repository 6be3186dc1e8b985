#pragma once
// The single table of a question's keys, for every face: the command line's options, Python's arguments, the fields of
// a form (web/lab/request.hpp) and the documents' tables are made of it. The keys are those of a report (dcube list
// fields) wherever a report has one, and so are the names of values. A new key is a member, and a row in question.cpp
// or, where it is a problem's, in collectives/problem_fields.cpp.

#include "collectives/problem_fields.hpp"
#include "run/given.hpp"

#include <dcube/error.hpp>
#include <dcube/faults.hpp>
#include <dcube/link.hpp>
#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dcube {

struct Given;

/// A key of a question.
struct Key {
    enum class Kind : std::uint8_t {
        text,
        nodes,    ///< a text, or a list of nodes
        numbers,  ///< a text, or a list of whole numbers, or of rows of them
        texts,    ///< a text, or a list of texts
        number,   ///< a whole number, or a text that says it: "4KiB"
        exact,    ///< a number, or a text such as "5/2"
        flag,
    };
    enum class Group : std::uint8_t { network, faults, problem, links, tuning };

    std::string_view key;   ///< in reports and requests: "tau_ns_per_byte"
    std::string_view name;  ///< as an argument, and with two hyphens before it an option: "tau"
    Group group;
    Kind kind;
    std::string_view placeholder{};                                 ///< of an option's value: "NS"
    std::string_view about;                                         ///< the one explanation
    std::string_view form{};                                        ///< values as they are written: "2, 5/2 or 0.5"
    std::string_view usual{};                                       ///< where none is given
    void (*read)(Given& given, const GivenValue& value) = nullptr;  ///< throws InvalidArgument; null: the field does
    std::vector<std::string_view> (*values)() = nullptr;  ///< all that are possible; null where there is no list
    const ProblemField* field = nullptr;                  ///< of the problem, if it is one
    std::string_view title{};                             ///< of its field in a form, where the name would not do

    /// The label of its field in a form: "To layout".
    [[nodiscard]] std::string label() const;
    /// "size of a packet: 64, 64B, 4KiB, 1M [64]"
    [[nodiscard]] std::string help() const;
};

/// All keys, in the order in which command lines have them.
std::span<const Key> question_keys();
/// Null if there is none of that name.
const Key* find_key(std::string_view name);
/// The option for a key, of a question or of a machine's settings: "--tau". An option's name stays as it is.
std::string option_of(std::string_view key);
/// The argument's name in Python: "tau".
std::string argument_of(std::string_view key);
/// "Links": the heading of a group's options, and of its fields.
std::string_view name(Key::Group group);
/// "number", as a form has it.
std::string_view name(Key::Kind kind);

/// The keys that are given, with their values, in the order of the keys.
using GivenValues = std::vector<std::pair<const Key*, GivenValue>>;

/// A question: a run, or a board, list or judgement.
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

/// The values of a question's keys, read one by one before all is put together.
struct Given {
    std::optional<Collective> collective{};
    Topology topology = Topology::hypercube(0);
    Faults faults{};
    GivenFields fields{};
    GivenLinks links{};
    Question question{};  ///< the parts that depend on nothing else

    /// Throws InvalidArgument, about the key.
    void read(const Key& key, const GivenValue& value);
};

/// Throws InvalidArgument if something is missing or values do not go together.
Question question_of(const GivenValues& given);
/// The same for a program of one's own, which needs no collective.
Question own_question_of(const GivenValues& given);
Topology topology_of(const GivenValues& given);

/// The same on a network that is there already, and that the values do not name.
Question question_of(const GivenValues& given, const Topology& topology);
Question own_question_of(const GivenValues& given, const Topology& topology);

}  // namespace dcube

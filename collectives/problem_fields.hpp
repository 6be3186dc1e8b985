#pragma once
// The single table of a problem's fields: each field's key and meaning, the collectives that have it, and how it is
// read and written. Questions (run/question.hpp), traces' headers, reports, bench files, tables and the agreement of
// ranks loop over it. A new field is a member of Problem or Tuning and a row in problem_fields.cpp.

#include "base/numbers.hpp"

#include <dcube/problem.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace dcube {

/// Empty where the field has no meaning, or has not been set.
using FieldValue = std::variant<std::monostate, std::uint64_t, std::string, std::vector<NodeId>>;

enum class FieldGroup : std::uint8_t {
    problem,  ///< the task
    tuning,   ///< how an algorithm of the link-bound model does it: empty where it chooses for itself
};

struct ProblemField {
    std::string_view key;     ///< in records and questions: "to_layout"
    std::string_view unit{};  ///< of its number in records
    std::string_view about;
    std::string_view form{};   ///< values as they are written: "64, 4KiB, 1M"
    std::string_view usual{};  ///< where none is given: "64"
    const char* placeholder;   ///< of a value: "LAYOUT"
    std::uint64_t least = 0;   ///< of a number as it is given; 0 and 0: the network's nodes
    std::uint64_t most = 0;
    bool is_size = false;  ///< a number of bytes, which may have a unit: "4KiB"
    /// Says which collectives have it: "matrix-relayout has a layout afterwards"; ends the error for others. Keys are
    /// written with mention().
    std::string owners{};

    FieldGroup group = FieldGroup::problem;
    bool of_values = false;  ///< about the values of elements: where they go, and when, depends on their size alone
    bool (*applies)(const Problem&) = nullptr;
    FieldValue (*get)(const Problem&) = nullptr;            ///< whether it applies or not
    std::uint64_t largest = 0;                              ///< number that the member can hold
    void (*set_number)(Problem&, std::uint64_t) = nullptr;  ///< a number up to `largest`
    void (*set_name)(Problem&,
                     const std::string&) = nullptr;      ///< throws InvalidArgument; for fields that are not numbers
    std::vector<std::string_view> (*names)() = nullptr;  ///< all that there are; null where they are no list
    /// The member of a field that is a list: the permutation, and counts.
    std::vector<std::uint32_t>& (*list)(Problem&) = nullptr;

    [[nodiscard]] bool is_number() const { return set_number != nullptr; }
    [[nodiscard]] bool is_name() const { return set_name != nullptr; }
    [[nodiscard]] bool is_list() const { return list != nullptr; }
    /// A node, so that the option's range is the network's.
    [[nodiscard]] bool is_node() const { return is_number() && most == 0; }
};

/// All fields, in the order in which tables show them. Those that are lists are read together with the network.
std::span<const ProblemField> problem_fields();

/// Throws std::out_of_range: there is no such key.
const ProblemField& problem_field(std::string_view key);

/// Reads a text into the field: a number of this range, a size, or a name. Throws InvalidArgument, about its key.
void set_field(const ProblemField& field, const std::string& text, NumberRange range, Problem& problem);
/// The same of a number.
void set_field(const ProblemField& field, std::uint64_t number, NumberRange range, Problem& problem);

/// The field's name in sentences and tables: "to layout".
std::string words(const ProblemField& field);

/// Nothing where the field does not apply.
FieldValue value_of(const ProblemField& field, const Problem& problem);

/// "8", "rows-striped", "3 0 1 2"; empty if there is none.
std::string to_string(const FieldValue& value);

}  // namespace dcube

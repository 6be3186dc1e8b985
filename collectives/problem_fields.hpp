#pragma once
// The single table of a problem's fields: what each field is called in records, as an option and in sentences, for
// which collectives it has a meaning, and how it is read and written. Options, traces' headers, reports, bench files,
// tables and the agreement of ranks loop over it. A new field is a member of Problem or Tuning and a row in
// problem_fields.cpp.

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
    problem,  ///< what is to be achieved
    tuning,   ///< how an algorithm of the link-bound model does it: empty where it chooses for itself
};

struct ProblemField {
    std::string_view key;     ///< in records: "to_layout"
    std::string_view unit{};  ///< of its number in records
    std::string_view about;
    std::string_view words;  ///< what sentences and tables call it: "to layout"

    const char* option;       ///< "--to-layout"
    const char* placeholder;  ///< of the option's value: "LAYOUT"
    const char* help;
    std::uint64_t least = 0;  ///< of a number as the option takes it; 0 and 0: the network's nodes
    std::uint64_t most = 0;
    /// Said where it has no meaning: "matrix-relayout has a layout afterwards".
    std::string_view owners{};

    FieldGroup group = FieldGroup::problem;
    bool of_values = false;  ///< about the values of elements: where they go, and when, depends on their size alone
    bool (*applies)(const Problem&) = nullptr;
    FieldValue (*get)(const Problem&) = nullptr;               ///< whether it applies or not
    std::uint64_t largest = 0;                                 ///< number that the member can hold
    void (*set_number)(Problem&, std::uint64_t) = nullptr;     ///< a number up to `largest`
    void (*set_name)(Problem&, const std::string&) = nullptr;  ///< throws InvalidArgument; for what is no number
    std::vector<std::string_view> (*names)() = nullptr;        ///< all that there are; null where they are no list

    [[nodiscard]] bool is_number() const { return set_number != nullptr; }
    [[nodiscard]] bool is_name() const { return set_name != nullptr; }
    /// A node, so that the option's range is the network's.
    [[nodiscard]] bool is_node() const { return is_number() && most == 0; }
};

/// In the order in which tables show them. The field that is neither a number nor a name, the permutation, is read
/// together with the network.
std::span<const ProblemField> problem_fields();

/// Throws std::out_of_range: there is no such key.
const ProblemField& problem_field(std::string_view key);

/// Reads a text into the field: a number of this range, a size, or a name. Throws InvalidArgument, with the option
/// named.
void set_field(const ProblemField& field, const std::string& text, NumberRange range, Problem& problem);

/// Nothing where the field does not apply.
FieldValue value_of(const ProblemField& field, const Problem& problem);

/// "8", "rows-striped", "3 0 1 2"; empty if there is none.
std::string to_string(const FieldValue& value);

}  // namespace dcube

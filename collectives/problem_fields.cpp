#include "collectives/problem_fields.hpp"

#include "base/names.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <type_traits>

namespace dcube {

namespace {

// How a field is read and written, made from a function that leads to its member, such as
// [](auto& p) -> auto& { return p.root; }
struct Access {
    FieldValue (*get)(const Problem&);
    std::uint64_t largest;
    void (*set_number)(Problem&, std::uint64_t);
    void (*set_name)(Problem&, const std::string&);
    std::vector<std::string_view> (*names)() = nullptr;
};

// Of an enumeration whose values are 0, 1, ...
template <class Value>
std::vector<std::string_view> all_names()
{
    std::vector<std::string_view> all;
    for (int i = 0; name(static_cast<Value>(i)) != "unknown"; ++i)
        all.push_back(name(static_cast<Value>(i)));
    return all;
}

template <class Member>
constexpr Access number(Member)
{
    using Value = std::remove_reference_t<std::invoke_result_t<Member, Problem&>>;
    return {[](const Problem& problem) -> FieldValue { return std::uint64_t{Member{}(problem)}; },
            std::numeric_limits<Value>::max(),
            [](Problem& problem, std::uint64_t value) { Member{}(problem) = static_cast<Value>(value); }, nullptr};
}

// A number that algorithms choose for themselves where it is 0.
template <class Member>
constexpr Access fixed_number(Member)
{
    Access access = number(Member{});
    access.get = [](const Problem& problem) -> FieldValue {
        const std::uint64_t value = Member{}(problem);
        return value == 0 ? FieldValue() : value;
    };
    return access;
}

template <auto Parse, class Member>
constexpr Access named(Member)
{
    return {[](const Problem& problem) -> FieldValue { return std::string(name(Member{}(problem))); }, 0, nullptr,
            [](Problem& problem, const std::string& text) { Member{}(problem) = Parse(text); },
            all_names<std::remove_reference_t<std::invoke_result_t<Member, Problem&>>>};
}

constexpr Access of_operation()
{
    Access access = named<parse_operation>([](auto& p) -> auto& { return p.operation; });
    access.get = [](const Problem& problem) -> FieldValue { return std::string(operation_name(problem)); };
    return access;
}

constexpr Access of_waves()
{
    return {[](const Problem& problem) -> FieldValue {
                return problem.tuning.waves.empty() ? FieldValue() : problem.tuning.waves;
            },
            0, nullptr,
            [](Problem& problem, const std::string& text) {
                if (text.empty())
                    throw InvalidArgument("'' is not a wave plan; examples: '432|1', '7..3|2|1'");
                problem.tuning.waves = text;
            }};
}

constexpr Access of_halvings()
{
    return {[](const Problem& problem) -> FieldValue {
                const auto& halvings = problem.tuning.halvings;
                return halvings ? FieldValue(std::uint64_t{*halvings}) : FieldValue();
            },
            std::numeric_limits<unsigned>::max(),
            [](Problem& problem, std::uint64_t value) { problem.tuning.halvings = static_cast<unsigned>(value); },
            nullptr};
}

constexpr Access of_permutation()
{
    return {[](const Problem& problem) -> FieldValue { return problem.permutation; }, 0, nullptr, nullptr};
}

using P = const Problem&;

bool has_matrix(P problem)
{
    return is_matrix(problem.collective);
}

bool has_packets(P problem)
{
    return !is_matrix(problem.collective);
}

bool has_first_end(P problem)
{
    return has_root(problem.collective) || has_peer(problem.collective);
}

// Whether the elements are of a known type: not those of an operation that the caller defines.
bool has_elements(P problem)
{
    return (is_reduction(problem.collective) && !problem.own_operation) || is_matrix(problem.collective);
}

bool always(P)
{
    return true;
}

constexpr ProblemField row(const ProblemField& texts, const Access& access)
{
    ProblemField field = texts;
    field.get = access.get;
    field.largest = access.largest;
    field.set_number = access.set_number;
    field.set_name = access.set_name;
    field.names = access.names;
    return field;
}

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t longest_side = std::uint64_t{1} << 40;
constexpr std::uint64_t most_groups = std::uint64_t{1} << 31;
constexpr std::string_view size_of_matrix = "--rows, --cols and --type say how large a matrix is";
constexpr std::string_view have_matrix = "the matrix- collectives have a matrix";

constexpr ProblemField fields[] = {
    row({.key = "bytes",
         .unit = "bytes",
         .about = "size of a packet; null for matrices",
         .words = "bytes",
         .option = "--bytes",
         .placeholder = "SIZE",
         .help = "of a packet: 64, 64B, 4KiB, 1M [64]",
         .most = no_limit,
         .owners = size_of_matrix,
         .applies = has_packets},
        number([](auto& p) -> auto& { return p.bytes; })),
    row({.key = "packets",
         .about = "packets of a message, or blocks of the vector of all-reduce; null for matrices",
         .words = "packets",
         .option = "--packets",
         .placeholder = "M",
         .help = "packets of a message; all-reduce: blocks [1]",
         .most = std::numeric_limits<std::uint32_t>::max(),
         .owners = size_of_matrix,
         .applies = has_packets},
        number([](auto& p) -> auto& { return p.packets; })),
    row({.key = "root",
         .about = "the root, or the end that sends; null where there is none",
         .words = "root",
         .option = "--root",
         .placeholder = "R",
         .help = "root; send, exchange: the source [0]",
         .owners = "broadcast, reduce, scatter and gather have a root, send and exchange begin there",
         .applies = has_first_end},
        number([](auto& p) -> auto& { return p.root; })),
    row({.key = "peer",
         .about = "the other end of send and exchange",
         .words = "to",
         .option = "--to",
         .placeholder = "NODE",
         .help = "send, exchange: the destination",
         .owners = "send and exchange have two ends",
         .applies = [](P problem) { return has_peer(problem.collective); }},
        number([](auto& p) -> auto& { return p.peer; })),
    row({.key = "permutation",
         .about = "permute: the node to which each node's message goes",
         .words = "permutation",
         .option = "--permutation",
         .placeholder = "NAME",
         .help = "permute: rotation, inversion, ... or @FILE",
         .owners = "permute has one",
         .applies = [](P problem) { return has_permutation(problem.collective); }},
        of_permutation()),
    row({.key = "rows",
         .about = "rows of the matrix",
         .words = "rows",
         .option = "--rows",
         .placeholder = "N",
         .help = "matrices: how many rows",
         .least = 1,
         .most = longest_side,
         .owners = have_matrix,
         .applies = has_matrix},
        number([](auto& p) -> auto& { return p.rows; })),
    row({.key = "columns",
         .about = "columns of the matrix",
         .words = "columns",
         .option = "--cols",
         .placeholder = "N",
         .help = "matrices: how many columns",
         .least = 1,
         .most = longest_side,
         .owners = have_matrix,
         .applies = has_matrix},
        number([](auto& p) -> auto& { return p.columns; })),
    row({.key = "layout",
         .about = "how the matrix lies on the nodes before",
         .words = "layout",
         .option = "--layout",
         .placeholder = "LAYOUT",
         .help = "matrices: rows-blocked, submatrices, ...",
         .owners = have_matrix,
         .applies = has_matrix},
        named<parse_matrix_layout>([](auto& p) -> auto& { return p.layout; })),
    row({.key = "to_layout",
         .about = "how matrix-relayout leaves the matrix",
         .words = "to layout",
         .option = "--to-layout",
         .placeholder = "LAYOUT",
         .help = "matrix-relayout: the layout afterwards",
         .owners = "matrix-relayout has a layout afterwards",
         .applies = [](P problem) { return is_relayout(problem.collective); }},
        named<parse_matrix_layout>([](auto& p) -> auto& { return p.to; })),
    row({.key = "operation",
         .about = "operation of a reduction: sum, min, max or bit-xor",
         .words = "operation",
         .option = "--op",
         .placeholder = "OP",
         .help = "reductions: sum, min, max, bit-xor [sum]",
         .owners = "reduce, reduce-scatter and all-reduce are reductions",
         .of_values = true,
         .applies = [](P problem) { return is_reduction(problem.collective); }},
        of_operation()),
    row({.key = "type",
         .about = "type of the elements of a reduction or matrix",
         .words = "type",
         .option = "--type",
         .placeholder = "TYPE",
         .help = "elements: int8 .. uint64, float, double [uint8]",
         .owners = "reductions and matrices have elements",
         .of_values = true,
         .applies = has_elements},
        named<parse_element_type>([](auto& p) -> auto& { return p.type; })),
    row({.key = "groups",
         .about = "groups of a pipelined algorithm, as --groups says; null: the best number",
         .words = "groups",
         .option = "--groups",
         .placeholder = "G",
         .help = "pipelined algorithms: number of groups [the best]",
         .least = 1,
         .most = most_groups,
         .group = FieldGroup::tuning,
         .applies = always},
        fixed_number([](auto& p) -> auto& { return p.tuning.groups; })),
    row({.key = "detour_groups",
         .about = "groups on detours, as --detour-groups says; null: the best number",
         .words = "detour groups",
         .option = "--detour-groups",
         .placeholder = "G",
         .help = "subcubes: number of groups on detours [the best]",
         .least = 1,
         .most = most_groups,
         .group = FieldGroup::tuning,
         .applies = always},
        fixed_number([](auto& p) -> auto& { return p.tuning.extended_groups; })),
    row({.key = "waves",
         .about = "the dimensions of each wave, as --waves says; null: the best ones",
         .words = "waves",
         .option = "--waves",
         .placeholder = "PLAN",
         .help = "waves: the dimensions of each, e.g. '432|1' or '7..3|2|1' [the best]",
         .group = FieldGroup::tuning,
         .applies = always},
        of_waves()),
    row({.key = "halvings",
         .about = "how often halving-doubling halves, as --halvings says; null: the best number",
         .words = "halvings",
         .option = "--halvings",
         .placeholder = "Q",
         .help = "halving-doubling: how often it halves [the best]",
         .least = 0,
         .most = Topology::max_dimension,
         .group = FieldGroup::tuning,
         .applies = always},
        of_halvings()),
};

}  // namespace

std::span<const ProblemField> problem_fields()
{
    return fields;
}

const ProblemField& problem_field(std::string_view key)
{
    const auto* const found = std::ranges::find(fields, key, &ProblemField::key);
    if (found == std::end(fields))
        throw std::out_of_range(std::string(key));
    return *found;
}

void set_field(const ProblemField& field, const std::string& text, NumberRange range, Problem& problem)
{
    if (field.unit == "bytes")
        field.set_number(problem, parse_size(field.option, text));
    else if (field.is_number())
        field.set_number(problem, parse_number(field.option, text, {range.least, std::min(range.most, field.largest)}));
    else if (field.is_name())
        naming(field.option, [&] { field.set_name(problem, text); });
}

FieldValue value_of(const ProblemField& field, const Problem& problem)
{
    return field.applies(problem) ? field.get(problem) : FieldValue();
}

std::string to_string(const FieldValue& value)
{
    struct Words {
        std::string operator()(std::monostate) const { return {}; }
        std::string operator()(std::uint64_t number) const { return std::to_string(number); }
        std::string operator()(const std::string& name) const { return name; }
        std::string operator()(const std::vector<NodeId>& nodes) const
        {
            return fmt::format("{}", fmt::join(nodes, " "));
        }
    };
    return std::visit(Words{}, value);
}

}  // namespace dcube

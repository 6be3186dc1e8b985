#include "collectives/problem_fields.hpp"

#include "base/names.hpp"
#include "base/sizes.hpp"

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
    std::vector<std::uint32_t>& (*list)(Problem&) = nullptr;
};

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

// A value of an enumeration.
template <auto Parse, const auto& all_values, class Member>
constexpr Access named(Member)
{
    return {[](const Problem& problem) -> FieldValue { return std::string(name(Member{}(problem))); }, 0, nullptr,
            [](Problem& problem, const std::string& text) { Member{}(problem) = Parse(text); },
            names_of_all<all_values>};
}

constexpr Access of_operation()
{
    Access access = named<parse_operation, all_operations>([](auto& p) -> auto& { return p.operation; });
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
                    throw InvalidArgument("", "''", "is not a wave plan; examples: '432|1', '7..3|2|1'");
                problem.tuning.waves = text;
            }};
}

constexpr Access of_within()
{
    return {[](const Problem& problem) -> FieldValue {
                return problem.within.empty() ? FieldValue() : within_text(problem.within);
            },
            0, nullptr, [](Problem& problem, const std::string& text) { problem.within = parse_within(text); }};
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
    return {[](const Problem& problem) -> FieldValue { return problem.permutation; },
            0,
            nullptr,
            nullptr,
            nullptr,
            [](Problem& problem) -> std::vector<std::uint32_t>& { return problem.permutation; }};
}

constexpr Access of_counts()
{
    return {[](const Problem& problem) { return problem.counts.empty() ? FieldValue() : problem.counts; },
            0,
            nullptr,
            nullptr,
            nullptr,
            [](Problem& problem) -> std::vector<std::uint32_t>& { return problem.counts; }};
}

using P = const Problem&;

bool has_matrix(P problem)
{
    return is_matrix(problem.collective);
}

bool has_bytes(P problem)
{
    return !is_matrix(problem.collective) && !is_barrier(problem.collective);
}

bool has_packets(P problem)
{
    return has_bytes(problem) && problem.counts.empty();
}

bool has_first_end(P problem)
{
    return has_root(problem.collective) || has_peer(problem.collective);
}

// Whether the elements have a known type; those of an operation that the caller defines do not.
bool has_elements(P problem)
{
    return (is_reduction(problem.collective) && !problem.own_operation) || is_matrix(problem.collective);
}

bool always(P)
{
    return true;
}

ProblemField row(ProblemField field, const Access& access)
{
    field.get = access.get;
    field.largest = access.largest;
    field.set_number = access.set_number;
    field.set_name = access.set_name;
    field.names = access.names;
    field.list = access.list;
    return field;
}

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t longest_side = std::uint64_t{1} << 40;
constexpr std::uint64_t most_groups = std::uint64_t{1} << 31;

std::vector<ProblemField> all_fields()
{
    const std::string size_of_others =
        fmt::format("{}, {} and {} say how large a matrix is, and the packets of a barrier are empty", mention("rows"),
                    mention("columns"), mention("type"));
    const std::string have_matrix = "the matrix- collectives have a matrix";
    return {
        row({.key = "bytes",
             .unit = "bytes",
             .about = "size of a packet",
             .form = "64, 64B, 4KiB, 1M",
             .usual = "64",
             .placeholder = "SIZE",
             .most = no_limit,
             .is_size = true,
             .owners = size_of_others,
             .applies = has_bytes},
            number([](auto& p) -> auto& { return p.bytes; })),
        row({.key = "packets",
             .about = "packets of a message; all-reduce, scans: blocks of the vector",
             .usual = "1",
             .placeholder = "M",
             .most = std::numeric_limits<std::uint32_t>::max(),
             .owners = size_of_others,
             .applies = has_packets},
            number([](auto& p) -> auto& { return p.packets; })),
        row({.key = "root",
             .about = "root; send, exchange: the source",
             .usual = "0",
             .placeholder = "R",
             .owners = "broadcast, reduce, scatter and gather have a root, send and exchange begin there",
             .applies = has_first_end},
            number([](auto& p) -> auto& { return p.root; })),
        row({.key = "peer",
             .about = "send, exchange: the destination",
             .placeholder = "NODE",
             .owners = "send and exchange have two ends",
             .applies = [](P problem) { return has_peer(problem.collective); }},
            number([](auto& p) -> auto& { return p.peer; })),
        row({.key = "permutation",
             .about = "permute: where each node's message goes",
             .form = "rotation, inversion, ... or @FILE",
             .placeholder = "NAME",
             .owners = "permute has one",
             .applies = [](P problem) { return has_permutation(problem.collective); }},
            of_permutation()),
        row({.key = "counts",
             .about = "packets of each message, where they differ",
             .form = "zipf:1:2, sparse:1/8, poisson:2, block:4, hot:0:9 or @FILE",
             .placeholder = "LAW",
             .owners = "all-to-all, all-gather, reduce-scatter, gather and scatter have messages for or from each node",
             .applies = [](P problem) { return may_be_uneven(problem.collective); }},
            of_counts()),
        row({.key = "rows",
             .about = "rows of the matrix",
             .placeholder = "N",
             .least = 1,
             .most = longest_side,
             .owners = have_matrix,
             .applies = has_matrix},
            number([](auto& p) -> auto& { return p.rows; })),
        row({.key = "columns",
             .about = "columns of the matrix",
             .placeholder = "N",
             .least = 1,
             .most = longest_side,
             .owners = have_matrix,
             .applies = has_matrix},
            number([](auto& p) -> auto& { return p.columns; })),
        row({.key = "layout",
             .about = "how the matrix lies on the nodes",
             .form = "rows-blocked, submatrices, ...",
             .usual = "rows-blocked",
             .placeholder = "LAYOUT",
             .owners = have_matrix,
             .applies = has_matrix},
            named<parse_matrix_layout, all_matrix_layouts>([](auto& p) -> auto& { return p.layout; })),
        row({.key = "to_layout",
             .about = "how matrix-relayout leaves the matrix",
             .form = "rows-striped, ...",
             .placeholder = "LAYOUT",
             .owners = "matrix-relayout has a layout afterwards",
             .applies = [](P problem) { return is_relayout(problem.collective); }},
            named<parse_matrix_layout, all_matrix_layouts>([](auto& p) -> auto& { return p.to_layout; })),
        row({.key = "operation",
             .about = "operation of a reduction",
             .form = "sum, min, max, bit-xor, prod, avg, ...",
             .usual = "sum",
             .placeholder = "OP",
             .owners = "reduce, reduce-scatter, all-reduce, scan and exscan are reductions",
             .of_values = true,
             .applies = [](P problem) { return is_reduction(problem.collective); }},
            of_operation()),
        row({.key = "type",
             .about = "type of the elements of a reduction or matrix",
             .form = "int8 .. uint64, float, double, float16, bfloat16, ...",
             .usual = "uint8",
             .placeholder = "TYPE",
             .owners = "reductions and matrices have elements",
             .of_values = true,
             .applies = has_elements},
            named<parse_element_type, all_element_types>([](auto& p) -> auto& { return p.type; })),
        row({.key = "within",
             .about = "dimensions or factors within which groups of nodes do it, all at once",
             .form = "0,1,2",
             .usual = "all nodes together",
             .placeholder = "LIST",
             .owners = "a matrix lies on all nodes",
             .applies = [](P problem) { return !is_matrix(problem.collective); }},
            of_within()),
        row({.key = "groups",
             .about = "groups of a pipelined algorithm",
             .usual = "the best",
             .placeholder = "G",
             .least = 1,
             .most = most_groups,
             .group = FieldGroup::tuning,
             .applies = always},
            fixed_number([](auto& p) -> auto& { return p.tuning.groups; })),
        row({.key = "detour_groups",
             .about = "groups on detours",
             .usual = "the best",
             .placeholder = "G",
             .least = 1,
             .most = most_groups,
             .group = FieldGroup::tuning,
             .applies = always},
            fixed_number([](auto& p) -> auto& { return p.tuning.detour_groups; })),
        row({.key = "waves",
             .about = "the dimensions of each wave",
             .form = "'432|1', '7..3|2|1'",
             .usual = "the best",
             .placeholder = "PLAN",
             .group = FieldGroup::tuning,
             .applies = always},
            of_waves()),
        row({.key = "halvings",
             .about = "how often halving-doubling halves",
             .usual = "the best",
             .placeholder = "Q",
             .least = 0,
             .most = Topology::max_dimension,
             .group = FieldGroup::tuning,
             .applies = always},
            of_halvings()),
    };
}

}  // namespace

std::span<const ProblemField> problem_fields()
{
    static const std::vector<ProblemField> fields = all_fields();
    return fields;
}

const ProblemField& problem_field(std::string_view key)
{
    const auto found = std::ranges::find(problem_fields(), key, &ProblemField::key);
    if (found == problem_fields().end())
        throw std::out_of_range(std::string(key));
    return *found;
}

namespace {

NumberRange sizes_from(std::uint64_t least)
{
    return {least, largest_size<std::size_t>};
}

}  // namespace

void set_field(const ProblemField& field, const std::string& text, NumberRange range, Problem& problem)
{
    if (field.is_size)
        field.set_number(problem, parse_size(field.key, text, sizes_from(range.least)));
    else if (field.is_number())
        field.set_number(problem, parse_number(field.key, text, {range.least, std::min(range.most, field.largest)}));
    else if (field.is_name())
        about(field.key, [&] { field.set_name(problem, text); });
}

void set_field(const ProblemField& field, std::uint64_t number, NumberRange range, Problem& problem)
{
    field.set_number(problem, field.is_size
                                  ? size_in_range(field.key, number, sizes_from(range.least))
                                  : in_range(field.key, number, {range.least, std::min(range.most, field.largest)}));
}

std::string words(const ProblemField& field)
{
    std::string all(field.key);
    std::ranges::replace(all, '_', ' ');
    return all;
}

FieldValue value_of(const ProblemField& field, const Problem& problem)
{
    return field.applies(problem) ? field.get(problem) : FieldValue();
}

std::string to_string(const FieldValue& value)
{
    struct Shown {
        std::string operator()(std::monostate) const { return {}; }
        std::string operator()(std::uint64_t number) const { return std::to_string(number); }
        std::string operator()(const std::string& name) const { return name; }
        std::string operator()(const std::vector<NodeId>& nodes) const
        {
            return fmt::format("{}", fmt::join(nodes, " "));
        }
    };
    return std::visit(Shown{}, value);
}

}  // namespace dcube

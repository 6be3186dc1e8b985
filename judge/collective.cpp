#include <dcube/collective.hpp>
#include <dcube/error.hpp>

#include <fmt/format.h>

#include <array>
#include <limits>
#include <string>

namespace dcube {

namespace {

// Data of more bytes than this are refused. Every count that is derived from a problem (packets, transmissions, steps)
// then fits in 64 bits with room to spare.
constexpr std::size_t most_bytes = std::size_t{1} << 56;

/// A spelling of a value; the first one of each value is its name.
template <class Value>
struct Spelling {
    Value value;
    std::string_view text;
};

constexpr Spelling<Collective> collective_spellings[] = {
    {Collective::broadcast, "broadcast"},
    {Collective::broadcast, "single-node-broadcast"},
    {Collective::reduce, "reduce"},
    {Collective::reduce, "accumulation"},
    {Collective::reduce, "single-node-accumulation"},
    {Collective::scatter, "scatter"},
    {Collective::scatter, "distribute"},
    {Collective::scatter, "single-node-scatter"},
    {Collective::gather, "gather"},
    {Collective::gather, "single-node-gather"},
    {Collective::all_gather, "all-gather"},
    {Collective::all_gather, "multinode-broadcast"},
    {Collective::all_gather, "complete-broadcast"},
    {Collective::reduce_scatter, "reduce-scatter"},
    {Collective::reduce_scatter, "multinode-accumulation"},
    {Collective::reduce_scatter, "histogram"},
    {Collective::all_reduce, "all-reduce"},
    {Collective::all_to_all, "all-to-all"},
    {Collective::all_to_all, "total-exchange"},
    {Collective::all_to_all, "complete-exchange"},
};

constexpr Spelling<PortModel> port_spellings[] = {
    {PortModel::all, "all"}, {PortModel::all, "multiport"},   {PortModel::all, "MLA"},
    {PortModel::one, "one"}, {PortModel::one, "single-port"}, {PortModel::one, "SLA"},
};

constexpr Spelling<Operation> operation_spellings[] = {
    {Operation::sum, "sum"},         {Operation::min, "min"},     {Operation::max, "max"},
    {Operation::bit_xor, "bit-xor"}, {Operation::bit_xor, "xor"},
};

constexpr Spelling<ElementType> type_spellings[] = {
    {ElementType::int8, "int8"},       {ElementType::int16, "int16"},    {ElementType::int32, "int32"},
    {ElementType::int64, "int64"},     {ElementType::uint8, "uint8"},    {ElementType::uint16, "uint16"},
    {ElementType::uint32, "uint32"},   {ElementType::uint64, "uint64"},  {ElementType::float32, "float"},
    {ElementType::float32, "float32"}, {ElementType::float64, "double"}, {ElementType::float64, "float64"},
};

char folded(char c)
{
    if (c == ' ' || c == '_')
        return '-';
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_name(std::string_view a, std::string_view b)
{
    if (a.size() != b.size())
        return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (folded(a[i]) != folded(b[i]))
            return false;
    return true;
}

/// What a user gave, short and on one line whatever it was.
std::string quoted(std::string_view text)
{
    std::string shown = "'";
    for (const char c : text.substr(0, 40))
        shown += c < ' ' || c > '~' ? '?' : c;
    return shown + (text.size() > 40 ? "...'" : "'");
}

template <class Value, std::size_t n>
std::string_view name_of(const Spelling<Value> (&spellings)[n], Value value)
{
    for (const auto& spelling : spellings)
        if (spelling.value == value)
            return spelling.text;
    return "unknown";
}

template <class Value, std::size_t n>
std::string names(const Spelling<Value> (&spellings)[n])
{
    std::string list;
    for (std::size_t i = 0; i < n; ++i)
        if (i == 0 || spellings[i].value != spellings[i - 1].value)
            list.append(list.empty() ? "" : ", ").append(spellings[i].text);
    return list;
}

template <class Value, std::size_t n>
Value parsed(const Spelling<Value> (&spellings)[n], std::string_view text, std::string_view what)
{
    for (const auto& spelling : spellings)
        if (same_name(text, spelling.text))
            return spelling.value;
    throw InvalidArgument(fmt::format("{} is not {}: allowed are {}", quoted(text), what, names(spellings)));
}

std::size_t multiplied(std::size_t a, std::size_t b, const Problem& problem, const Topology& topology)
{
    if (b != 0 && a > most_bytes / b)
        throw InvalidArgument(
            fmt::format("{} of {} packets of {} bytes on {} nodes is too large: the data of all nodes "
                        "may have at most 2^56 bytes",
                        name(problem.collective), problem.packets, problem.bytes, topology.nodes()));
    return a * b;
}

void validate_elements(const Problem& problem)
{
    if (problem.bytes % size_of(problem.type) != 0)
        throw InvalidArgument(
            fmt::format("packets of {} bytes do not hold whole {} elements: a multiple of {} bytes is "
                        "allowed",
                        problem.bytes, name(problem.type), size_of(problem.type)));
    combiner(problem.operation, problem.type);
}

}  // namespace

std::string_view name(Collective collective)
{
    return name_of(collective_spellings, collective);
}

std::string_view name(PortModel ports)
{
    return name_of(port_spellings, ports);
}

std::string_view name(Operation operation)
{
    return name_of(operation_spellings, operation);
}

std::string_view name(ElementType type)
{
    return name_of(type_spellings, type);
}

Collective parse_collective(std::string_view text)
{
    return parsed(collective_spellings, text, "a collective");
}

PortModel parse_ports(std::string_view text)
{
    return parsed(port_spellings, text, "a port model");
}

Operation parse_operation(std::string_view text)
{
    return parsed(operation_spellings, text, "an operation");
}

ElementType parse_element_type(std::string_view text)
{
    return parsed(type_spellings, text, "an element type");
}

std::size_t size_of(ElementType type)
{
    switch (type) {
    case ElementType::int8:
    case ElementType::uint8: return 1;
    case ElementType::int16:
    case ElementType::uint16: return 2;
    case ElementType::int32:
    case ElementType::uint32:
    case ElementType::float32: return 4;
    case ElementType::int64:
    case ElementType::uint64:
    case ElementType::float64: return 8;
    }
    return 1;
}

bool is_reduction(Collective collective)
{
    return collective == Collective::reduce || collective == Collective::reduce_scatter ||
           collective == Collective::all_reduce;
}

bool has_root(Collective collective)
{
    return collective == Collective::broadcast || collective == Collective::reduce ||
           collective == Collective::scatter || collective == Collective::gather;
}

void validate(const Problem& problem, const Topology& topology)
{
    if (problem.bytes == 0)
        throw InvalidArgument("packets of 0 bytes are not allowed: 1 byte or more is");
    if (problem.packets == 0)
        throw InvalidArgument("messages of 0 packets are not allowed: 1 packet or more is");
    if (has_root(problem.collective) && problem.root >= topology.nodes())
        throw InvalidArgument(fmt::format("root {} is not a node of {}: nodes are 0 to {}", problem.root,
                                          topology.name(), topology.nodes() - 1));
    if (is_reduction(problem.collective))
        validate_elements(problem);
    static_cast<void>(Layout(problem, topology));
}

Layout::Layout(const Problem& problem, const Topology& topology) : root(problem.root)
{
    const auto times = [&](std::size_t a, std::size_t b) { return multiplied(a, b, problem, topology); };
    const std::size_t n = topology.nodes();
    const Collective what = problem.collective;

    message = times(problem.packets, problem.bytes);
    const bool many_in =
        what == Collective::scatter || what == Collective::reduce_scatter || what == Collective::all_to_all;
    const bool many_out =
        what == Collective::gather || what == Collective::all_gather || what == Collective::all_to_all;
    input_per_node = many_in ? times(message, n) : message;
    output_per_node = many_out ? times(message, n) : message;
    input_rooted = what == Collective::broadcast || what == Collective::scatter;
    output_rooted = what == Collective::reduce || what == Collective::gather;
    input_bytes = input_rooted ? input_per_node : times(input_per_node, n);
    output_bytes = output_rooted ? output_per_node : times(output_per_node, n);
}

NodeData node_data(const Layout& layout, std::span<const std::byte> input, std::span<std::byte> output, NodeId node)
{
    const Layout::Part in = layout.input(node);
    const Layout::Part out = layout.output(node);
    return {input.subspan(in.offset, in.bytes), output.subspan(out.offset, out.bytes)};
}

}  // namespace dcube

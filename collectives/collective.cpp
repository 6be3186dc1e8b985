#include <dcube/collective.hpp>
#include <dcube/error.hpp>

#include "base/names.hpp"
#include "collectives/matrix_shapes.hpp"

#include <fmt/format.h>

#include <limits>
#include <string>

namespace dcube {

namespace {

// Data of more bytes than this are refused. Every count that is derived from a problem (packets, transmissions, steps)
// then fits in 64 bits with room to spare.
constexpr std::size_t most_bytes = std::size_t{1} << 56;

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
    {Collective::send, "send"},
    {Collective::exchange, "exchange"},
    {Collective::permute, "permute"},
    {Collective::permute, "permuted-send"},
    {Collective::matrix_transpose, "matrix-transpose"},
    {Collective::matrix_transpose, "transpose"},
    {Collective::matrix_quarter_turn, "matrix-quarter-turn"},
    {Collective::matrix_quarter_turn, "quarter-turn"},
    {Collective::matrix_half_turn, "matrix-half-turn"},
    {Collective::matrix_half_turn, "half-turn"},
    {Collective::matrix_relayout, "matrix-relayout"},
    {Collective::matrix_relayout, "relayout"},
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

void validate_node(std::string_view what, NodeId node, const Topology& topology)
{
    if (node >= topology.nodes())
        throw InvalidArgument(fmt::format("{} {} is not a node of {}: nodes are 0 to {}", what, node, topology.name(),
                                          topology.nodes() - 1));
}

void validate_ends(const Problem& problem, const Topology& topology)
{
    if (topology.nodes() == 1)
        throw InvalidArgument(
            fmt::format("{} has one node: {} is possible between two", topology.name(), name(problem.collective)));
    validate_node("root", problem.root, topology);
    validate_node("peer", problem.peer, topology);
    if (problem.root == problem.peer)
        throw InvalidArgument(fmt::format("root and peer are both node {}: {} is possible between two nodes",
                                          problem.root, name(problem.collective)));
}

void validate_permutation(const Problem& problem, const Topology& topology)
{
    const NodeId nodes = topology.nodes();
    if (problem.permutation.size() != nodes)
        throw InvalidArgument(fmt::format("the permutation names {} nodes: all {} of {} are needed",
                                          problem.permutation.size(), nodes, topology.name()));
    std::vector<NodeId> origin(nodes, nodes);
    for (NodeId node = 0; node < nodes; ++node) {
        const NodeId target = problem.permutation[node];
        if (target >= nodes)
            throw InvalidArgument(fmt::format("the permutation sends node {} to {}, which is not a node of {}: nodes "
                                              "are 0 to {}",
                                              node, target, topology.name(), nodes - 1));
        if (origin[target] != nodes)
            throw InvalidArgument(fmt::format("the permutation names node {} twice, for nodes {} and {}: once is "
                                              "allowed",
                                              target, origin[target], node));
        origin[target] = node;
    }
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

bool is_point_to_point(Collective collective)
{
    return collective == Collective::send || collective == Collective::exchange || collective == Collective::permute;
}

bool is_matrix(Collective collective)
{
    return collective == Collective::matrix_transpose || collective == Collective::matrix_quarter_turn ||
           collective == Collective::matrix_half_turn || collective == Collective::matrix_relayout;
}

void validate(const Problem& problem, const Topology& topology)
{
    if (is_matrix(problem.collective)) {
        static_cast<void>(shape_before(problem, topology));
        static_cast<void>(shape_after(problem, topology));
        return;
    }
    if (problem.bytes == 0)
        throw InvalidArgument("packets of 0 bytes are not allowed: 1 byte or more is");
    if (problem.packets == 0)
        throw InvalidArgument("messages of 0 packets are not allowed: 1 packet or more is");
    if (has_root(problem.collective))
        validate_node("root", problem.root, topology);
    if (problem.collective == Collective::send || problem.collective == Collective::exchange)
        validate_ends(problem, topology);
    if (problem.collective == Collective::permute)
        validate_permutation(problem, topology);
    if (is_reduction(problem.collective))
        validate_elements(problem);
    static_cast<void>(Layout(problem, topology));
}

Layout::Layout(const Problem& problem, const Topology& topology)
    : root(problem.root), peer(problem.peer), inputs(Holders::all), outputs(Holders::all)
{
    const auto times = [&](std::size_t a, std::size_t b) { return multiplied(a, b, problem, topology); };
    const std::size_t n = topology.nodes();
    const Collective what = problem.collective;

    message = is_matrix(what) ? shape_before(problem, topology).per_node() * size_of(problem.type)
                              : times(problem.packets, problem.bytes);
    const bool many_in =
        what == Collective::scatter || what == Collective::reduce_scatter || what == Collective::all_to_all;
    const bool many_out =
        what == Collective::gather || what == Collective::all_gather || what == Collective::all_to_all;
    input_per_node = many_in ? times(message, n) : message;
    output_per_node = many_out ? times(message, n) : message;

    if (what == Collective::broadcast || what == Collective::scatter || what == Collective::send)
        inputs = Holders::root;
    if (what == Collective::reduce || what == Collective::gather)
        outputs = Holders::root;
    if (what == Collective::send)
        outputs = Holders::peer;
    if (what == Collective::exchange)
        inputs = outputs = Holders::both;
    const auto holders = [&](Holders who) { return who == Holders::all ? n : who == Holders::both ? 2 : 1; };
    input_bytes = times(input_per_node, holders(inputs));
    output_bytes = times(output_per_node, holders(outputs));
}

NodeData node_data(const Layout& layout, std::span<const std::byte> input, std::span<std::byte> output, NodeId node)
{
    const Layout::Part in = layout.input(node);
    const Layout::Part out = layout.output(node);
    return {input.subspan(in.offset, in.bytes), output.subspan(out.offset, out.bytes)};
}

}  // namespace dcube

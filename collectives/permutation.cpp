#include <dcube/permutation.hpp>

#include "base/names.hpp"
#include "base/numbers.hpp"
#include "base/sizes.hpp"
#include "base/words.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <random>

namespace dcube {

namespace {

enum class Named {
    identity,
    rotation,
    inversion,
    reflection,
    bit_reversal,
    shuffle,
    transpose,
    tornado,
    neighbour,
    random
};

constexpr Spelling<Named> spellings[] = {
    {Named::identity, "identity"},   {Named::rotation, "rotation"},     {Named::inversion, "inversion"},
    {Named::inversion, "bitcomp"},   {Named::reflection, "reflection"}, {Named::bit_reversal, "bit-reversal"},
    {Named::bit_reversal, "bitrev"}, {Named::shuffle, "shuffle"},       {Named::transpose, "transpose"},
    {Named::tornado, "tornado"},     {Named::neighbour, "neighbour"},   {Named::neighbour, "neighbor"},
    {Named::random, "random"},       {Named::random, "randperm"},
};

constexpr std::string_view xor_prefix = "xor:";

NodeId mask_of(std::string_view text, const Topology& topology)
{
    const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    const auto mask =
        hexadecimal ? parsed_number<std::uint64_t>(text.substr(2), 16) : parsed_number<std::uint64_t>(text);
    if (!mask)
        throw InvalidArgument(fmt::format("{} is not a mask: expected a whole number, e.g. 5 or 0x1f", quoted(text)));
    if (*mask >= topology.nodes())
        throw InvalidArgument(fmt::format("mask {} is not a node of {}: nodes are 0 to {}", text, topology.title(),
                                          topology.nodes() - 1));
    return static_cast<NodeId>(*mask);
}

/// The `bits` bits of `node` rotated left by `by`.
NodeId rotated(NodeId node, unsigned bits, unsigned by)
{
    return (node << by | node >> (bits - by)) & ((NodeId{1} << bits) - 1);
}

NodeId reversed(NodeId node, unsigned bits)
{
    NodeId result = 0;
    for (unsigned bit = 0; bit < bits; ++bit)
        result |= (node >> bit & 1) << (bits - 1 - bit);
    return result;
}

/// Every digit goes `up(k)` further, of k values round which it goes. BookSim's patterns for k-ary n-cubes, where
/// digits are those of other products too.
template <class Up>
NodeId digits_moved(const Topology& topology, NodeId node, const Up& up)
{
    NodeId result = 0;
    for (unsigned i = 0; i < topology.dimension(); ++i) {
        const NodeId k = topology.factor(i).nodes();
        result += (topology.digit(node, i) + up(k)) % k * topology.stride(i);
    }
    return result;
}

/// `d` counts only for those that exchange bits: they need 2^d nodes.
NodeId image(Named named, const Topology& topology, NodeId node, unsigned d)
{
    const NodeId last = topology.nodes() - 1;
    switch (named) {
    case Named::rotation: return node == last ? 0 : node + 1;
    case Named::inversion: return last - node;
    case Named::reflection: return node ^ (last - last / 2);
    case Named::bit_reversal: return reversed(node, d);
    case Named::shuffle: return d == 0 ? node : rotated(node, d, 1);
    case Named::transpose: return d == 0 ? node : rotated(node, d, d / 2);
    case Named::tornado: return digits_moved(topology, node, [](NodeId k) { return (k + 1) / 2 - 1; });
    case Named::neighbour: return digits_moved(topology, node, [](NodeId) { return NodeId{1}; });
    case Named::identity:
    case Named::random: break;
    }
    return node;
}

bool exchanges_bits(Named named)
{
    return named == Named::reflection || named == Named::bit_reversal || named == Named::shuffle ||
           named == Named::transpose;
}

/// The library's shuffle may differ from one library to another; this one is the same everywhere.
void shuffle(std::vector<NodeId>& nodes, std::uint64_t seed)
{
    std::mt19937_64 random(seed);
    for (std::size_t left = nodes.size(); left > 1; --left)
        std::swap(nodes[left - 1], nodes[random() % left]);
}

/// A message for a node that is missing goes on to where that node's would.
void pass_by_missing_nodes(std::vector<NodeId>& targets, const Topology& topology)
{
    if (!topology.lacks_nodes())
        return;
    const std::vector<NodeId> all = targets;
    for (NodeId node = 0; node < topology.nodes(); ++node) {
        NodeId target = topology.is_member(node) ? all[node] : node;
        while (topology.is_member(node) && !topology.is_member(target))
            target = all[target];
        targets[node] = target;
    }
}

}  // namespace

std::vector<std::string_view> permutation_names()
{
    std::vector<std::string_view> all;
    for (const Spelling<Named>& spelling : spellings)
        if (spelling.text == name_of(spellings, spelling.value))
            all.push_back(spelling.text);
    all.push_back(xor_prefix);
    return all;
}

std::vector<NodeId> permutation_by_name(std::string_view name, const Topology& topology, std::uint64_t seed)
{
    const auto d = static_cast<unsigned>(std::countr_zero(topology.nodes()));
    const auto require_bits = [&] {
        if (!std::has_single_bit(topology.nodes()))
            throw InvalidArgument(fmt::format("{} is for 2, 4, 8, ... nodes: {} has {}", quoted(name), topology.title(),
                                              topology.nodes()));
    };
    std::vector<NodeId> nodes(topology.nodes());
    std::iota(nodes.begin(), nodes.end(), NodeId{0});
    if (name.starts_with(xor_prefix)) {
        require_bits();
        const NodeId mask = mask_of(name.substr(xor_prefix.size()), topology);
        for (NodeId& node : nodes)
            node ^= mask;
        pass_by_missing_nodes(nodes, topology);
        return nodes;
    }

    const auto same = [&](const Spelling<Named>& spelling) { return same_name(name, spelling.text); };
    const auto* const found = std::find_if(std::begin(spellings), std::end(spellings), same);
    if (found == std::end(spellings))
        throw InvalidArgument(unknown_name(name, "a permutation", permutation_names(),
                                           fmt::format("{}MASK", fmt::join(permutation_names(), ", "))));
    if (exchanges_bits(found->value))
        require_bits();
    if (found->value == Named::transpose && d % 2 != 0)
        throw InvalidArgument(
            topology.is_hypercube()
                ? fmt::format("transpose needs an even dimension: {} has {}", topology.title(), d)
                : fmt::format("transpose needs 4, 16, 64, ... nodes: {} has {}", topology.title(), topology.nodes()));
    for (NodeId& node : nodes)
        node = image(found->value, topology, node, d);
    if (found->value == Named::random)
        shuffle(nodes, seed);
    pass_by_missing_nodes(nodes, topology);
    return nodes;
}

std::vector<NodeId> parse_permutation(std::string_view text, const Topology& topology)
{
    const NodeId nodes = topology.nodes();
    std::vector<NodeId> permutation;
    std::vector<std::size_t> named(nodes, 0);  // in which line
    Words words(text);
    const auto refuse = [&](const std::string& what) {
        throw InvalidArgument(fmt::format("line {}: {}", words.line(), what));
    };
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
        const auto node = parsed_number<std::uint64_t>(word);
        if (!node)
            refuse(fmt::format("{} is not a whole number", quoted(word)));
        if (*node >= nodes)
            refuse(fmt::format("{} is not a node of {}: nodes are 0 to {}", *node, topology.title(), nodes - 1));
        if (permutation.size() == nodes)
            refuse(fmt::format("{} is one number too many: {} has {} nodes", *node, topology.title(), nodes));
        if (named[as_size(*node)] != 0)
            refuse(fmt::format("node {} is named twice, first in line {}", *node, named[as_size(*node)]));
        named[as_size(*node)] = words.line();
        permutation.push_back(static_cast<NodeId>(*node));
    }
    if (permutation.size() != nodes)
        refuse(fmt::format("the permutation ends after {} numbers: {} has {} nodes", permutation.size(),
                           topology.title(), nodes));
    return permutation;
}

}  // namespace dcube

#include <dcube/group.hpp>

#include "base/names.hpp"
#include "base/numbers.hpp"
#include "base/sizes.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

namespace dcube {

namespace {

std::string_view kind_of_part(const Topology& topology)
{
    return topology.whole().is_hypercube() ? "dimension" : "factor";
}

// "no dimensions", "factor 0 alone", or "factors 0 to 2".
std::string parts_text(const Topology& whole)
{
    const std::string_view kind = kind_of_part(whole);
    switch (whole.dimension()) {
    case 0: return fmt::format("no {}s", kind);
    case 1: return fmt::format("{} 0 alone", kind);
    default: return fmt::format("{}s 0 to {}", kind, whole.dimension() - 1);
    }
}

void require_parts(const Topology& topology, const std::vector<unsigned>& within)
{
    const Topology& whole = topology.whole();
    const std::string given = within_text(within);
    if (within.empty())
        throw InvalidArgument("within", "", fmt::format("names no {}", kind_of_part(topology)));
    if (within.back() >= whole.dimension())
        throw InvalidArgument("within", given,
                              fmt::format("is not possible: {} has {}", whole.title(), parts_text(whole)));
    if (std::ranges::adjacent_find(within) != within.end())
        throw InvalidArgument("within", given, fmt::format("names a {} twice", kind_of_part(topology)));
}

// Factor numbers: those of a hypercube are its dimensions from the highest on.
std::vector<unsigned> factors_of(const Topology& whole, const std::vector<unsigned>& within)
{
    std::vector<unsigned> factors;
    for (const unsigned part : within)
        factors.push_back(whole.is_hypercube() ? whole.dimension() - 1 - part : part);
    std::ranges::sort(factors);
    return factors;
}

Topology product_of(const Topology& whole, const std::vector<unsigned>& factors)
{
    if (whole.is_hypercube())
        return Topology::hypercube(static_cast<unsigned>(factors.size()));
    std::vector<Graph> graphs;
    for (const unsigned factor : factors)
        graphs.push_back(whole.factor(factor));
    return Topology::product(std::move(graphs));
}

// A digit of a node, and its weight in the node's number and in its rank, or in its group's number.
struct GroupDigit {
    NodeId nodes;
    NodeId stride;
    NodeId weight;
};

// The digits of these factors, of which the last is the least significant.
std::vector<GroupDigit> digits_of(const Topology& whole, const std::vector<unsigned>& factors)
{
    std::vector<GroupDigit> digits;
    NodeId weight = 1;
    for (auto factor = factors.rbegin(); factor != factors.rend(); ++factor) {
        const NodeId nodes = whole.factor(*factor).nodes();
        digits.push_back({nodes, whole.stride(*factor), weight});
        weight *= nodes;
    }
    return digits;
}

NodeId taken_from(NodeId node, const std::vector<GroupDigit>& digits)
{
    NodeId number = 0;
    for (const GroupDigit& digit : digits)
        number += node / digit.stride % digit.nodes * digit.weight;
    return number;
}

NodeId put_into(NodeId number, const std::vector<GroupDigit>& digits)
{
    NodeId node = 0;
    for (const GroupDigit& digit : digits)
        node += number / digit.weight % digit.nodes * digit.stride;
    return node;
}

// A port of `node` that leads to `neighbour`, which is there.
Port port_between(const Topology& topology, NodeId node, NodeId neighbour)
{
    Port port = 0;
    while (topology.neighbour(node, port) != neighbour)
        ++port;
    return port;
}

}  // namespace

struct Group::State {
    Topology topology;
    Topology network;
    std::vector<unsigned> within;
    NodeId count;
    std::vector<GroupDigit> of_rank;
    std::vector<GroupDigit> of_number;
    std::vector<std::uint64_t> first_port{};  // by node and the end, in `ports`; empty: all nodes have the same
    std::vector<Port> ports{};

    [[nodiscard]] NodeId rank(NodeId node) const { return taken_from(node, of_rank); }
    [[nodiscard]] NodeId number(NodeId node) const { return taken_from(node, of_number); }
    [[nodiscard]] NodeId node(NodeId number, NodeId rank) const
    {
        return put_into(number, of_number) + put_into(rank, of_rank);
    }
    // What a group lacks, by ranks.
    [[nodiscard]] std::vector<Faults> faults() const
    {
        std::vector<Faults> all(count);
        for (const NodeId missing : topology.faults().nodes)
            all[number(missing)].nodes.push_back(rank(missing));
        for (const auto& [a, b] : topology.faults().links)
            if (number(a) == number(b))
                all[number(a)].links.emplace_back(std::min(rank(a), rank(b)), std::max(rank(a), rank(b)));
        for (Faults& one : all) {
            std::ranges::sort(one.nodes);
            std::ranges::sort(one.links);
        }
        return all;
    }
    void list_ports();
};

void Group::State::list_ports()
{
    if (topology.is_hypercube()) {
        ports.assign(within.begin(), within.end());
        return;
    }
    for (NodeId at = 0; at < topology.nodes(); ++at) {
        first_port.push_back(ports.size());
        if (topology.is_missing(at))
            continue;
        for (Port port = 0; port < network.ports(rank(at)); ++port)
            ports.push_back(port_between(topology, at, node(number(at), network.neighbour(rank(at), port))));
    }
    first_port.push_back(ports.size());
}

Group Group::of(const Topology& topology, std::vector<unsigned> within)
{
    std::ranges::sort(within);
    require_parts(topology, within);
    const Topology& whole = topology.whole();
    const std::vector<unsigned> factors = factors_of(whole, within);
    std::vector<unsigned> others;
    for (unsigned factor = 0; factor < whole.dimension(); ++factor)
        if (std::ranges::find(factors, factor) == factors.end())
            others.push_back(factor);
    const Topology product = product_of(whole, factors);
    auto state = std::make_shared<State>(State{topology, product, std::move(within), whole.nodes() / product.nodes(),
                                               digits_of(whole, factors), digits_of(whole, others)});
    if (!topology.faults().empty()) {
        const std::vector<Faults> faults = state->faults();
        for (NodeId number = 1; number < state->count; ++number)
            if (faults[number] != faults[0])
                throw InvalidArgument(
                    "within", within_text(state->within),
                    fmt::format("is not possible: the groups of nodes {} and {} do not lack the same links and nodes",
                                state->node(0, 0), state->node(number, 0)));
        if (!faults[0].empty())
            state->network = about("within", [&] { return product.without(faults[0]); });
    }
    state->list_ports();
    return Group(std::move(state));
}

const Topology& Group::topology() const
{
    return state_->topology;
}

const Topology& Group::network() const
{
    return state_->network;
}

const std::vector<unsigned>& Group::within() const
{
    return state_->within;
}

NodeId Group::count() const
{
    return state_->count;
}

NodeId Group::size() const
{
    return state_->network.nodes();
}

NodeId Group::number(NodeId node) const
{
    return state_->number(node);
}

NodeId Group::rank(NodeId node) const
{
    return state_->rank(node);
}

NodeId Group::node(NodeId number, NodeId rank) const
{
    return state_->node(number, rank);
}

std::span<const Port> Group::ports(NodeId node) const
{
    const std::vector<std::uint64_t>& first = state_->first_port;
    if (first.empty())
        return state_->ports;
    return std::span(state_->ports).subspan(as_size(first[node]), as_size(first[node + 1] - first[node]));
}

bool operator==(const Group& a, const Group& b)
{
    return a.state_ == b.state_ || (a.within() == b.within() && a.topology() == b.topology());
}

std::vector<unsigned> parse_within(std::string_view text)
{
    std::vector<unsigned> within;
    for (const std::string& part : split(text, ","))
        within.push_back(static_cast<unsigned>(parse_number("within", trimmed(part), {0, Topology::max_nodes})));
    std::ranges::sort(within);
    if (std::ranges::adjacent_find(within) != within.end())
        throw InvalidArgument("within", dcube::quoted(text), "names a dimension or factor twice");
    return within;
}

std::string within_text(const std::vector<unsigned>& within)
{
    return fmt::format("{}", fmt::join(within, ","));
}

}  // namespace dcube

#include "explain/binding.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dcube::explain {

namespace {

using Kind = Argument::Kind;

std::vector<BindingLink> links_out_of(const Topology& topology, NodeId node)
{
    std::vector<BindingLink> links;
    for (Port port = 0; port < topology.ports(node); ++port)
        links.push_back({node, port});
    return links;
}

std::vector<BindingLink> links_into(const Topology& topology, NodeId node)
{
    std::vector<BindingLink> links;
    for (Port port = 0; port < topology.ports(node); ++port)
        links.push_back({topology.neighbour(node, port), topology.arrival_port(node, port)});
    return links;
}

// The links into the nodes inside, from those outside or (one port) from all; `outwards` those that lead out of them.
std::vector<BindingLink> links_of_nodes(const Topology& topology, const Argument& argument)
{
    const std::vector<bool>& inside = argument.cut.inside;
    const bool whoever = argument.kind == Kind::senders;
    std::vector<BindingLink> links;
    for (NodeId node = 0; node < topology.nodes(); ++node)
        for (Port port = 0; port < topology.ports(node); ++port) {
            const NodeId next = topology.neighbour(node, port);
            const bool counts = argument.outwards ? inside[node] && (whoever || !inside[next])
                                                  : inside[next] && (whoever || !inside[node]);
            if (counts)
                links.push_back({node, port});
        }
    return links;
}

std::vector<BindingLink> links_across(const Topology& topology, const NodeCut& cut)
{
    const auto inside = [&](NodeId node) { return cut.inside[cut.factor ? topology.digit(node, *cut.factor) : node]; };
    std::vector<BindingLink> links;
    for (NodeId node = 0; node < topology.nodes(); ++node)
        for (Port port = 0; inside(node) && port < topology.ports(node); ++port)
            if (!inside(topology.neighbour(node, port)))
                links.push_back({node, port});
    return links;
}

// "0-2, 5"
std::string ranges_text(const std::vector<bool>& members)
{
    std::string text;
    for (std::size_t first = 0; first < members.size(); ++first) {
        if (!members[first])
            continue;
        std::size_t last = first;
        while (last + 1 < members.size() && members[last + 1])
            ++last;
        text += fmt::format("{}{}", text.empty() ? "" : ", ", first);
        if (last > first)
            text += fmt::format("-{}", last);
        first = last;
    }
    return text;
}

}  // namespace

std::vector<BindingLink> binding_links(const Topology& topology, const Argument& argument)
{
    switch (argument.kind) {
    case Kind::leaving:
    case Kind::passing: return links_out_of(topology, argument.node);
    case Kind::arriving: return links_into(topology, argument.node);
    case Kind::cut: return links_across(topology, argument.cut);
    case Kind::detours:
        return argument.outwards ? links_out_of(topology, argument.other) : links_into(topology, argument.node);
    case Kind::entering:
    case Kind::senders: return links_of_nodes(topology, argument);
    case Kind::junction:
    case Kind::priced:
    case Kind::nothing:
    case Kind::distance:
    case Kind::doubling:
    case Kind::telling:
    case Kind::paths:
    case Kind::unrolled:
    case Kind::hops: break;
    }
    return {};
}

std::string cut_name(const Topology& topology, const NodeCut& cut)
{
    if (!cut.factor)
        return "the cut";
    if (topology.is_hypercube())
        return fmt::format("dimension {}", topology.dimension() - 1 - *cut.factor);
    return fmt::format("the middle of factor {}, {}", *cut.factor + 1, topology.factor(*cut.factor).name());
}

std::string cut_direction(const Topology& topology, const NodeCut& cut)
{
    if (cut.factor && topology.is_hypercube()) {
        std::string from(topology.dimension(), 'x');
        std::string to = from;
        from[*cut.factor] = cut.inside[0] ? '0' : '1';
        to[*cut.factor] = cut.inside[0] ? '1' : '0';
        return fmt::format("from {} to {}", from, to);
    }
    return fmt::format("from {}nodes {} to the others", cut.factor ? "its " : "", ranges_text(cut.inside));
}

std::string nodes_text(const NodeCut& cut)
{
    const auto count = std::count(cut.inside.begin(), cut.inside.end(), true);
    return fmt::format("node{} {}", count == 1 ? "" : "s", ranges_text(cut.inside));
}

std::string tally_words(const Topology& topology, const Argument& argument, const std::string& what)
{
    const std::string begins = "{n} of {total} " + what;
    switch (argument.kind) {
    case Kind::leaving:
    case Kind::passing: return begins + fmt::format("have left node {}", argument.node);
    case Kind::arriving: return begins + fmt::format("have reached node {}", argument.node);
    case Kind::cut: return begins + "have crossed " + cut_name(topology, argument.cut);
    case Kind::hops: return argument.cut.factor ? "" : begins + "have been sent over a link";
    case Kind::detours:
        return begins + (argument.outwards ? fmt::format("have left node {}", argument.other)
                                           : fmt::format("have reached node {}", argument.node));
    case Kind::entering:
    case Kind::senders:
        return begins + fmt::format("have {} {}", argument.outwards ? "been sent by" : "been received by",
                                    nodes_text(argument.cut));
    case Kind::priced:
    case Kind::nothing:
    case Kind::distance:
    case Kind::telling:
    case Kind::paths:
    case Kind::unrolled:
    case Kind::junction:
    case Kind::doubling: break;
    }
    return {};
}

}  // namespace dcube::explain

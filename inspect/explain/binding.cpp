#include "inspect/explain/binding.hpp"

#include "base/names.hpp"
#include "base/numbers.hpp"
#include "collectives/coordinates.hpp"

#include <dcube/contributors.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

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

// The nodes inside: "nodes 0-2, 5"
std::string nodes_text(const NodeCut& cut)
{
    std::vector<NodeId> nodes;
    for (NodeId node = 0; node < cut.inside.size(); ++node)
        if (cut.inside[node])
            nodes.push_back(node);
    return fmt::format("{} {}", plural(nodes.size(), "node"), ranges_text(Contributors::of(nodes)));
}

// "dimension 3", "the middle of coordinate 1, a ring of 6", "the cut"
std::string cut_name(const Topology& topology, const NodeCut& cut)
{
    if (!cut.factor || topology.dimension() == 1)
        return "the cut";
    if (topology.is_hypercube())
        return fmt::format("dimension {}", topology.dimension() - 1 - *cut.factor);
    return "the middle of " + detail::factor_words(topology, *cut.factor);
}

// "from 0xxx to 1xxx", "from its nodes 0-2 to the others"
std::string cut_direction(const Topology& topology, const NodeCut& cut)
{
    if (cut.factor && topology.is_hypercube()) {
        std::string from(topology.dimension(), 'x');
        std::string to = from;
        from[*cut.factor] = cut.inside[0] ? '0' : '1';
        to[*cut.factor] = cut.inside[0] ? '1' : '0';
        return fmt::format("from {} to {}", from, to);
    }
    const bool of_factor = cut.factor && topology.dimension() > 1;
    return fmt::format("from {}{} to the others", of_factor ? "its " : "", nodes_text(cut));
}

}  // namespace

std::vector<BindingLink> binding_links(const Topology& topology, const Argument& argument)
{
    switch (argument.kind) {
    case Kind::leaving:
    case Kind::passing: return links_out_of(topology, argument.node);
    case Kind::arriving: return links_into(topology, argument.node);
    case Kind::cut:
    case Kind::timed_cut: return links_across(topology, argument.cut);
    case Kind::detours:
        return argument.outwards ? links_out_of(topology, argument.other) : links_into(topology, argument.node);
    case Kind::entering:
    case Kind::senders: return links_of_nodes(topology, argument);
    case Kind::junction:
    case Kind::priced:
    case Kind::timed_prices:
    case Kind::nothing:
    case Kind::distance:
    case Kind::doubling:
    case Kind::dissemination:
    case Kind::paths:
    case Kind::unrolled:
    case Kind::hops: break;
    }
    return {};
}

std::string tally_words(const Topology& topology, const Argument& argument, Counted unit)
{
    const std::string begins = unit == Counted::bytes ? "{n} of {total} bytes " : "{n} of {total} ";
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
    case Kind::timed_cut:
    case Kind::timed_prices:
    case Kind::nothing:
    case Kind::distance:
    case Kind::dissemination:
    case Kind::paths:
    case Kind::unrolled:
    case Kind::junction:
    case Kind::doubling: break;
    }
    return {};
}

// ---- What has to move, in the words of each collective ----

namespace {

std::string_view word_of(Counted unit)
{
    return unit == Counted::bytes ? "bytes" : "packets";
}

// The same at the beginning of a sentence.
std::string_view capital_of(Counted unit)
{
    return unit == Counted::bytes ? "Bytes" : "Packets";
}

// "the 15 other nodes", or those that are far enough away.
std::string others(const Argument& argument)
{
    const std::uint64_t nodes = argument.factors.front();
    if (argument.far == 1)
        return nodes == 1 ? "the other node" : fmt::format("the {} other nodes", grouped(nodes));
    return nodes == 1 ? fmt::format("the node {} links away", argument.far)
                      : fmt::format("the {} nodes that are {} links away or more", grouped(nodes), argument.far);
}

// The origins and the targets of a collective's messages. No origin: they are sums; no target: all nodes get them.
struct Ends {
    Who origin;
    Who target;
};

Ends ends_of(Collective collective)
{
    return {traits(collective).origin, traits(collective).target};
}

// Of uneven messages: ", for nodes 2 links away or more", where that is not all.
std::string far_ones(const Argument& argument, std::string_view whose)
{
    return argument.far == 1 ? "" : fmt::format(", {} nodes {} links away or more", whose, argument.far);
}

std::string leaving(const Argument& argument, const Problem& problem, Counted unit)
{
    const std::string_view packets = capital_of(unit);
    if (!problem.counts.empty())
        return fmt::format("{} that must leave node {}{}", packets, argument.node, far_ones(argument, "for"));
    const auto [origin, target] = ends_of(problem.collective);
    if (origin == Who::root && target == Who::all)
        return fmt::format("{} for {}, which must leave node {}", packets, others(argument), argument.node);
    if (origin == Who::nobody && target == Who::all)
        return fmt::format("{} of its share of the blocks of {}, which must leave node {}", packets, others(argument),
                           argument.node);
    if (origin == Who::nobody && target == Who::root)
        return fmt::format("{} with its share of the blocks, which must leave node {}", packets, argument.node);
    return fmt::format("{} that must leave node {}", packets, argument.node);
}

std::string arriving(const Argument& argument, const Problem& problem, Counted unit)
{
    const std::string_view packets = capital_of(unit);
    if (!problem.counts.empty())
        return fmt::format("{} that must reach node {}{}", packets, argument.node, far_ones(argument, "of"));
    const auto [origin, target] = ends_of(problem.collective);
    if (origin == Who::all && (target == Who::root || target == Who::nobody))
        return fmt::format("{} of {}, which must reach node {}", packets, others(argument), argument.node);
    if (origin == Who::nobody && target != Who::all && argument.far > 1)
        return fmt::format("{} with sums that need the share of node {}, which must reach node {}", packets,
                           argument.other, argument.node);
    return fmt::format("{} that must reach node {}", packets, argument.node);
}

std::string hop_count(const Topology& topology, const Argument& argument, const Problem& problem, Counted unit)
{
    const std::string_view counted = unit == Counted::bytes ? "Bytes over a link" : "Transmissions";
    const bool copies = pattern_of(problem.collective) == Pattern::each_to_all;
    if (!problem.counts.empty())
        return copies ? fmt::format("{}: every packet goes to all other nodes", counted)
                      : fmt::format("Hops of all {} together, the sum of their distances", word_of(unit));
    if (problem.collective == Collective::all_reduce)
        return fmt::format("{}: every block needs 2 (N - 1)", counted);
    if (is_barrier(problem.collective))
        return "Packets: N - 1 before the first node has heard of all, and one more for each other node";
    if (is_scan(problem.collective))
        return fmt::format("{}: every block needs {}", counted,
                           topology.is_hypercube() ? "2 (N - 1) - d" : grouped(argument.factors.front()));
    if (has_root(problem.collective))
        return fmt::format("{}: every other node {} every packet", counted,
                           is_reduction(problem.collective) ? "sends its share of" : "receives");
    if (pattern_of(problem.collective) == Pattern::each_to_all)
        return fmt::format("{}: every node {} one for each other", counted,
                           is_reduction(problem.collective) ? "sends" : "receives");
    if (const Topology& network = with_factors(topology); argument.cut.factor && network.dimension() > 1)
        return fmt::format("Hops along {}, of all {} together", detail::factor_words(network, *argument.cut.factor),
                           word_of(unit));
    return fmt::format("Hops of all {} together, the sum of their distances", word_of(unit));
}

std::string cut(const Topology& topology, const Argument& argument, const Problem& problem, Counted unit)
{
    const bool all = problem.collective == Collective::all_to_all && problem.counts.empty();
    std::string which;
    if (all)
        which = fmt::format(": {}, {}", grouped(argument.factors[0], "sender"), grouped(argument.factors[1], "target"));
    if (is_scan(problem.collective))
        which = fmt::format(": {} of every block", grouped(argument.factors[0], "different sum"));
    return fmt::format("{} that must cross {} {}{}", all && unit == Counted::packets ? "Blocks" : capital_of(unit),
                       cut_name(topology, argument.cut), cut_direction(topology, argument.cut), which);
}

// "Let every link have a price, from 0 to 10"
std::string with_prices(PortModel ports, const Argument& argument)
{
    return fmt::format("Let every {} have a price, from 0 to {}{}", ports == PortModel::all ? "link" : "node",
                       grouped(argument.dearest),
                       ports == PortModel::all ? "" : ", for what it sends and for what it receives");
}

std::string priced_trees(PortModel ports, const Argument& argument)
{
    const std::string link = ports == PortModel::all ? "" : " (a link costs what both its ends do)";
    return fmt::format("{}. All blocks pay at least, twice the cheapest spanning tree{} each",
                       with_prices(ports, argument), link);
}

// A tree of all nodes costs as many ends of links as its nodes have; all but the root receive over one of them.
std::string priced_sends(const Argument& argument, const Problem& problem)
{
    const bool reduces = is_reduction(problem.collective);
    return fmt::format("Let every node have a price, from 0 to {0}, for what it {1}. The packets go along spanning "
                       "trees, in which a node {1} over all its links but one, and over all if it is the root. "
                       "Together they pay at least",
                       grouped(argument.dearest), reduces ? "receives" : "sends");
}

std::string priced_ends(const Topology& topology, const Argument& argument, Counted unit)
{
    const std::uint64_t free = topology.members() - argument.per_step / 2;
    return fmt::format("Let a packet pay 1 for each end of a link that it crosses, but nothing at the {} with the "
                       "fewest links. The cheapest paths of all {} cost",
                       grouped(free, "node"), word_of(unit));
}

std::string priced_cycles(const Argument& argument, Counted unit)
{
    return fmt::format("Dimensions {} and {} join the nodes in cycles of four. Let their links cost 3 forward and 1 "
                       "backward: a step forward costs 3 either way. The cheapest paths of all {} cost",
                       argument.dimensions.first, argument.dimensions.second, word_of(unit));
}

std::string priced(const Topology& topology, PortModel ports, const Argument& argument, const Problem& problem,
                   Counted unit)
{
    switch (argument.prices) {
    case Argument::Prices::ends_of_links: return priced_ends(topology, argument, unit);
    case Argument::Prices::four_cycles: return priced_cycles(argument, unit);
    case Argument::Prices::best_of_paths:
        return fmt::format("{}. The cheapest paths of all {} cost", with_prices(ports, argument), word_of(unit));
    case Argument::Prices::best_of_trees: return priced_trees(ports, argument);
    case Argument::Prices::best_of_sends: return priced_sends(argument, problem);
    }
    return {};
}

std::string between_two(const Argument& argument, const Problem& problem)
{
    if (is_reduction(problem.collective))
        return fmt::format("Packets with sums that need the share of node {}, which must reach node {}", argument.other,
                           argument.node);
    return fmt::format("Packets that go from node {} to node {}", argument.other, argument.node);
}

// The packets of a gather at one node, or of a scatter from it.
std::string entering(const Argument& argument, const Problem& problem)
{
    const std::string nodes = nodes_text(argument.cut);
    if (!problem.counts.empty())
        return fmt::format("Packets that must leave {}", nodes);
    if (argument.outwards)
        return fmt::format("Packets of {} for node {}, which must leave them", nodes, argument.node);
    return fmt::format("Packets {} node {} for {}, which must come in",
                       is_reduction(problem.collective) ? "with the share of" : "of", argument.node, nodes);
}

std::string senders(const Argument& argument, const Problem& problem)
{
    const bool of_all = !has_root(problem.collective);
    return fmt::format("Packets that {} must {}: {}", nodes_text(argument.cut), argument.outwards ? "send" : "receive",
                       of_all && argument.outwards ? "shares of the blocks of all others"
                       : of_all                    ? "those of all others"
                       : argument.outwards         ? "shares of all blocks"
                                                   : "all of them, each");
}

std::string junction(const Argument& argument, const Problem& problem)
{
    const std::string falls =
        argument.junction.size() > 1
            ? fmt::format("Without nodes {} the network falls into {} parts. ", fmt::join(argument.junction, ", "),
                          argument.parts)
            : fmt::format("Without node {} the network falls into {} parts. ", argument.node, argument.parts);
    const auto [origin, target] = ends_of(problem.collective);
    const bool of_all = argument.factors.front() == argument.parts;
    if (origin == Who::nobody && target == Who::nobody)
        return falls +
               fmt::format("{} of them {} one of every block, and what the last one brings goes on to all "
                           "other parts. Those that come are",
                           of_all ? "Each" : fmt::format("The {} that reach farthest", argument.factors.front()),
                           of_all ? "sends" : "send");
    if (target == Who::nobody)
        return falls + "It sends every packet to each of the parts but the packet's own: that many";
    if (origin == Who::nobody)
        return falls + "It receives every block from each of the parts but the block's own: that many";
    return falls + "The packets that pass it on their way from one to another, and its own";
}

}  // namespace

std::string subject(const Topology& topology, PortModel ports, const Argument& argument, const Problem& problem,
                    Counted unit)
{
    switch (argument.kind) {
    case Kind::nothing: return argument.reason;
    case Kind::timed_cut:
        return fmt::format("{} that must {} node {}", capital_of(unit), argument.outwards ? "leave" : "reach",
                           argument.node);
    case Kind::timed_prices: return with_capital(argument.reason);
    case Kind::leaving: return leaving(argument, problem, unit);
    case Kind::arriving: return arriving(argument, problem, unit);
    case Kind::hops: return hop_count(topology, argument, problem, unit);
    case Kind::cut: return cut(topology, argument, problem, unit);
    case Kind::priced: return priced(topology, ports, argument, problem, unit);
    case Kind::detours:
    case Kind::paths: return between_two(argument, problem);
    case Kind::entering: return entering(argument, problem);
    case Kind::senders: return senders(argument, problem);
    case Kind::junction: return junction(argument, problem);
    case Kind::unrolled:
        return fmt::format("Packets that go {} node {}", problem.collective == Collective::gather ? "to" : "from",
                           argument.node);
    case Kind::distance:
    case Kind::doubling:
    case Kind::dissemination:
    case Kind::passing: break;
    }
    return {};
}

}  // namespace dcube::explain

// What has to move, in the words of each collective.

#include "base/numbers.hpp"
#include "explain/arithmetic.hpp"
#include "explain/binding.hpp"
#include "explain/lines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace dcube::explain {

namespace {

using Kind = Argument::Kind;

// "the 15 other nodes", or those that are far enough away.
std::string others(const Argument& argument)
{
    const std::uint64_t nodes = argument.factors.front();
    if (argument.far == 1)
        return nodes == 1 ? "the other node" : fmt::format("the {} other nodes", grouped(nodes));
    return nodes == 1 ? fmt::format("the node {} links away", argument.far)
                      : fmt::format("the {} nodes that are {} links away or more", grouped(nodes), argument.far);
}

std::string leaving(const Argument& argument, const Problem& problem, const std::string& packets)
{
    switch (problem.collective) {
    case Collective::scatter:
        return fmt::format("{} for {}, which must leave node {}", packets, others(argument), argument.node);
    case Collective::reduce_scatter:
        return fmt::format("{} of its share of the blocks of {}, which must leave node {}", packets, others(argument),
                           argument.node);
    case Collective::reduce:
        return fmt::format("{} with its share of the blocks, which must leave node {}", packets, argument.node);
    case Collective::broadcast:
    case Collective::gather:
    case Collective::all_gather:
    case Collective::all_reduce:
    case Collective::all_to_all:
    case Collective::send:
    case Collective::exchange:
    case Collective::permute:
    case Collective::matrix_transpose:
    case Collective::matrix_quarter_turn:
    case Collective::matrix_half_turn:
    case Collective::matrix_relayout: break;
    }
    return fmt::format("{} that must leave node {}", packets, argument.node);
}

std::string arriving(const Argument& argument, const Problem& problem, const std::string& packets)
{
    switch (problem.collective) {
    case Collective::gather:
    case Collective::all_gather:
        return fmt::format("{} of {}, which must reach node {}", packets, others(argument), argument.node);
    case Collective::reduce:
    case Collective::all_reduce:
        if (argument.far > 1)
            return fmt::format("{} with sums that need the share of node {}, which must reach node {}", packets,
                               argument.other, argument.node);
        break;
    case Collective::broadcast:
    case Collective::scatter:
    case Collective::reduce_scatter:
    case Collective::all_to_all:
    case Collective::send:
    case Collective::exchange:
    case Collective::permute:
    case Collective::matrix_transpose:
    case Collective::matrix_quarter_turn:
    case Collective::matrix_half_turn:
    case Collective::matrix_relayout: break;
    }
    return fmt::format("{} that must reach node {}", packets, argument.node);
}

std::string hop_count(const Topology& topology, const Argument& argument, const Problem& problem,
                      const std::string& packets)
{
    const bool timed = packets != "Packets";
    const std::string counted = timed ? packets + " over a link" : "Transmissions";
    if (problem.collective == Collective::all_reduce)
        return fmt::format("{}: every block needs 2 (N - 1)", counted);
    if (has_root(problem.collective))
        return fmt::format("{}: every other node {} every packet", counted,
                           is_reduction(problem.collective) ? "sends its share of" : "receives");
    if (argument.name == "transmissions")
        return fmt::format("{}: every node {} one for each other", counted,
                           is_reduction(problem.collective) ? "sends" : "receives");
    if (argument.cut.factor)
        return fmt::format("Hops along factor {}, {}, of all {} together", *argument.cut.factor + 1,
                           topology.factor(*argument.cut.factor).name(), timed ? "bytes" : "packets");
    return fmt::format("Hops of all {} together, the sum of their distances", timed ? "bytes" : "packets");
}

std::string cut(const Topology& topology, const Argument& argument, const Problem& problem, const std::string& packets)
{
    const bool all = problem.collective == Collective::all_to_all;
    return fmt::format(
        "{} that must cross {} {}{}", all && packets == "Packets" ? "Blocks" : packets,
        cut_name(topology, argument.cut), cut_direction(topology, argument.cut),
        all ? fmt::format(": {}, {}", grouped(argument.factors[0], "sender"), grouped(argument.factors[1], "target"))
            : std::string());
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

std::string priced_paths(const Topology& topology, PortModel ports, const Argument& argument,
                         const std::string& packets)
{
    const std::string all = packets == "Packets" ? "all packets" : "all bytes";
    if (argument.name == "best-prices")
        return fmt::format("{}. The cheapest paths of {} cost", with_prices(ports, argument), all);
    if (argument.name == "four-cycles")
        return fmt::format(
            "Dimensions {} and {} join the nodes in cycles of four. Let their links cost 3 forward and 1 "
            "backward: a step forward costs 3 either way. The cheapest paths of {} cost",
            argument.dimensions.first, argument.dimensions.second, all);
    const std::uint64_t free = topology.members() - argument.per_step / 2;
    return fmt::format("Let a packet pay 1 for each end of a link that it crosses, but nothing at the {} with the "
                       "fewest links. The cheapest paths of {} cost",
                       grouped(free, "node"), all);
}

std::string priced(const Topology& topology, PortModel ports, const Argument& argument, const Problem& problem,
                   const std::string& packets)
{
    if (argument.name == "priced-trees")
        return priced_trees(ports, argument);
    if (argument.name == "priced-sends")
        return priced_sends(argument, problem);
    return priced_paths(topology, ports, argument, packets);
}

std::string between_two(const Argument& argument, const Problem& problem)
{
    if (is_reduction(problem.collective))
        return fmt::format("Packets with sums that need the share of node {}, which must reach node {}", argument.other,
                           argument.node);
    return fmt::format("Packets that go from node {} to node {}", argument.other, argument.node);
}

// Of a gather at one node, and of a scatter from it.
std::string entering(const Argument& argument, const Problem& problem)
{
    const std::string nodes = nodes_text(argument.cut);
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
    switch (problem.collective) {
    case Collective::broadcast:
    case Collective::all_gather:
        return falls + "It sends every packet to each of the parts but the packet's own: that many";
    case Collective::reduce:
    case Collective::reduce_scatter:
        return falls + "It receives every block from each of the parts but the block's own: that many";
    case Collective::all_reduce:
        return falls + fmt::format("{} of them {} one of every block, and what the last one brings goes on to all "
                                   "other parts. Those that come are",
                                   argument.factors.front() == argument.parts
                                       ? "Each"
                                       : fmt::format("The {} that reach farthest", argument.factors.front()),
                                   argument.factors.front() == argument.parts ? "sends" : "send");
    case Collective::send:
    case Collective::exchange:
    case Collective::permute:
    case Collective::scatter:
    case Collective::gather:
    case Collective::all_to_all:
    case Collective::matrix_transpose:
    case Collective::matrix_quarter_turn:
    case Collective::matrix_half_turn:
    case Collective::matrix_relayout: break;
    }
    return falls + "The packets that pass it on their way from one to another, and its own";
}

}  // namespace

std::string subject(const Topology& topology, PortModel ports, const Argument& argument, const Problem& problem,
                    const std::string& packets)
{
    switch (argument.kind) {
    case Kind::nothing: return argument.reason;
    case Kind::leaving: return leaving(argument, problem, packets);
    case Kind::arriving: return arriving(argument, problem, packets);
    case Kind::hops: return hop_count(topology, argument, problem, packets);
    case Kind::cut: return cut(topology, argument, problem, packets);
    case Kind::priced: return priced(topology, ports, argument, problem, packets);
    case Kind::detours: return fmt::format("Packets that go from node {} to node {}", argument.other, argument.node);
    case Kind::paths: return between_two(argument, problem);
    case Kind::entering: return entering(argument, problem);
    case Kind::senders: return senders(argument, problem);
    case Kind::junction: return junction(argument, problem);
    case Kind::unrolled:
        return fmt::format("Packets that go {} node {}", problem.collective == Collective::gather ? "to" : "from",
                           argument.node);
    case Kind::distance:
    case Kind::doubling:
    case Kind::telling:
    case Kind::passing: break;
    }
    return {};
}

}  // namespace dcube::explain

// What has to move, in the words of each collective.

#include "explain/arithmetic.hpp"
#include "explain/binding.hpp"
#include "explain/lines.hpp"

#include <fmt/format.h>

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
    return fmt::format("{} that must cross {} {}{}", all && packets == "Packets" ? "Blocks" : packets,
                       cut_name(topology, argument.cut), cut_direction(topology, argument.cut),
                       all ? fmt::format(": {} sender{}, {} target{}", grouped(argument.factors[0]),
                                         argument.factors[0] == 1 ? "" : "s", grouped(argument.factors[1]),
                                         argument.factors[1] == 1 ? "" : "s")
                           : std::string());
}

std::string priced_paths(const Topology& topology, const Argument& argument, const std::string& packets)
{
    const std::string all = packets == "Packets" ? "all packets" : "all bytes";
    if (argument.name == "four-cycles")
        return fmt::format(
            "Dimensions {} and {} join the nodes in cycles of four. Let their links cost 3 forward and 1 "
            "backward: a step forward costs 3 either way. The cheapest paths of {} cost",
            argument.dimensions.first, argument.dimensions.second, all);
    const std::uint64_t free = topology.nodes() - argument.per_step / 2;
    return fmt::format(
        "Let a packet pay 1 for each end of a link that it crosses, but nothing at the {} node{} with the "
        "fewest links. The cheapest paths of {} cost",
        grouped(free), free == 1 ? "" : "s", all);
}

}  // namespace

std::string subject(const Topology& topology, const Argument& argument, const Problem& problem,
                    const std::string& packets)
{
    switch (argument.kind) {
    case Kind::nothing: return argument.reason;
    case Kind::leaving: return leaving(argument, problem, packets);
    case Kind::arriving: return arriving(argument, problem, packets);
    case Kind::hops: return hop_count(topology, argument, problem, packets);
    case Kind::cut: return cut(topology, argument, problem, packets);
    case Kind::priced: return priced_paths(topology, argument, packets);
    case Kind::detours: return fmt::format("Packets that go from node {} to node {}", argument.other, argument.node);
    case Kind::distance:
    case Kind::doubling:
    case Kind::passing: break;
    }
    return {};
}

}  // namespace dcube::explain

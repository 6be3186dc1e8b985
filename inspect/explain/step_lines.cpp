// The arithmetic of bounds in the unit-time model.

#include "base/numbers.hpp"
#include "base/sizes.hpp"
#include "inspect/explain/arithmetic.hpp"
#include "inspect/explain/binding.hpp"
#include "inspect/explain/lines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>

namespace dcube::explain {

namespace {

using Kind = Argument::Kind;
using Lines = std::vector<ProofLine>;

std::uint64_t steps_of_packets(const Argument& argument)
{
    return argument.value() + 1 - argument.far;
}

// "6 + 3 - 1 = 8 steps": one row of steps begins in the other's last one.
std::string joined_text(std::uint64_t first, std::uint64_t second)
{
    return fmt::format("{} + {} - 1 = {}", grouped(first), grouped(second), grouped(first + second - 1, "step"));
}

std::string division_text(const Argument& argument)
{
    const std::uint64_t steps = steps_of_packets(argument);
    if (argument.per_step == 1)
        return grouped(steps, "step");
    return fmt::format("{} {}", quotient_text(argument.packets(), argument.per_step), plural(steps, "step"));
}

std::string by_its_ports(const Argument& argument, std::string_view moves)
{
    if (argument.per_step == 1)
        return fmt::format("At most one can {} in a step, so at least", moves);
    return fmt::format("Its {0} links: at most {0} can {1} in a step, so at least", argument.per_step, moves);
}

// "Node 15 is 4 links away from node 0"
std::string apart(const DistantNodes& nodes, std::uint64_t links)
{
    return fmt::format("Node {} is {} away from node {}", nodes.far, counted(links, "link"), nodes.near);
}

std::string distance(const Argument& argument, const Problem& problem)
{
    return apart(distant_nodes(argument, problem), argument.far) + ", and a packet crosses one link per step";
}

Lines arriving(const Argument& argument, const std::string& what)
{
    Lines lines;
    const bool of_many = argument.factors.size() > 1;  // of all nodes that are so far away
    if (argument.far > 1)
        lines.push_back(
            {of_many
                 ? fmt::format("They come over {} links or more: none is there before step", argument.far)
                 : apart({argument.node, argument.other}, argument.far) + ": nothing from there arrives before step",
             grouped(argument.far)});
    lines.push_back({what, product_text(argument.factors)});
    lines.push_back({by_its_ports(argument, "arrive"), division_text(argument)});
    if (argument.far > 1)
        lines.push_back({fmt::format("The first of these steps is step {}, so it takes at least", argument.far),
                         joined_text(argument.far, steps_of_packets(argument))});
    return lines;
}

Lines leaving(const Argument& argument, const std::string& what)
{
    Lines lines{{what, product_text(argument.factors)}, {by_its_ports(argument, "leave"), division_text(argument)}};
    if (argument.far > 1)
        lines.push_back({fmt::format("The last of them has {} links to go, the first of these in step {}", argument.far,
                                     grouped(steps_of_packets(argument))),
                         joined_text(steps_of_packets(argument), argument.far)});
    return lines;
}

Lines doubling(const Topology& topology, const Argument& argument, const Problem& problem)
{
    const std::uint64_t m = steps_of_packets(argument);
    const std::string nodes = grouped(topology.members());
    const std::string steps = grouped(argument.far, "step");
    if (is_reduction(problem.collective) && m == 1)
        return {{"The number of shares of the block at most halves in a step: " + nodes + " become one in", steps}};
    if (m == 1)
        return {{"The holders of the packet at most double in a step: from 1 to " + nodes + " in", steps}};
    if (is_reduction(problem.collective))
        return {{"The number of shares of a block at most halves in a step: " + nodes + " become one in",
                 grouped(argument.far, "step")},
                {fmt::format("Node {} completes at most one block per step", argument.node), grouped(m, "step")},
                {fmt::format("The first of these steps is step {} or later, so it takes at least", argument.far),
                 joined_text(argument.far, m)}};
    return {
        {fmt::format("At most one new packet leaves node {} in a step, so the last one leaves in step", argument.node),
         grouped(m)},
        {"Its holders at most double in a step: from 1 to " + nodes + " in", grouped(argument.far, "step")},
        {fmt::format("The first of these steps is step {} or later, so it takes at least", grouped(m)),
         joined_text(m, argument.far)}};
}

std::string moves_words(const Topology& topology, PortModel ports, const Argument& argument)
{
    if (ports == PortModel::one)
        return argument.per_step == topology.members()
                   ? "Packets that can move in one step, one per node"
                   : "Packets that can move in one step, each with a sender and a receiver of its own";
    return argument.cut.factor && with_factors(topology).dimension() > 1
               ? "Links along this factor, one packet each per step"
               : "Directed links, one packet each per step";
}

Lines hops(const Topology& topology, PortModel ports, const Argument& argument, const std::string& what)
{
    return {{what, product_text(argument.factors)},
            {moves_words(topology, ports, argument), grouped(argument.per_step)},
            {"So at least", division_text(argument)}};
}

std::string links_of_copies(const Topology& topology, const Argument& argument)
{
    if (!argument.cut.factor || topology.is_hypercube())
        return grouped(argument.per_step);
    const std::uint64_t copies = topology.nodes() / topology.factor(*argument.cut.factor).nodes();
    return product_text({copies, argument.per_step / copies});
}

Lines cut(const Topology& topology, const Argument& argument, const std::string& what)
{
    const bool copies = argument.cut.factor && !topology.is_hypercube() && topology.dimension() > 1;
    return {{what, product_text(argument.factors)},
            {copies ? "Links that lead across, in all copies" : "Links that lead across",
             links_of_copies(topology, argument)},
            {"One packet per link per step, so at least", division_text(argument)}};
}

Lines passing(const Topology& topology, const Argument& argument)
{
    const std::uint64_t own = topology.members() - 1;
    const std::uint64_t all = argument.factors.front();
    Lines lines{{fmt::format("Node {} sends its own packets", argument.node), grouped(own)},
                {"and passes on, as there is no other path", grouped(all - own)}};
    lines.push_back({"together", fmt::format("{} + {} = {}", grouped(own), grouped(all - own), grouped(all))});
    if (argument.factors.size() > 1)
        lines.push_back({"packets per message", grouped(argument.factors[1])});
    lines.push_back({"One packet per step, so at least", grouped(argument.value(), "step")});
    return lines;
}

// "In a step each node sends and receives at most once: all that can be paid in it"
ProofLine what_a_step_pays(const Topology& topology, PortModel ports, const Argument& argument)
{
    const std::uint64_t nodes = topology.members();
    if (argument.prices == Argument::Prices::four_cycles)
        return {
            fmt::format("A packet on each of {} links forward and {} backward costs", grouped(nodes), grouped(nodes)),
            fmt::format("3 x {} + {} = {}", grouped(nodes), grouped(nodes), grouped(argument.per_step))};
    if (ports == PortModel::all)
        return {"A packet on every link, in both directions, costs", grouped(argument.per_step)};
    if (argument.prices == Argument::Prices::best_of_sends)
        return {"In a step each node does so at most once: all that can be paid in it", grouped(argument.per_step)};
    return {"In a step each node sends and receives at most once: all that can be paid in it",
            argument.prices == Argument::Prices::best_of_paths ? grouped(argument.per_step)
                                                               : product_text({2, argument.per_step / 2})};
}

Lines priced(const Topology& topology, PortModel ports, const Argument& argument, const std::string& what)
{
    return {{what, product_text(argument.factors)},
            what_a_step_pays(topology, ports, argument),
            {"So at least", division_text(argument)}};
}

Lines dissemination(const Argument& argument, const Problem& problem)
{
    const std::uint64_t m = steps_of_packets(argument);
    const auto& [apart_by, beyond, told] = argument.dissemination;
    const std::string some =
        fmt::format("{} of the {} nodes{}", grouped(told), grouped(beyond),
                    apart_by == 0 ? "" : fmt::format(" that are {} or more links away", grouped(apart_by)));
    const std::string before = grouped(argument.far - 1, "step");
    if (problem.collective == Collective::reduce)
        return {
            {fmt::format("Node {} completes at most one block per step", argument.node), grouped(m, "step")},
            {fmt::format("In {} at most {} can have their shares in the first, so that takes at least", before, some),
             grouped(argument.far, "step")},
            {"The last of these is the first of those, so at least", joined_text(argument.far, m)}};
    return {
        {fmt::format("At most one {} leaves node {} in a step, so the last one leaves in step",
                     is_reduction(problem.collective) ? "block's share" : "new packet", argument.node),
         grouped(m)},
        {fmt::format("Each informed node informs one neighbour per step, and a node k links away is informed by one "
                     "at least k - 1 links away. After {} at most {} have it, so it takes at least",
                     before, some),
         grouped(argument.far, "step")},
        {fmt::format("The first of these steps is step {} or later, so it takes at least", grouped(m)),
         joined_text(m, argument.far)}};
}

Lines unrolled(const Argument& argument, const std::string& what)
{
    return {
        {what, product_text(argument.factors)},
        {"Make one copy of every node for every step. A packet goes from one step to the next, by waiting or over a "
         "link, which takes one per step. A largest flow has room for all of them first in",
         grouped(argument.far, "step")}};
}

Lines junction(const Argument& argument, const std::string& what)
{
    const std::string rate = argument.per_step == 1
                                 ? "One packet per step, so at least"
                                 : fmt::format("At most {} packets per step, so at least", argument.per_step);
    Lines lines{{what, product_text(argument.factors)}, {rate, division_text(argument)}};
    if (argument.far > 1) {
        const std::uint64_t packets = steps_of_packets(argument);
        lines.push_back({"Steps before the first of them and after the last, at least", grouped(argument.far - 1)});
        lines.push_back({"Together", fmt::format("{} + {} = {}", grouped(packets), grouped(argument.far - 1),
                                                 grouped(argument.value(), "step"))});
    }
    return lines;
}

// ---- Bounds in which links, paths or senders have nothing to bring at first ----

using Waits = std::vector<std::uint64_t>;

// Calls work(count, wait) for those that wait equally long.
template <class Work>
void for_each_wait(const Waits& waits, const Work& work)
{
    for (auto at = waits.begin(); at != waits.end();) {
        const auto next = std::upper_bound(at, waits.end(), *at);
        work(static_cast<std::uint64_t>(next - at), *at);
        at = next;
    }
}

// "1 link from step 1 on, 2 from step 3 on"
std::string links_by_step(const Waits& waits, const std::string& link)
{
    std::string text;
    for_each_wait(waits, [&](std::uint64_t count, std::uint64_t wait) {
        const std::string what = text.empty() ? " " + plural(count, link) : "";
        text +=
            fmt::format("{}{}{} from step {} on", text.empty() ? "" : ", ", grouped(count), what, grouped(wait + 1));
    });
    return text;
}

// "3 + 1 + 1 = 5": the packets that they can send in this many steps. If there are many "9 x 3 + 12 x 1 = 39".
std::string together_text(const Waits& waits, std::uint64_t steps)
{
    constexpr std::size_t many = 8;
    std::vector<std::string> terms;
    bool has_products = false;
    std::uint64_t sum = 0;
    for_each_wait(waits, [&](std::uint64_t count, std::uint64_t wait) {
        const std::uint64_t packets = steps > wait ? steps - wait : 0;
        sum += count * packets;
        if (packets > 0 && waits.size() > many && count > 1) {
            terms.push_back(fmt::format("{} x {}", grouped(count), grouped(packets)));
            has_products = true;
        } else if (packets > 0) {
            terms.insert(terms.end(), as_size(count), grouped(packets));
        }
    });
    if (terms.size() < 2 && !has_products)
        return grouped(sum);
    return fmt::format("{} = {}", fmt::join(terms, " + "), grouped(sum));
}

std::string detours(const Argument& argument)
{
    const std::string links = links_by_step(argument.waits, "link");
    return argument.outwards
               ? fmt::format("Seen from the end, node {} can send what still arrives over {}", argument.other, links)
               : fmt::format("Node {} can receive over {}, as the nodes behind them are so far away", argument.node,
                             links);
}

// "2, 3 and 6"
std::string lengths_text(const Waits& waits)
{
    std::string text;
    for (std::size_t i = 0; i < waits.size(); ++i)
        text += (i == 0 ? "" : i + 1 == waits.size() ? " and " : ", ") + grouped(waits[i] + 1);
    return text;
}

std::string paths(const Argument& argument)
{
    const std::size_t count = argument.waits.size();
    if (count == 1)
        return fmt::format("A path of l links brings T - l + 1 packets in T steps, and only one is short enough, of {} "
                           "links",
                           lengths_text(argument.waits));
    return fmt::format("A path of l links brings T - l + 1 packets in T steps. The {} shortest that have no link in "
                       "common have {} links, each counted for what it adds to those before it",
                       count, lengths_text(argument.waits));
}

std::string entrances(const Argument& argument, const Problem& problem)
{
    const std::string links = links_by_step(argument.waits, "link");
    if (!problem.counts.empty())
        return fmt::format("A link brings nothing while nothing can have come to it, or if that would be too late. "
                           "Counted together, they can leave over {}",
                           links);
    return argument.outwards ? fmt::format("Seen from the end, what still arrives can leave them over {}", links)
                             : fmt::format("They can come in over {}", links);
}

std::string senders(const Argument& argument)
{
    const std::string nodes = links_by_step(argument.waits, "node");
    return argument.outwards
               ? fmt::format("Seen from the end, they can be received by {}, one packet per step each", nodes)
               : fmt::format("They can be sent by {}, one packet per step each", nodes);
}

std::string what_can_come(const Argument& argument, const Problem& problem)
{
    if (argument.kind == Kind::paths)
        return paths(argument);
    if (argument.kind == Kind::entering)
        return entrances(argument, problem);
    return argument.kind == Kind::senders ? senders(argument) : detours(argument);
}

Lines waiting(const Argument& argument, const Problem& problem, const std::string& what)
{
    const std::uint64_t steps = argument.value();
    return {{what, product_text(argument.factors)},
            {fmt::format("{}. In {} that is at most", what_can_come(argument, problem), grouped(steps - 1, "step")),
             together_text(argument.waits, steps - 1)},
            {"That is too few, so at least", grouped(steps, "step")}};
}

}  // namespace

std::vector<ProofLine> step_lines(const Topology& topology, PortModel ports, const Argument& argument,
                                  const Problem& problem)
{
    const std::string what = subject(topology, ports, argument, problem, Counted::packets);
    switch (argument.kind) {
    case Kind::nothing: return {{what, grouped(0, "step")}};
    case Kind::distance: return {{distance(argument, problem), grouped(argument.far, "step")}};
    case Kind::leaving: return leaving(argument, what);
    case Kind::arriving: return arriving(argument, what);
    case Kind::doubling: return doubling(topology, argument, problem);
    case Kind::hops: return hops(topology, ports, argument, what);
    case Kind::cut: return cut(topology, argument, what);
    case Kind::passing: return passing(topology, argument);
    case Kind::priced: return priced(topology, ports, argument, what);
    case Kind::detours:
    case Kind::paths:
    case Kind::entering:
    case Kind::senders: return waiting(argument, problem, what);
    case Kind::dissemination: return dissemination(argument, problem);
    case Kind::unrolled: return unrolled(argument, what);
    case Kind::junction: return junction(argument, what);
    case Kind::timed_cut:
    case Kind::timed_prices: break;  // of links that take time
    }
    return {};
}

}  // namespace dcube::explain

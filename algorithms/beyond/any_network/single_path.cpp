// Send on one port of any network: all packets on one shortest path. m packets, the ends h hops apart.
//
//   single-path-one   m + h - 1 steps   m h transmissions   both optimal
//
// Optimal because one port lets the last packet leave in step m at the earliest, and it has h hops to go.

#include "algorithms/beyond/any_network/path_convoys.hpp"
#include "algorithms/families.hpp"

#include <fmt/format.h>

namespace dcube::detail {

namespace {

std::shared_ptr<const ConvoyPlan> single_path_plan(const Topology& topology, const Problem& problem)
{
    const Path path = shortest_path_between(topology, problem.root, problem.peer);
    return std::make_shared<const ConvoyPlan>(
        ConvoyPlan{problem.packets + path.size() - 1,
                   {{{problem.root, problem.peer, 0}, path, static_cast<std::uint32_t>(problem.packets)}}});
}

Phases single_path_phases(const Problem&, const ConvoyPlan& plan)
{
    return whole_run(plan.steps, {"one path", fmt::format("The packets follow one another on a shortest path of {}.",
                                                          counted(plan.convoys.front().path.size(), "hop"))});
}

}  // namespace

std::vector<Entry> single_path_family()
{
    return {convoy_entry(
        {{.collective = Collective::send,
          .name = "single-path-one",
          .ports = PortModel::one,
          .networks = Networks::products},
         {.paper = "textbook",
          .origin = Origin::dcube,
          .summary = "the packets one behind the other on a shortest path",
          .idea = "All packets one behind the other on one shortest path: with one port the last leaves in step m.",
          .formula = {.words = "m packets over a distance of h hops take m + h - 1 steps"},
          .paper_note = "In none of the papers: a pipeline, which is optimal with one port."}},
        single_path_plan, single_path_phases)};
}

}  // namespace dcube::detail

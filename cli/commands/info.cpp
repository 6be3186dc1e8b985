// dcube info: a network's distances, the least steps of a total exchange on it, and how near the algorithms come.

#include "base/numbers.hpp"
#include "cli/commands/network_facts.hpp"
#include "cli/output.hpp"
#include "cli/plan_options.hpp"
#include "cli/shared_options.hpp"
#include "cli/text/describe.hpp"
#include "cli/text/explanation.hpp"
#include "cli/text/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace dcube::cli {

namespace {

std::string range_text(const Range& range)
{
    return range.least == range.most ? grouped(range.most)
                                     : fmt::format("{} to {}", grouped(range.least), grouped(range.most));
}

std::string status_text(const NetworkFacts& facts)
{
    return fmt::format("{}, {} on average: the sum of a node's distances", range_text(facts.status),
                       to_string(facts.average_status));
}

std::string distance_text(const NetworkFacts& facts)
{
    const std::string value = fmt::format("{:.4f} on average", facts.average_distance.to_double());
    const std::string exact =
        facts.average_distance.denominator == 1 ? "" : fmt::format(", {}", to_string(facts.average_distance));
    return value + exact + (facts.formula ? fmt::format(": {}", facts.formula->formula) : "");
}

std::string bisection_text(const BisectionWidth& bisection)
{
    if (bisection.exact())
        return grouped(bisection.most, "link") + " between two halves, at least";
    return fmt::format("{} to {} between two halves, at least: the exact width takes long to find",
                       grouped(bisection.least), grouped(bisection.most, "link"));
}

// "4 links or 4 nodes, whose removal disconnects it"
std::string connectivity_text(const NetworkFacts& facts)
{
    const auto shown = [](const std::optional<std::uint64_t>& value, std::string_view what) {
        return value ? grouped(*value, what) : fmt::format("unknown {}s", what);
    };
    return fmt::format("{} or {}: removing fewer leaves it connected", shown(facts.edge_connectivity, "link"),
                       shown(facts.node_connectivity, "node"));
}

std::string girth_text(const NetworkFacts& facts)
{
    return facts.girth ? fmt::format("{} links in a shortest cycle", *facts.girth) : "none: it has no cycle";
}

// "18", or where it is rounded up "38 (112/3)".
std::string bound_text(const ExchangeBound& bound)
{
    if (bound.value.denominator == 1)
        return grouped(bound.steps);
    return fmt::format("{} ({})", grouped(bound.steps), to_string(bound.value));
}

std::string bounds_text(const NetworkFacts& facts, PortModel ports)
{
    std::string text;
    for (const NamedBound& one : facts.bounds)
        if (one.ports == ports)
            text += row(fmt::format("  {}", one.bound.name),
                        fmt::format("{}: {}", bound_text(one.bound), one.bound.reason));
    const auto is_cut = [&](const NamedBound& one) { return one.ports == ports && one.bound.name == "L4"; };
    if (ports == PortModel::all && std::ranges::none_of(facts.bounds, is_cut))
        text += row("  L4", "not computed: cuts of the whole network, of more than 20 nodes");
    return text;
}

// "why no algorithm needs fewer than 27 steps, by L5", line by line.
std::string proof_text(const NetworkFacts& facts, PortModel ports)
{
    const auto binds = [&](const NamedBound& one) { return one.ports == ports && one.binds; };
    const auto found = std::ranges::find_if(facts.bounds, binds);
    if (found == facts.bounds.end())
        return {};
    std::string title = found->proof.title;
    title.front() = 'w';
    return fmt::format("{}, by {}\n{}", title, found->proof.name, proof_rows(found->proof.lines, 2));
}

std::string steps_text(const CostOnNetwork& cost)
{
    return cost.steps ? grouped(*cost.steps) : "-";
}

// The cost of the missing links and nodes.
std::string fault_costs_text(const std::vector<FaultCost>& costs)
{
    if (costs.empty())
        return {};
    Table table{{{"collective", Column::Side::left},
                 {"least, whole"},
                 {"least, remaining"},
                 {"auto, whole"},
                 {"auto, remaining"}}};
    for (const FaultCost& one : costs)
        table.add({fmt::format("{}, {}", name(one.collective), one.ports == PortModel::all ? "all ports" : "one port"),
                   grouped(one.whole.bound), grouped(one.rest.bound), steps_text(one.whole), steps_text(one.rest)});
    return "\ncost of missing links and nodes, in steps, one packet per message\n" + in_text(table, 2);
}

std::string outcome(const ExchangeAlgorithm& one)
{
    if (!one.obstacle.empty())
        return "not possible: " + one.obstacle;
    if (!one.steps)
        return "not computed: planning takes long on so many nodes";
    const std::string waiting = one.in_transit ? fmt::format("; in transit {} (at least {})", grouped(*one.in_transit),
                                                             grouped(one.in_transit_bound))
                                               : "";
    if (*one.steps == one.bound)
        return fmt::format("{} optimal{}", grouped(*one.steps), waiting);
    return fmt::format("{} {:.3f} times the bound{}", grouped(*one.steps),
                       static_cast<double>(*one.steps) / static_cast<double>(one.bound), waiting);
}

std::string algorithms_text(const NetworkFacts& facts, PortModel ports)
{
    std::string text;
    for (const ExchangeAlgorithm& one : facts.algorithms)
        if (one.algorithm->ports == ports)
            text += fmt::format("  {:<20} {}", one.algorithm->name, wrapped(outcome(one), 23, 23));
    return text;
}

// "8.333 % of the links"
std::string share_text(const RankLinks& links)
{
    return fmt::format("{:.4g} % of the links", 100 * crossing_share(links).to_double());
}

std::string over_ranks_text(const std::optional<OverRanks>& over)
{
    if (!over)
        return {};
    const unsigned peers = over->links.most_peers;
    std::string text = fmt::format("\nover {}\n", grouped(over->ranks, "rank"));
    text += row("  between them", fmt::format("{} of {} directed links, {}", grouped(over->links.crossing),
                                              grouped(over->links.links), share_text(over->links)));
    text += row("  peers",
                fmt::format("at most {}, with which a rank exchanges one message per step", grouped(peers, "rank")));
    if (over->better)
        text += row("  better order",
                    fmt::format("{}: {}", over->better->topology.name(), share_text(over->better->links)));
    return text;
}

// What the nodes and links have of their own.
std::string fabric_text(const Topology& topology)
{
    const Fabric& fabric = topology.fabric();
    std::string text;
    if (!fabric.switches.empty())
        text += row("switches", grouped(fabric.switches.size()));
    std::set<std::pair<Rational, Rational>> kinds;
    for (const TimedLink& link : fabric.links)
        kinds.emplace(link.tau, link.beta);
    if (!fabric.links.empty())
        text += row("own times", fmt::format("{} of {} links, of {}", grouped(fabric.links.size()),
                                             grouped(topology.directed_links() / 2), grouped(kinds.size(), "kind")));
    return text;
}

std::string for_reading(const NetworkFacts& facts)
{
    const Topology& topology = facts.topology;
    const NodeId nodes = topology.members();
    std::string text = wrapped(fmt::format("{}, {}, {}", topology.title(), grouped(nodes, "node"),
                                           grouped(topology.directed_links() / 2, "link")));
    text += recognised_line(topology);
    text += "\n" + row("degree", range_text(facts.degree)) + row("diameter", grouped(topology.diameter())) +
            row("status", status_text(facts)) + row("distance", distance_text(facts)) +
            row("bisection", bisection_text(facts.bisection)) + row("connectivity", connectivity_text(facts)) +
            row("girth", girth_text(facts));
    text += fabric_text(topology);
    if (nodes == 1 || !topology.is_uniform())  // all else is of unit steps
        return text + over_ranks_text(facts.over_ranks);
    for (const PortModel ports : {PortModel::one, PortModel::all}) {
        text += wrapped(
            fmt::format("\ntotal exchange, {}: least steps", ports == PortModel::one ? "one port" : "all ports"));
        text += bounds_text(facts, ports) + proof_text(facts, ports) + "algorithms\n" + algorithms_text(facts, ports);
    }
    return text + fault_costs_text(facts.fault_costs) + over_ranks_text(facts.over_ranks);
}

struct InfoOptions {
    explicit InfoOptions(CLI::App& app) : network(app, Sweep::no, NetworkOptions::Seed::of_faults), plans(app)
    {
        add_number(app, {"--ranks", "P", "show what crosses between P processes", "Network"},
                   {1, std::uint64_t{1} << Topology::max_dimension}, ranks);
        add_format(app, {Format::text, Format::json}, format);
    }

    NetworkOptions network;
    std::optional<std::uint64_t> ranks;
    PlanOptions plans;
    Format format = Format::text;
};

NetworkFacts facts_of(const InfoOptions& options, const Interrupt& interrupt)
{
    const Topology topology = options.network.only();
    options.plans.use();
    const PlanningWatch watch(interrupt);
    if (!options.ranks)
        return network_facts(topology, std::nullopt);
    return network_facts(topology, static_cast<unsigned>(*options.ranks));
}

Execution define_info(CLI::App& app)
{
    const auto options = std::make_shared<InfoOptions>(app);
    return [options](const Interrupt& interrupt) {
        const NetworkFacts facts = facts_of(*options, interrupt);
        print(options->format == Format::json ? in_format(record_of(network_fields(), facts), Format::json)
                                              : for_reading(facts));
        return 0;
    };
}

}  // namespace

extern const Command info_command{
    .name = "info",
    .usage = "info --topology NETWORK [OPTIONS]",
    .summary = "a network: distances, lower bounds, best algorithms",
    .footer =
        R"(Examples:
  dcube info --topology torus:6x6
  dcube info --topology "star:4*ring:3" --format json
  dcube info --dim 10
  dcube info --dim 4 --without-link 0-1 --without-node 9
  dcube info --topology torus:8x8x64 --ranks 4

Networks: hypercube:10, torus:8x8x8, mesh:4x6, ghc:3x4x5, kary:4^3, ring:5, path:4, complete:3, star:4, pancake:4, )"
        R"(ccc:3, circulant:13,1,5, petersen, graph:FILE (a file with one edge "u v" per line), and products of them )"
        R"(with *. Missing links and nodes follow the name: "hypercube:6 without 0-1,4-5,9".)",
    .define = define_info,
    .heading = to_begin};

}  // namespace dcube::cli

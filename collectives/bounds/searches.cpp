#include "collectives/bounds/searches.hpp"

#include "base/memo.hpp"
#include "collectives/bounds/any_network.hpp"
#include "collectives/renamed.hpp"
#include "collectives/unit_question.hpp"

#include <algorithm>

namespace dcube {

namespace {

using Search = void (*)(const SearchCase&, LargestArgument&);

std::vector<Search> searches_for_uneven(Collective collective, PortModel ports)
{
    const Pattern pattern = pattern_of(collective);
    if (pattern == Pattern::each_to_each)
        return {search_prices};
    return pattern == Pattern::one_to_each && ports == PortModel::all ? std::vector<Search>{search_flows_in_time}
                                                                      : std::vector<Search>{};
}

std::vector<Search> searches_for(const Problem& problem, PortModel ports)
{
    const Collective collective = problem.collective;
    const bool one = ports == PortModel::one;
    if (!problem.counts.empty())
        return searches_for_uneven(collective, ports);
    switch (pattern_of(collective)) {
    case Pattern::one_to_all:
        return one ? std::vector<Search>{search_cut_nodes, search_senders, search_trees}
                   : std::vector<Search>{search_paths};
    case Pattern::one_to_each:  // one port: what the root sends, farthest first, is enough
        return one ? std::vector<Search>{} : std::vector<Search>{search_entrances, search_flows_in_time};
    case Pattern::each_to_all:
        return one ? std::vector<Search>{search_cut_nodes, search_senders, search_trees}
                   : std::vector<Search>{search_entrances};
    case Pattern::sums_to_all: return {one ? search_junctions : search_paths, search_trees};
    case Pattern::pairs:
        if (traits(collective).target == Who::peer)  // a single message
            return one ? std::vector<Search>{} : std::vector<Search>{search_paths};
        return {one ? search_cut_nodes : search_paths, search_prices};
    case Pattern::signals:       // distances are enough
    case Pattern::prefix_sums:   // steps_of_scan() tries its cuts
    case Pattern::each_to_each:  // exchange_arguments() has its prices
    case Pattern::elements: break;
    }
    return {};
}

// Whether bounds are searched for: on hypercubes everything but permutations and uneven messages has a closed form.
bool is_searched(const Topology& topology, const Problem& problem)
{
    return topology.directed_links() <= most_arcs_searched &&
           (!topology.is_hypercube() || has_permutation(problem.collective) || !problem.counts.empty());
}

}  // namespace

std::vector<NodeId> nodes_with_fewest_links(const SearchCase& one, std::size_t most)
{
    std::vector<NodeId> nodes(one.arcs.members().begin(), one.arcs.members().end());
    if (one.topology.symmetric())
        return {nodes.front()};
    std::ranges::stable_sort(nodes, {}, [&](NodeId node) { return one.arcs.degree(node); });
    nodes.resize(std::min(nodes.size(), most));
    return nodes;
}

std::shared_ptr<const detail::Arcs> arcs_of(const Topology& topology)
{
    static detail::Memo<Topology, detail::Arcs> memo(4);
    return memo.get(topology, [&] { return detail::Arcs(topology); });
}

Argument largest_with_search(const Topology& topology, PortModel ports, const Problem& problem, Argument counted)
{
    const std::vector<Search> searches = searches_for(problem, ports);
    if (searches.empty() || !is_searched(topology, problem) || counted.kind == Argument::Kind::nothing)
        return counted;
    static detail::Memo<detail::UnitQuestion, Argument> memo(64);
    const auto largest = memo.get(detail::question_of(topology, ports, problem), [&] {
        const std::shared_ptr<const detail::Arcs> arcs = arcs_of(topology);
        LargestArgument most(std::move(counted));
        for (const Search search : searches)
            search({topology, *arcs, ports, problem}, most);
        return std::move(most).take();
    });
    return *largest;
}

std::vector<Argument> searched_arguments(const Topology& topology, PortModel ports, const Problem& problem)
{
    if (const auto groups = groups_of(problem, topology))
        return named(searched_arguments(groups->network(), ports, in_group(problem)), *groups);
    require_root(topology, problem);
    if (!topology.is_uniform())
        return {};
    if (topology.lacks_nodes())
        return named(searched_arguments(topology.of_members(), ports, numbered(problem, topology)), topology);
    if (const Recognition* const known = detail::known_for(topology, problem))
        return named(searched_arguments(known->called, ports, detail::renamed(problem, *known)), *known);
    std::vector<Argument> all;
    if (!why_nothing_moves(topology, problem).empty() || !is_searched(topology, problem))
        return all;
    const std::shared_ptr<const detail::Arcs> arcs = arcs_of(topology);
    for (const Search search : searches_for(problem, ports)) {
        LargestArgument most(nothing_to_do("nothing is found"));
        search({topology, *arcs, ports, problem}, most);
        if (most.value() > 0)
            all.push_back(std::move(most).take());
    }
    return all;
}

}  // namespace dcube

#include "collectives/bounds/searches.hpp"

#include "base/memo.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace dcube {

namespace {

// What a bound depends on.
struct Searched {
    Topology topology;
    PortModel ports;
    Collective collective;
    std::size_t packets;
    NodeId root;
    NodeId peer;
    std::vector<NodeId> permutation;

    friend bool operator==(const Searched&, const Searched&) = default;
};

Searched key_of(const Topology& topology, PortModel ports, const Problem& problem)
{
    const bool has_ends = has_peer(problem.collective);
    return {topology,
            ports,
            problem.collective,
            problem.packets,
            has_ends || has_root(problem.collective) ? problem.root : 0,
            has_ends ? problem.peer : 0,
            has_permutation(problem.collective) ? problem.permutation : std::vector<NodeId>{}};
}

void search_all_ports(const SearchCase& one, LargestArgument& most)
{
    switch (one.problem.collective) {
    case Collective::broadcast:
    case Collective::reduce: return search_paths(one, most);
    case Collective::scatter:
    case Collective::gather:
    case Collective::all_gather:
    case Collective::reduce_scatter: return search_entrances(one, most);
    case Collective::all_reduce: search_paths(one, most); return search_trees(one, most);
    case Collective::send:
    case Collective::exchange:
    case Collective::permute: search_paths(one, most); return search_prices(one, most);
    case Collective::all_to_all:  // where the other bounds of a total exchange are
    case Collective::matrix_transpose:
    case Collective::matrix_quarter_turn:
    case Collective::matrix_half_turn:
    case Collective::matrix_relayout: return;
    }
}

void search_one_port(const SearchCase& one, LargestArgument& most)
{
    switch (one.problem.collective) {
    case Collective::broadcast:
    case Collective::reduce:
    case Collective::all_gather:
    case Collective::reduce_scatter:
        search_cut_nodes(one, most);
        search_senders(one, most);
        return search_trees(one, most);
    case Collective::all_reduce: search_cut_nodes(one, most); return search_trees(one, most);
    case Collective::exchange:
    case Collective::permute: search_cut_nodes(one, most); return search_prices(one, most);
    case Collective::send:     // m - 1 and the distance are enough
    case Collective::scatter:  // what the root sends, farthest first, is enough
    case Collective::gather:
    case Collective::all_to_all:
    case Collective::matrix_transpose:
    case Collective::matrix_quarter_turn:
    case Collective::matrix_half_turn:
    case Collective::matrix_relayout: return;
    }
}

// Of hypercubes all but permutations have closed forms.
bool is_searched(const Topology& topology, const Problem& problem)
{
    return topology.directed_links() <= most_arcs_searched &&
           (!topology.is_hypercube() || has_permutation(problem.collective)) && !is_matrix(problem.collective) &&
           problem.collective != Collective::all_to_all;
}

}  // namespace

std::shared_ptr<const detail::Arcs> arcs_of(const Topology& topology)
{
    static detail::Memo<Topology, detail::Arcs> memo(4);
    return memo.get(topology, [&] { return detail::Arcs(topology); });
}

Argument largest_with_search(const Topology& topology, PortModel ports, const Problem& problem, Argument counted)
{
    if (!is_searched(topology, problem) || counted.kind == Argument::Kind::nothing)
        return counted;
    static detail::Memo<Searched, Argument> memo(64);
    const auto largest = memo.get(key_of(topology, ports, problem), [&] {
        const std::shared_ptr<const detail::Arcs> arcs = arcs_of(topology);
        LargestArgument most(std::move(counted));
        const SearchCase one{topology, *arcs, ports, problem};
        ports == PortModel::all ? search_all_ports(one, most) : search_one_port(one, most);
        return std::move(most).take();
    });
    return *largest;
}

}  // namespace dcube

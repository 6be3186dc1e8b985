// A second path that may go back along the first one, where it takes the first one's place. Boost's
// successive_shortest_path_nonnegative_weights would find the pair as a flow of two through nodes that let one pass,
// but wants a network of twice the nodes, each arc with its reverse: on a torus of 10^6 nodes 24 s, half of them to
// build it, instead of 0.4 s here.

#include "collectives/graphs/disjoint_paths.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>

namespace dcube::detail {

namespace {

constexpr ArcId no_arc = ~ArcId{0};

class SecondPath {
public:
    SecondPath(const Arcs& arcs, const std::vector<ArcId>& first)
        : arcs_(arcs), from_(arcs.from(first.front())), to_(arcs.to(first.back())), onwards_(arcs.nodes(), no_arc),
          back_(arcs.nodes(), no_arc), reached_(2 * std::size_t{arcs.nodes()})
    {
        for (const ArcId arc : first) {
            onwards_[arcs.from(arc)] = arc;
            back_[arcs.to(arc)] = arcs.opposite(arc);
        }
        back_[to_] = no_arc;
    }

    // A path from the first node to the last; empty if there is none.
    std::vector<ArcId> find()
    {
        queue_.push_back({from_, Way::freely});
        at(queue_.front()).cost = 0;
        while (!queue_.empty()) {
            const State state = queue_.front();
            queue_.pop_front();
            at(state).queued = false;
            if (state.node != to_)
                leave(state);
        }
        std::vector<ArcId> path;
        for (State state{to_, Way::freely}; at(state).by != no_arc; state = at(state).before)
            path.push_back(at(state).by);
        std::ranges::reverse(path);
        return path;
    }

private:
    // A path that enters a node of the first path from elsewhere must go back on it; after going back on it, it may
    // leave.
    enum class Way : std::uint8_t { freely, must_go_back };
    struct State {
        NodeId node;
        Way way;
    };
    struct Reached {
        std::int64_t cost = INT64_MAX;
        ArcId by = no_arc;
        State before{};
        bool queued = false;
    };

    Reached& at(State state) { return reached_[2 * std::size_t{state.node} + (state.way == Way::freely ? 0 : 1)]; }

    void leave(State state)
    {
        const ArcId back = back_[state.node];
        if (back != no_arc && arcs_.to(back) != from_)
            reach({arcs_.to(back), Way::freely}, back, state, -1);
        if (state.way == Way::must_go_back)
            return;
        for_each_out(arcs_, state.node, [&](ArcId arc) {
            const NodeId next = arcs_.to(arc);
            if (next != from_ && arc != onwards_[state.node] && arc != back)
                reach({next, back_[next] == no_arc ? Way::freely : Way::must_go_back}, arc, state, 1);
        });
    }

    void reach(State state, ArcId by, State before, int cost)
    {
        const std::int64_t there = at(before).cost + cost;
        Reached& reached = at(state);
        if (there >= reached.cost)
            return;
        reached.cost = there;
        reached.by = by;
        reached.before = before;
        if (!reached.queued)
            queue_.push_back(state);
        reached.queued = true;
    }

    const Arcs& arcs_;
    NodeId from_;
    NodeId to_;
    std::vector<ArcId> onwards_;  // the first path's arc that leaves a node
    std::vector<ArcId> back_;     // the opposite of that which enters it, for inner nodes
    std::vector<Reached> reached_;
    std::deque<State> queue_;
};

// Both paths' arcs without those that the second takes back.
std::vector<std::vector<ArcId>> untangled(const Arcs& arcs, const std::vector<ArcId>& first,
                                          const std::vector<ArcId>& second)
{
    std::vector<bool> taken(arcs.size());
    for (const std::vector<ArcId>& path : {std::cref(first), std::cref(second)})
        for (const ArcId arc : path)
            taken[arc] = true;
    std::vector<ArcId> next(arcs.nodes(), no_arc);
    for (const std::vector<ArcId>& path : {std::cref(first), std::cref(second)})
        for (const ArcId arc : path)
            if (!taken[arcs.opposite(arc)])
                next[arcs.from(arc)] = arc;
    std::vector<std::vector<ArcId>> paths;
    for (const ArcId start : {first.front(), second.front()}) {
        std::vector<ArcId>& path = paths.emplace_back(1, start);
        while (arcs.to(path.back()) != arcs.to(first.back()))
            path.push_back(next[arcs.to(path.back())]);
    }
    std::ranges::stable_sort(paths, {}, [](const std::vector<ArcId>& path) { return path.size(); });
    return paths;
}

}  // namespace

std::vector<ArcId> shortest_path(const Arcs& arcs, NodeId from, NodeId to)
{
    const std::vector<std::uint32_t> hops = hops_from(arcs, to);
    std::vector<ArcId> path;
    for (NodeId node = from; node != to; node = arcs.to(path.back())) {
        ArcId arc = arcs.first_out(node);
        while (hops[arcs.to(arc)] >= hops[node])
            ++arc;
        path.push_back(arc);
    }
    return path;
}

std::vector<std::vector<ArcId>> two_disjoint_paths(const Arcs& arcs, NodeId from, NodeId to)
{
    const std::vector<ArcId> first = shortest_path(arcs, from, to);
    const std::vector<ArcId> second = SecondPath(arcs, first).find();
    if (second.empty())
        return {first};
    return untangled(arcs, first, second);
}

}  // namespace dcube::detail

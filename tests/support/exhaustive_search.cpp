#include "tests/support/exhaustive_search.hpp"

#include <set>

namespace dcube::test {

namespace {

class Search {
public:
    Search(const Topology& topology, PortModel ports, const std::vector<Delivery>& deliveries)
        : topology_(topology), ports_(ports)
    {
        for (const Delivery& one : deliveries) {
            targets_.push_back(one.to);
            State::value_type where(topology.nodes());
            where[one.from] = one.count;
            start_.push_back(std::move(where));
        }
    }

    bool within(unsigned steps) { return solved(start_, steps); }

private:
    // The number of packets of each delivery at each node.
    using State = std::vector<std::vector<unsigned>>;

    // A step, as far as it is decided.
    struct Moves {
        State left;  ///< packets that have not moved
        State came;
        std::vector<bool> sends;
        std::vector<bool> receives;
    };

    // More hops than fit, or a packet too far away.
    bool hopeless(const State& now, unsigned left) const
    {
        std::uint64_t hops = 0;
        for (std::size_t i = 0; i < now.size(); ++i)
            for (NodeId node = 0; node < topology_.nodes(); ++node)
                if (now[i][node] > 0) {
                    const unsigned far = topology_.distance(node, targets_[i]);
                    if (far > left)
                        return true;
                    hops += std::uint64_t{now[i][node]} * far;
                }
        const std::uint64_t a_step = ports_ == PortModel::one ? topology_.nodes() : topology_.directed_links();
        return hops > a_step * left;
    }

    bool all_home(const State& now) const
    {
        for (std::size_t i = 0; i < now.size(); ++i)
            for (NodeId node = 0; node < topology_.nodes(); ++node)
                if (now[i][node] > 0 && node != targets_[i])
                    return false;
        return true;
    }

    bool solved(const State& now, unsigned left)
    {
        if (all_home(now))
            return true;
        if (left == 0 || hopeless(now, left) || failed_.contains({left, now}))
            return false;
        Moves moves{now, State(now.size(), State::value_type(topology_.nodes())), std::vector<bool>(topology_.nodes()),
                    std::vector<bool>(topology_.nodes())};
        if (moved(moves, 0, 0, left))
            return true;
        failed_.insert({left, now});
        return false;
    }

    static State together(const Moves& moves)
    {
        State sum = moves.left;
        for (std::size_t i = 0; i < sum.size(); ++i)
            for (std::size_t node = 0; node < sum[i].size(); ++node)
                sum[i][node] += moves.came[i][node];
        return sum;
    }

    // Every choice for the links from this one on.
    bool moved(Moves& moves, NodeId node, Port port, unsigned left)
    {
        if (node == topology_.nodes())
            return solved(together(moves), left - 1);
        if (port == topology_.ports(node))
            return moved(moves, node + 1, 0, left);
        const NodeId to = topology_.neighbour(node, port);
        if (ports_ == PortModel::all || (!moves.sends[node] && !moves.receives[to]))
            for (std::size_t i = 0; i < targets_.size(); ++i) {
                if (node == targets_[i] || moves.left[i][node] == 0)
                    continue;
                moves.sends[node] = moves.receives[to] = true;
                --moves.left[i][node];
                ++moves.came[i][to];
                const bool done = moved(moves, node, port + 1, left);
                --moves.came[i][to];
                ++moves.left[i][node];
                moves.sends[node] = moves.receives[to] = false;
                if (done)
                    return true;
            }
        return moved(moves, node, port + 1, left);
    }

    const Topology& topology_;
    PortModel ports_;
    std::vector<NodeId> targets_;
    State start_;
    std::set<std::pair<unsigned, State>> failed_;
};

}  // namespace

bool can_be_done(const Topology& topology, PortModel ports, const std::vector<Delivery>& deliveries, unsigned steps)
{
    return Search(topology, ports, deliveries).within(steps);
}

std::vector<Delivery> total_exchange(const Topology& topology)
{
    std::vector<Delivery> all;
    for (NodeId from = 0; from < topology.nodes(); ++from)
        for (NodeId to = 0; to < topology.nodes(); ++to)
            if (from != to)
                all.push_back({from, to});
    return all;
}

}  // namespace dcube::test

#include "tests/support/reference_flow.hpp"

#include <algorithm>
#include <vector>

namespace dcube::test {

namespace {

// Augmenting paths, found breadth first (Edmonds & Karp).
class ReferenceFlow {
public:
    explicit ReferenceFlow(std::size_t places) : leaving_(places), by_(places) {}

    void add(std::size_t from, std::size_t to, std::uint64_t capacity)
    {
        leaving_[from].push_back(arcs_.size());
        arcs_.push_back({from, to, capacity});
        leaving_[to].push_back(arcs_.size());
        arcs_.push_back({to, from, 0});
    }

    std::uint64_t largest(std::size_t from, std::size_t to)
    {
        std::uint64_t flow = 0;
        while (is_reached(from, to)) {
            std::uint64_t more = ~std::uint64_t{0};
            for (std::size_t place = to; place != from; place = arcs_[by_[place]].from)
                more = std::min(more, arcs_[by_[place]].room);
            for (std::size_t place = to; place != from; place = arcs_[by_[place]].from) {
                arcs_[by_[place]].room -= more;
                arcs_[by_[place] ^ 1].room += more;
            }
            flow += more;
        }
        return flow;
    }

private:
    struct Arc {
        std::size_t from;
        std::size_t to;
        std::uint64_t room;
    };

    bool is_reached(std::size_t from, std::size_t to)
    {
        std::vector<bool> seen(leaving_.size());
        std::vector<std::size_t> places{from};
        seen[from] = true;
        for (std::size_t i = 0; i < places.size(); ++i)
            for (const std::size_t arc : leaving_[places[i]])
                if (arcs_[arc].room > 0 && !seen[arcs_[arc].to]) {
                    seen[arcs_[arc].to] = true;
                    by_[arcs_[arc].to] = arc;
                    places.push_back(arcs_[arc].to);
                }
        return seen[to];
    }

    std::vector<Arc> arcs_;
    std::vector<std::vector<std::size_t>> leaving_;
    std::vector<std::size_t> by_;
};

}  // namespace

std::uint64_t delivered(const Topology& topology, NodeId from, Step steps,
                        const std::function<std::uint64_t(NodeId)>& wanted)
{
    constexpr std::uint64_t any = 1'000'000;
    const std::size_t nodes = topology.nodes();
    const std::size_t end = nodes * (steps + std::size_t{1});
    ReferenceFlow flow(end + 1);
    for (std::size_t step = 0; step < steps; ++step)
        for (NodeId node = 0; node < nodes; ++node) {
            flow.add(step * nodes + node, (step + 1) * nodes + node, any);
            for (Port port = 0; port < topology.ports(node); ++port)
                flow.add(step * nodes + node, (step + 1) * nodes + topology.neighbour(node, port), 1);
        }
    for (NodeId node = 0; node < nodes; ++node)
        flow.add(steps * nodes + node, end, wanted(node));
    return flow.largest(from, end);
}

}  // namespace dcube::test

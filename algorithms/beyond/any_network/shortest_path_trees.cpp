#include "algorithms/beyond/any_network/shortest_path_trees.hpp"

#include "base/sizes.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace dcube::detail {

namespace {

// A hop that can be made: its packet is there.
struct Ready {
    std::uint32_t height;
    std::uint32_t tree;
    std::uint32_t edge;

    // A heap's first is its largest: the highest, of these the first tree's.
    friend bool operator<(const Ready& a, const Ready& b)
    {
        return std::tuple(a.height, b.tree, b.edge) < std::tuple(b.height, a.tree, a.edge);
    }
};

class Scheduler {
public:
    Scheduler(const Topology& topology, PortModel ports, Symmetry symmetry, const std::vector<PacketTree>& trees)
        : topology_(topology), ports_(ports), translated_(symmetry == Symmetry::translated), trees_(trees),
          waiting_(translated_ ? topology.ports(0) : allocatable(topology.directed_links())), sent_(topology.nodes()),
          received_(topology.nodes())
    {
        schedule_.symmetry = symmetry;
    }

    Schedule schedule()
    {
        for (std::uint32_t tree = 0; tree < trees_.size(); ++tree)
            make_ready(tree, trees_[tree].first());
        while (left_ > 0) {
            ++schedule_.steps;
            for (const Ready& hop : chosen())
                make(hop);
            for (const Ready& hop : made_)
                make_ready(hop.tree, trees_[hop.tree].edges()[hop.edge].first_child);
            made_.clear();
        }
        return std::move(schedule_);
    }

private:
    std::vector<Ready>& waiting(const PacketTree::Edge& edge)
    {
        return waiting_[translated_ ? edge.port : as_size(topology_.link(edge.from, edge.port))];
    }

    // The edge and its siblings.
    void make_ready(std::uint32_t tree, std::uint32_t edge)
    {
        const std::vector<PacketTree::Edge>& edges = trees_[tree].edges();
        for (; edge != PacketTree::none; edge = edges[edge].next_sibling, ++left_) {
            std::vector<Ready>& link = waiting(edges[edge]);
            link.push_back({edges[edge].height, tree, edge});
            std::push_heap(link.begin(), link.end());
        }
    }

    // The hops of a step: at most one of every link; with one port at most one of every sender and receiver.
    std::vector<Ready> chosen()
    {
        std::vector<Ready> hops;
        for (const std::vector<Ready>& link : waiting_)
            if (!link.empty())
                hops.push_back(link.front());
        if (ports_ == PortModel::all)
            return hops;
        std::ranges::sort(hops, [](const Ready& a, const Ready& b) { return b < a; });
        std::erase_if(hops, [this](const Ready& hop) { return !engage(hop); });
        return hops;
    }

    // Whether sender and receiver are both free; then they no longer are. In a translated schedule every node does what
    // node 0 does.
    bool engage(const Ready& hop)
    {
        const PacketTree::Edge& edge = trees_[hop.tree].edges()[hop.edge];
        Step& sender = sent_[translated_ ? 0 : edge.from];
        Step& receiver = received_[translated_ ? 0 : topology_.neighbour(edge.from, edge.port)];
        if (sender == schedule_.steps || receiver == schedule_.steps)
            return false;
        sender = receiver = schedule_.steps;
        return true;
    }

    void make(const Ready& hop)
    {
        const PacketTree& tree = trees_[hop.tree];
        const PacketTree::Edge& edge = tree.edges()[hop.edge];
        std::vector<Ready>& link = waiting(edge);
        std::pop_heap(link.begin(), link.end());
        link.pop_back();
        --left_;
        made_.push_back(hop);
        PacketName packet = tree.packet();
        if (translated_) {
            packet.origin = topology_.untranslate(packet.origin, edge.from);
            packet.target = topology_.untranslate(packet.target, edge.from);
        }
        schedule_.hops.push_back({schedule_.steps, translated_ ? 0 : edge.from, edge.port, packet});
    }

    const Topology& topology_;
    PortModel ports_;
    bool translated_;
    const std::vector<PacketTree>& trees_;
    std::vector<std::vector<Ready>> waiting_;  // by link: heaps
    std::vector<Step> sent_;                   // when each node did last
    std::vector<Step> received_;
    std::size_t left_ = 0;  // hops that are ready
    std::vector<Ready> made_;
    Schedule schedule_{Symmetry::none, 0, {}};
};

}  // namespace

std::uint32_t PacketTree::add(std::uint32_t parent, NodeId from, Port port)
{
    const auto index = static_cast<std::uint32_t>(edges_.size());
    std::uint32_t& sibling = parent == none ? first_ : edges_[parent].first_child;
    const std::uint32_t next = std::exchange(sibling, index);
    edges_.push_back({.from = from, .port = port, .parent = parent, .next_sibling = next});
    return index;
}

void PacketTree::measure_heights()
{
    for (std::size_t i = edges_.size(); i-- > 0;)
        if (const Edge& edge = edges_[i]; edge.parent != none)
            edges_[edge.parent].height = std::max(edges_[edge.parent].height, edge.height + 1);
}

LeastUsedPaths::LeastUsedPaths(const Topology& topology, PortModel ports, Symmetry symmetry)
    : topology_(topology), ports_(ports), symmetry_(symmetry), uses_(allocatable(topology.directed_links()))
{
}

std::uint32_t& LeastUsedPaths::uses(NodeId node, Port port)
{
    const NodeId at = symmetry_ == Symmetry::translated ? 0 : node;
    return uses_[as_size(topology_.link(at, ports_ == PortModel::one ? 0 : port))];
}

PacketTree LeastUsedPaths::tree(NodeId root, const PacketName& packet)
{
    const NodeId n = topology_.nodes();
    std::vector<NodeId> nearest_first(n);
    std::iota(nearest_first.begin(), nearest_first.end(), NodeId{0});
    std::ranges::stable_sort(nearest_first, {}, [&](NodeId node) { return topology_.distance(root, node); });

    PacketTree tree(packet);
    std::vector<std::uint32_t> edge_to(n, PacketTree::none);
    for (const NodeId node : nearest_first) {
        if (node == root)
            continue;
        topology_.ports_towards(node, root, nearer_);
        const auto parent_uses = [&](Port port) {
            return uses(topology_.neighbour(node, port), topology_.arrival_port(node, port));
        };
        const Port port = *std::ranges::min_element(nearer_, {}, parent_uses);
        const NodeId from = topology_.neighbour(node, port);
        const Port by = topology_.arrival_port(node, port);
        ++uses(from, by);
        edge_to[node] = tree.add(edge_to[from], from, by);
    }
    tree.measure_heights();
    return tree;
}

PacketTree LeastUsedPaths::path(NodeId from, NodeId to, const PacketName& packet)
{
    PacketTree path(packet);
    std::uint32_t edge = PacketTree::none;
    for (NodeId at = from; at != to;) {
        topology_.ports_towards(at, to, nearer_);
        const Port by = *std::ranges::min_element(nearer_, {}, [&](Port port) { return uses(at, port); });
        ++uses(at, by);
        edge = path.add(edge, at, by);
        at = topology_.neighbour(at, by);
    }
    path.measure_heights();
    return path;
}

Schedule schedule_trees(const Topology& topology, PortModel ports, Symmetry symmetry,
                        const std::vector<PacketTree>& trees)
{
    return Scheduler(topology, ports, symmetry, trees).schedule();
}

}  // namespace dcube::detail

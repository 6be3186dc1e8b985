#include "algorithms/any_network/shortest_path_trees.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace dcube::detail {

namespace {

// A hop that can be made: its packet is there.
struct Ready {
    std::uint32_t height;
    std::uint32_t route;
    std::uint32_t edge;

    // A heap's first is its largest: the highest, of these the first route's.
    friend bool operator<(const Ready& a, const Ready& b)
    {
        return std::tuple(a.height, b.route, b.edge) < std::tuple(b.height, a.route, a.edge);
    }
};

class Scheduler {
public:
    Scheduler(const Topology& topology, PortModel ports, Symmetry symmetry, const std::vector<Route>& routes)
        : topology_(topology), ports_(ports), translated_(symmetry == Symmetry::translated), routes_(routes),
          waiting_(translated_ ? topology.ports(0) : topology.directed_links()), sent_(topology.nodes()),
          received_(topology.nodes())
    {
        schedule_.symmetry = symmetry;
    }

    Schedule schedule()
    {
        for (std::uint32_t route = 0; route < routes_.size(); ++route)
            make_ready(route, routes_[route].first());
        while (left_ > 0) {
            ++schedule_.steps;
            for (const Ready& hop : chosen())
                make(hop);
            for (const Ready& hop : made_)
                make_ready(hop.route, routes_[hop.route].edges()[hop.edge].first_child);
            made_.clear();
        }
        return std::move(schedule_);
    }

private:
    std::vector<Ready>& waiting(const Route::Edge& edge)
    {
        return waiting_[translated_ ? edge.port : topology_.link(edge.from, edge.port)];
    }

    // The edge and its siblings.
    void make_ready(std::uint32_t route, std::uint32_t edge)
    {
        const std::vector<Route::Edge>& edges = routes_[route].edges();
        for (; edge != Route::none; edge = edges[edge].next_sibling, ++left_) {
            std::vector<Ready>& link = waiting(edges[edge]);
            link.push_back({edges[edge].height, route, edge});
            std::push_heap(link.begin(), link.end());
        }
    }

    // At most one hop of every link; with one port at most one of every sender and receiver.
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
        const Route::Edge& edge = routes_[hop.route].edges()[hop.edge];
        Step& sender = sent_[translated_ ? 0 : edge.from];
        Step& receiver = received_[translated_ ? 0 : topology_.neighbour(edge.from, edge.port)];
        if (sender == schedule_.steps || receiver == schedule_.steps)
            return false;
        sender = receiver = schedule_.steps;
        return true;
    }

    void make(const Ready& hop)
    {
        const Route& route = routes_[hop.route];
        const Route::Edge& edge = route.edges()[hop.edge];
        std::vector<Ready>& link = waiting(edge);
        std::pop_heap(link.begin(), link.end());
        link.pop_back();
        --left_;
        made_.push_back(hop);
        PacketName packet = route.packet();
        if (translated_) {
            packet.origin = topology_.untranslate(packet.origin, edge.from);
            packet.target = topology_.untranslate(packet.target, edge.from);
        }
        schedule_.hops.push_back({schedule_.steps, translated_ ? 0 : edge.from, edge.port, packet});
    }

    const Topology& topology_;
    PortModel ports_;
    bool translated_;
    const std::vector<Route>& routes_;
    std::vector<std::vector<Ready>> waiting_;  // by link: heaps
    std::vector<Step> sent_;                   // when each node did last
    std::vector<Step> received_;
    std::size_t left_ = 0;  // hops that are ready
    std::vector<Ready> made_;
    Schedule schedule_{Symmetry::none, 0, {}};
};

}  // namespace

std::uint32_t Route::add(std::uint32_t parent, NodeId from, Port port)
{
    const auto index = static_cast<std::uint32_t>(edges_.size());
    std::uint32_t& sibling = parent == none ? first_ : edges_[parent].first_child;
    const std::uint32_t next = std::exchange(sibling, index);
    edges_.push_back({.from = from, .port = port, .parent = parent, .next_sibling = next});
    return index;
}

void Route::measure_heights()
{
    for (std::size_t i = edges_.size(); i-- > 0;)
        if (const Edge& edge = edges_[i]; edge.parent != none)
            edges_[edge.parent].height = std::max(edges_[edge.parent].height, edge.height + 1);
}

Router::Router(const Topology& topology, PortModel ports, Symmetry symmetry)
    : topology_(topology), ports_(ports), symmetry_(symmetry), load_(topology.directed_links())
{
}

std::uint32_t& Router::load(NodeId node, Port port)
{
    const NodeId at = symmetry_ == Symmetry::translated ? 0 : node;
    return load_[topology_.link(at, ports_ == PortModel::one ? 0 : port)];
}

Route Router::tree(NodeId root, const PacketName& packet)
{
    const NodeId n = topology_.nodes();
    std::vector<unsigned> distance(n);
    for (NodeId node = 0; node < n; ++node)
        distance[node] = topology_.distance(root, node);
    std::vector<NodeId> nearest_first(n);
    std::iota(nearest_first.begin(), nearest_first.end(), NodeId{0});
    std::ranges::stable_sort(nearest_first, {}, [&](NodeId node) { return distance[node]; });

    Route route(packet);
    std::vector<std::uint32_t> edge_to(n, Route::none);
    for (const NodeId node : nearest_first) {
        std::uint32_t* least = nullptr;
        NodeId from = 0;
        Port by = 0;
        for (Port port = 0; port < topology_.ports(node); ++port) {
            const NodeId nearer = topology_.neighbour(node, port);
            if (distance[nearer] >= distance[node])
                continue;
            const Port back = topology_.arrival_port(node, port);
            if (std::uint32_t& here = load(nearer, back); least == nullptr || here < *least) {
                least = &here;
                from = nearer;
                by = back;
            }
        }
        if (least == nullptr)
            continue;  // the root
        ++*least;
        edge_to[node] = route.add(edge_to[from], from, by);
    }
    route.measure_heights();
    return route;
}

Route Router::path(NodeId from, NodeId to, const PacketName& packet)
{
    Route route(packet);
    std::uint32_t edge = Route::none;
    for (NodeId at = from; at != to;) {
        const unsigned distance = topology_.distance(at, to);
        std::uint32_t* least = nullptr;
        Port by = 0;
        for (Port port = 0; port < topology_.ports(at); ++port) {
            if (topology_.distance(topology_.neighbour(at, port), to) >= distance)
                continue;
            if (std::uint32_t& here = load(at, port); least == nullptr || here < *least) {
                least = &here;
                by = port;
            }
        }
        ++*least;
        edge = route.add(edge, at, by);
        at = topology_.neighbour(at, by);
    }
    route.measure_heights();
    return route;
}

Schedule schedule_routes(const Topology& topology, PortModel ports, Symmetry symmetry, const std::vector<Route>& routes)
{
    return Scheduler(topology, ports, symmetry, routes).schedule();
}

}  // namespace dcube::detail

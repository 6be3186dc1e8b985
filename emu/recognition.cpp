// Networks of known families, recognised in graphs from edges: a hypercube whose nodes are numbered in any order is a
// hypercube.
//
// A graph is taken apart into factors, as seen from node 0. Two of its links belong to one factor unless exactly one
// square has both: links of different factors span one, while rings other than that of four nodes, paths, and complete
// graphs have none (nor do star and pancake graphs). A factor's copy through node 0 is then all that shortest paths
// reach over its links alone, and a node's place in the factor is the node of that copy that is nearest to it. The
// result is compared with the graph, link by link: a graph that looks like a product near node 0, and is none, is not
// recognised.

#include "base/sizes.hpp"
#include "emu/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <utility>

namespace dcube {

namespace {

// A graph as a product of known ones, and what its nodes are called there.
struct KnownProduct {
    std::vector<Graph> factors;
    std::vector<NodeId> there;

    [[nodiscard]] bool renames() const { return !std::ranges::is_sorted(there); }
};

// The classes of node 0's links, by port: numbers 0, 1, ..
class LinkClasses {
public:
    explicit LinkClasses(const Graph& graph) : graph_(graph), parents_(graph.ports(0))
    {
        std::iota(parents_.begin(), parents_.end(), Port{0});
        for (Port a = 0; a < graph.ports(0); ++a)
            for (Port b = 0; b < a; ++b)
                if (const auto [least, other] = std::minmax({root_of(a), root_of(b)});
                    least != other && !span_one_square(graph.neighbour(0, a), graph.neighbour(0, b)))
                    parents_[other] = least;
    }

    [[nodiscard]] std::vector<Port> of_ports() const
    {
        std::vector<Port> number(parents_.size());
        Port count = 0;
        for (Port port = 0; port < parents_.size(); ++port)  // a root is the least of its class
            number[port] = root_of(port) == port ? count++ : number[root_of(port)];
        return number;
    }

private:
    [[nodiscard]] Port root_of(Port port) const
    {
        while (parents_[port] != port)
            port = parents_[port];
        return port;
    }

    // Whether two neighbours of node 0 have exactly one other neighbour in common, and are not neighbours themselves.
    [[nodiscard]] bool span_one_square(NodeId a, NodeId b) const
    {
        unsigned common = 0;
        for (Port port = 0; port < graph_.ports(a); ++port)
            common += graph_.distance(graph_.neighbour(a, port), b) == 1 ? 1 : 0;
        return common == 2 && graph_.distance(a, b) == 2;
    }

    const Graph& graph_;
    std::vector<Port> parents_;
};

// The nodes of every factor's copy through node 0, in ascending order.
std::vector<std::vector<NodeId>> copies_through_node_0(const Graph& graph)
{
    const std::vector<Port> classes = LinkClasses(graph).of_ports();
    std::vector<std::vector<NodeId>> copies(1 + *std::ranges::max_element(classes), {0});
    for (NodeId node = 1; node < graph.nodes(); ++node) {
        std::optional<Port> only;
        bool several = false;
        graph.for_each_port_towards(0, node, [&](Port port) {
            several = several || (only && *only != classes[port]);
            only = classes[port];
        });
        if (!several)
            copies[*only].push_back(node);
    }
    return copies;
}

// The node of the list behind `last` in a row of neighbours, the smaller one if there are two; none at its end.
std::optional<NodeId> next_in_row(const Graph& graph, std::span<const NodeId> nodes, std::span<const NodeId> row)
{
    for (const NodeId node : nodes)
        if (graph.distance(row.back(), node) == 1 && (row.size() == 1 || node != row[row.size() - 2]))
            return node;
    return std::nullopt;
}

// A known graph, and the nodes in the order of its numbers.
struct KnownFactor {
    Graph graph;
    std::vector<NodeId> order;
};

// Looks for a graph in which any node can be node 0 among the nodes of a factor: a known node's place is one that is as
// far from the places before it as the node is from theirs. Each known node is placed beside one that was placed before
// it, and where there is no such place the one before it moves on.
class Placing {
public:
    Placing(const Graph& graph, const std::vector<NodeId>& nodes, const Graph& known)
        : graph_(graph), nodes_(nodes), known_(known), order_{0}
    {
        std::vector<bool> seen(known.nodes());
        seen[0] = true;
        for (std::size_t next = 0; next < order_.size(); ++next)
            for (Port port = 0; port < known.ports(order_[next]); ++port)
                if (const NodeId far = known.neighbour(order_[next], port); !seen[far]) {
                    seen[far] = true;
                    order_.push_back(far);
                }
    }

    // The nodes in the order of the known graph's numbers; none if there is none, or it is too much work to find.
    std::optional<std::vector<NodeId>> operator()()
    {
        std::vector<NodeId> places{nodes_.front()};
        std::vector<std::size_t> tried(order_.size(), 0);  // candidates for each
        while (places.size() < order_.size()) {
            const std::size_t here = places.size();
            std::size_t& candidate = tried[here];
            while (candidate < nodes_.size() && !fits(nodes_[candidate], places))
                ++candidate;
            if (work_ > most_work)
                return std::nullopt;
            if (candidate < nodes_.size()) {
                places.push_back(nodes_[candidate++]);
            } else {
                candidate = 0;
                places.pop_back();
                if (places.empty() || here == 1)
                    return std::nullopt;
            }
        }
        std::vector<NodeId> by_number(order_.size());
        for (std::size_t i = 0; i < order_.size(); ++i)
            by_number[order_[i]] = places[i];
        return by_number;
    }

private:
    static constexpr std::uint64_t most_work = 30'000'000;

    // Compares from the last node back: the nodes placed last are near.
    bool fits(NodeId node, const std::vector<NodeId>& places)
    {
        const NodeId known = order_[places.size()];
        for (std::size_t i = places.size(); i-- > 0;) {
            ++work_;
            if (graph_.distance(node, places[i]) != known_.distance(known, order_[i]))
                return false;
        }
        return true;
    }

    const Graph& graph_;
    const std::vector<NodeId>& nodes_;
    const Graph& known_;
    std::vector<NodeId> order_;
    std::uint64_t work_ = 0;
};

// The star and pancake graphs, cube-connected cycles, and circulants of two offsets, of those with this many nodes and
// links.
std::vector<Graph> symmetric_graphs(NodeId nodes, std::size_t links)
{
    constexpr NodeId most_of_circulants = 64;
    std::vector<Graph> all;
    NodeId orders = 6;
    for (unsigned symbols = 4; symbols <= 6; ++symbols) {
        orders *= symbols;
        if (nodes == orders && links == symbols - 1) {
            all.push_back(Graph::star(symbols));
            all.push_back(Graph::pancake(symbols));
        }
    }
    for (unsigned dimension = 3; dimension <= 8; ++dimension)
        if (nodes == dimension << dimension && links == 3)
            all.push_back(Graph::cube_connected_cycles(dimension));
    if (links == 4 && nodes <= most_of_circulants)
        for (NodeId offset = 2; 2 * offset < nodes; ++offset)
            all.push_back(Graph::circulant(nodes, std::array{NodeId{1}, offset}));
    return all;
}

std::optional<KnownFactor> symmetric_factor(const Graph& graph, const std::vector<NodeId>& nodes, std::size_t links)
{
    std::uint64_t status = 0;
    for (const NodeId node : nodes)
        status += graph.distance(nodes.front(), node);
    for (Graph& known : symmetric_graphs(static_cast<NodeId>(nodes.size()), links))
        if (known.status(0) == status)
            if (std::optional<std::vector<NodeId>> order = Placing(graph, nodes, known)())
                return KnownFactor{std::move(known), *std::move(order)};
    return std::nullopt;
}

std::optional<KnownFactor> known_factor(const Graph& graph, const std::vector<NodeId>& nodes)
{
    const auto links = [&](NodeId node) {
        return static_cast<std::size_t>(
            std::ranges::count_if(nodes, [&](NodeId other) { return graph.distance(node, other) == 1; }));
    };
    const auto size = static_cast<NodeId>(nodes.size());
    if (std::ranges::all_of(nodes, [&](NodeId node) { return links(node) == nodes.size() - 1; }))
        return KnownFactor{Graph::complete(size), nodes};
    if (std::ranges::any_of(nodes, [&](NodeId node) { return links(node) > 2; }))
        return symmetric_factor(graph, nodes, links(nodes.front()));
    const auto end = std::ranges::find_if(nodes, [&](NodeId node) { return links(node) == 1; });
    std::vector<NodeId> row{end == nodes.end() ? nodes.front() : *end};
    while (row.size() < nodes.size()) {
        const std::optional<NodeId> next = next_in_row(graph, nodes, row);
        if (!next)
            return std::nullopt;
        row.push_back(*next);
    }
    return KnownFactor{end == nodes.end() ? Graph::ring(size) : Graph::path(size), std::move(row)};
}

bool same_links(const Graph& graph, const KnownProduct& product)
{
    const Topology made = Topology::product(product.factors);
    if (made.directed_links() != graph.directed_links())
        return false;
    std::vector<NodeId> here(graph.nodes(), graph.nodes());
    for (NodeId node = 0; node < graph.nodes(); ++node) {
        if (here[product.there[node]] != graph.nodes())
            return false;
        here[product.there[node]] = node;
    }
    for (NodeId node = 0; node < made.nodes(); ++node)
        for (Port port = 0; port < made.ports(node); ++port)
            if (graph.distance(here[node], here[made.neighbour(node, port)]) != 1)
                return false;
    return true;
}

// The digits of all nodes in one factor: the numbers of the nearest nodes of its copy through node 0.
std::vector<NodeId> digits_in(const Graph& graph, const KnownFactor& factor)
{
    std::vector<NodeId> digits;
    for (NodeId node = 0; node < graph.nodes(); ++node) {
        const auto nearest =
            std::ranges::min_element(factor.order, {}, [&](NodeId other) { return graph.distance(node, other); });
        digits.push_back(static_cast<NodeId>(nearest - factor.order.begin()));
    }
    return digits;
}

// The factor whose numbers lie farthest apart is the most significant one, so that nodes keep their numbers where they
// are a product's already.
std::optional<KnownProduct> known_product(const Graph& graph, std::vector<std::vector<NodeId>> copies)
{
    std::ranges::sort(copies, std::greater{}, [](const std::vector<NodeId>& nodes) { return nodes[1]; });
    std::uint64_t nodes = 1;
    for (const std::vector<NodeId>& copy : copies)
        nodes = std::min<std::uint64_t>(nodes * copy.size(), std::uint64_t{graph.nodes()} + 1);
    if (nodes != graph.nodes() || copies.size() > Topology::max_dimension)
        return std::nullopt;
    KnownProduct product{{}, std::vector<NodeId>(graph.nodes())};
    for (const std::vector<NodeId>& copy : copies) {
        const std::optional<KnownFactor> factor = known_factor(graph, copy);
        if (!factor)
            return std::nullopt;
        const std::vector<NodeId> digits = digits_in(graph, *factor);
        for (NodeId node = 0; node < graph.nodes(); ++node)
            product.there[node] = product.there[node] * factor->graph.nodes() + digits[node];
        product.factors.push_back(factor->graph);
    }
    return same_links(graph, product) ? std::optional(std::move(product)) : std::nullopt;
}

// Copies of two nodes, w and 3w from node 0, as one: a ring of four nodes would be two factors else, in which nodes
// have other numbers.
std::vector<std::vector<NodeId>> with_rings_of_four(const std::vector<std::vector<NodeId>>& copies)
{
    const auto is_pair = [&](NodeId far) { return std::ranges::count(copies, std::vector{NodeId{0}, far}) > 0; };
    std::vector<std::vector<NodeId>> joined;
    for (const std::vector<NodeId>& copy : copies) {
        const NodeId near = copy[1];
        if (copy.size() == 2 && is_pair(3 * near))
            joined.push_back({0, near, 2 * near, 3 * near});
        else if (copy.size() != 2 || near % 3 != 0 || !is_pair(near / 3))
            joined.push_back(copy);
    }
    return joined;
}

bool is_hypercube(const KnownProduct& product)
{
    return std::ranges::all_of(product.factors, [](const Graph& factor) { return factor.nodes() == 2; });
}

// Factors, or else the whole graph as one: squares may be in one that is none. A network keeps its numbers if it can.
std::optional<KnownProduct> known_product(const Graph& graph)
{
    for (NodeId node = 0; node < graph.nodes(); ++node)
        if (graph.ports(node) == 0)
            return std::nullopt;
    const std::vector<std::vector<NodeId>> copies = copies_through_node_0(graph);
    if (std::optional<KnownProduct> found = known_product(graph, copies)) {
        std::vector<std::vector<NodeId>> joined = with_rings_of_four(copies);
        if (!found->renames() || is_hypercube(*found) || joined.size() == copies.size())
            return found;
        std::optional<KnownProduct> numbered = known_product(graph, std::move(joined));
        return numbered && !numbered->renames() ? numbered : found;
    }
    std::vector<NodeId> all(graph.nodes());
    std::iota(all.begin(), all.end(), NodeId{0});
    return known_product(graph, {std::move(all)});
}

// "torus:2x5" if all factors are of one family (two nodes are of each), else their own names.
std::string family_name(const std::vector<Graph>& factors)
{
    const auto all = [&](Graph::Kind kind) {
        return std::ranges::all_of(factors,
                                   [&](const Graph& graph) { return graph.nodes() == 2 || graph.kind() == kind; });
    };
    const std::string_view family = factors.size() == 1          ? ""
                                    : all(Graph::Kind::complete) ? "ghc"
                                    : all(Graph::Kind::ring)     ? "torus"
                                    : all(Graph::Kind::path)     ? "mesh"
                                                                 : "";
    std::string name;
    for (const Graph& graph : factors)
        if (family.empty())
            name += (name.empty() ? "" : "*") + graph.name();
        else
            name += fmt::format("{}{}", name.empty() ? fmt::format("{}:", family) : "x", graph.nodes());
    return name;
}

// Three nodes are a ring and a complete graph: among rings they are the one, among others the other.
void name_triangles(std::vector<Graph>& factors)
{
    if (std::ranges::none_of(factors, [](const Graph& graph) { return graph.kind() == Graph::Kind::ring; }))
        return;
    for (Graph& graph : factors)
        if (graph.nodes() == 3 && graph.kind() == Graph::Kind::complete)
            graph = Graph::ring(3);
}

// The ports here of the known network's links, in their order.
std::vector<Port> ports_here(const Topology& topology, const Topology& known, const std::vector<NodeId>& there)
{
    std::vector<NodeId> here(there.size());
    for (NodeId node = 0; node < there.size(); ++node)
        here[there[node]] = node;
    std::vector<Port> ports;
    ports.reserve(as_size(known.directed_links()));
    std::vector<Port> leading_to(topology.nodes());
    for (NodeId node = 0; node < known.nodes(); ++node) {
        for (Port port = 0; port < topology.ports(here[node]); ++port)
            leading_to[topology.neighbour(here[node], port)] = port;
        for (Port port = 0; port < known.ports(node); ++port)
            ports.push_back(leading_to[here[known.neighbour(node, port)]]);
    }
    return ports;
}

Recognition recognition(const Topology& topology, std::vector<Graph> factors, std::vector<NodeId> there)
{
    name_triangles(factors);
    std::string name = family_name(factors);
    const Topology network = Topology::product(std::move(factors), std::move(name));
    Recognition made{network, network, std::move(there), {}, {}};
    made.ports = ports_here(topology, made.network, made.there);
    made.here.resize(made.there.size());
    for (NodeId node = 0; node < made.there.size(); ++node)
        made.here[made.there[node]] = node;
    return made;
}

}  // namespace

std::unique_ptr<Recognition> recognise(const Topology& topology)
{
    bool found = false;
    std::vector<Graph> factors;
    std::vector<NodeId> there(topology.nodes());
    for (unsigned i = 0; i < topology.dimension(); ++i) {
        const Graph& factor = topology.factor(i);
        std::optional<KnownProduct> known;
        if (factor.kind() == Graph::Kind::list)
            known = known_product(factor);
        found = found || known;
        for (NodeId node = 0; node < topology.nodes(); ++node) {
            const NodeId digit = topology.digit(node, i);
            there[node] = there[node] * factor.nodes() + (known ? known->there[digit] : digit);
        }
        if (known)
            factors.insert(factors.end(), known->factors.begin(), known->factors.end());
        else
            factors.push_back(factor);
    }
    if (!found || factors.size() > Topology::max_dimension)
        return nullptr;
    return std::make_unique<Recognition>(recognition(topology, std::move(factors), std::move(there)));
}

const Recognition* Topology::known_as() const
{
    std::call_once(network_->looked, [this] {
        if (!faults().empty() || !is_uniform() || !network_->originals.empty())
            return;
        network_->recognition = recognise(*this);
        Recognition* const found = network_->recognition.get();
        if (!found || !found->renames() || found->network.is_hypercube())
            return;
        const Network& family = *found->network.network_;
        const std::shared_ptr<Network> renamed = network_of(family.factors, family.name);
        renamed->originals = found->here;
        found->called = made(renamed);
    });
    return network_->recognition.get();
}

bool Recognition::renames() const
{
    return !std::ranges::is_sorted(there);
}

}  // namespace dcube

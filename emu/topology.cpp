#include "emu/network.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace dcube {

namespace {

std::string joined_name(const std::vector<Graph>& factors)
{
    std::string name;
    for (const Graph& factor : factors)
        name += (name.empty() ? "" : "*") + factor.name();
    return name;
}

// Nodes, ports and links before anything is allocated.
void require_size(const std::vector<Graph>& factors, const std::string& name)
{
    double nodes = 1;
    double links_a_node = 0;
    Port ports = 0;
    for (const Graph& factor : factors) {
        nodes *= factor.nodes();
        links_a_node += static_cast<double>(factor.directed_links()) / factor.nodes();
        Port most = 0;
        for (NodeId node = 0; node < factor.nodes(); ++node)
            most = std::max(most, factor.ports(node));
        ports += most;
    }
    const auto refuse = [&](double given, std::string_view what, double allowed) {
        if (given > allowed)
            throw InvalidArgument(
                fmt::format("{} has {:.15g} {}: at most {:.15g} are allowed", name, given, what, allowed));
    };
    refuse(nodes, "nodes", Topology::max_nodes);
    refuse(ports, "ports at a node", Graph::max_ports);
    refuse(nodes * links_a_node, "directed links", Topology::max_links);
}

// The nodes that are there, and no switches.
std::vector<NodeId> hosts_of(const Graph& graph)
{
    std::vector<NodeId> hosts;
    for (NodeId node = 0; node < graph.nodes(); ++node)
        if (graph.ports(node) > 0 && !std::ranges::binary_search(graph.fabric().switches, node))
            hosts.push_back(node);
    return hosts;
}

}  // namespace

Topology Topology::hypercube(unsigned dimension)
{
    if (dimension > max_dimension)
        throw InvalidArgument(
            fmt::format("a hypercube of dimension {} is too large: 0 to {} are allowed", dimension, max_dimension));
    return {dimension, NodeId{1} << dimension, nullptr};
}

Topology Topology::product(std::vector<Graph> factors, std::string name)
{
    const auto has_fabric = [](const Graph& factor) { return !factor.fabric().empty(); };
    if (const auto own = std::ranges::find_if(factors, has_fabric); own != factors.end() && factors.size() > 1)
        throw InvalidArgument(fmt::format("{} has switches, or links with times of their own: it is no factor of a "
                                          "product",
                                          own->name()));
    if (std::ranges::all_of(factors, [&](const Graph& factor) { return factor.nodes() == 2 && !has_fabric(factor); }))
        return hypercube(static_cast<unsigned>(factors.size()));
    return made(network_of(std::move(factors), std::move(name)));
}

Topology Topology::made(std::shared_ptr<const Network> network)
{
    const auto dimension = static_cast<unsigned>(network->factors.size());
    const auto nodes = static_cast<NodeId>(network->first_links.size() - 1);
    return {dimension, nodes, std::move(network)};
}

std::shared_ptr<Topology::Network> Topology::network_of(std::vector<Graph> factors, std::string name)
{
    auto network = std::make_shared<Network>();
    network->name = name.empty() ? joined_name(factors) : std::move(name);
    require_size(factors, network->name);

    NodeId nodes = 1;
    network->strides.resize(factors.size());
    for (std::size_t i = factors.size(); i-- > 0;) {
        network->strides[i] = nodes;
        nodes *= factors[i].nodes();
        network->diameter += factors[i].diameter();
        network->symmetric = network->symmetric && factors[i].symmetric();
    }
    network->first_links.push_back(0);
    for (NodeId node = 0; node < nodes; ++node) {
        Port ports = 0;
        for (std::size_t i = factors.size(); i-- > 0;) {
            const Graph& factor = factors[i];
            const NodeId digit = node / network->strides[i] % factor.nodes();
            for (Port port = 0; port < factor.ports(digit); ++port, ++ports) {
                const NodeId far = factor.neighbour(digit, port);
                network->links.push_back({node + (far - digit) * network->strides[i], 0});
            }
        }
        network->max_ports = std::max(network->max_ports, ports);
        network->first_links.push_back(network->first_links.back() + ports);
    }
    network->factors = std::move(factors);
    const Topology topology = made(network);
    if (!topology.fabric().switches.empty())
        network->set_members(hosts_of(network->factors[0]));
    for (NodeId node = 0; node < nodes; ++node)
        for (unsigned i = 0; i < topology.dimension(); ++i) {
            const Graph& factor = network->factors[i];
            const NodeId digit = topology.digit(node, i);
            const Port first = topology.first_port(node, i);
            for (Port port = 0; port < factor.ports(digit); ++port) {
                Network::Far& far = network->links[network->first_links[node] + first + port];
                far.port = topology.first_port(far.node, i) + factor.arrival_port(digit, port);
            }
        }
    return network;
}

const Graph& Topology::factor(unsigned i) const
{
    static const Graph two_nodes = Graph::complete(2);
    return network_ ? network_->factors[i] : two_nodes;
}

Port Topology::first_port(NodeId node, unsigned i) const
{
    if (!network_)
        return dimension_ - 1 - i;
    Port port = 0;
    for (unsigned later = i + 1; later < dimension_; ++later)
        port += network_->factors[later].ports(digit(node, later));
    return port;
}

bool Topology::is_end(NodeId node, unsigned dimension, int direction) const
{
    if (node >= nodes_)
        throw InvalidArgument(fmt::format("{} has no node {}: 0 to {} are there", name(), node, nodes_ - 1));
    if (dimension >= dimension_)
        throw InvalidArgument(
            fmt::format("{} has no dimension {}: {}", name(), dimension,
                        dimension_ == 0 ? "it has none" : fmt::format("0 to {} are there", dimension_ - 1)));
    if (direction != 1 && direction != -1)
        throw InvalidArgument(fmt::format("{} is not a direction: expected +1 or -1", direction));
    const Graph& graph = factor(dimension);
    if (graph.kind() == Graph::Kind::path)
        return digit(node, dimension) == (direction == 1 ? graph.nodes() - 1 : 0);
    if (graph.kind() != Graph::Kind::ring && graph.nodes() != 2)
        throw InvalidArgument(
            fmt::format("dimension {} of {} has no directions: rings and paths have", dimension, name()));
    return false;
}

Port Topology::port_to(NodeId node, unsigned dimension, int direction) const
{
    if (is_end(node, dimension, direction))
        throw InvalidArgument(fmt::format("node {} of {} is at the end of dimension {} in direction {:+}: there is no "
                                          "port",
                                          node, name(), dimension, direction));
    const Graph& graph = factor(dimension);
    const NodeId here = digit(node, dimension);
    const NodeId there = (here + (direction == 1 ? 1 : graph.nodes() - 1)) % graph.nodes();
    Port port = 0;
    while (graph.neighbour(here, port) != there)
        ++port;
    return first_port(node, dimension) + port;
}

std::vector<Port> Topology::ports_towards(NodeId from, NodeId to) const
{
    std::vector<Port> ports;
    ports_towards(from, to, ports);
    return ports;
}

void Topology::ports_towards(NodeId from, NodeId to, std::vector<Port>& ports) const
{
    ports.clear();
    Port first = 0;
    for (unsigned i = dimension_; i-- > 0;) {
        const Graph& graph = factor(i);
        const NodeId here = digit(from, i);
        graph.for_each_port_towards(here, digit(to, i), [&](Port port) { ports.push_back(first + port); });
        first += graph.ports(here);
    }
}

std::uint64_t Topology::status(NodeId node) const
{
    std::uint64_t sum = 0;
    if (!fabric().switches.empty()) {
        for (NodeId number = 0; number < members(); ++number)
            sum += distance(node, member(number));
        return sum;
    }
    for (unsigned i = 0; i < dimension_; ++i)
        sum += nodes_ / factor(i).nodes() * factor(i).status(digit(node, i));
    return sum;
}

std::uint64_t Topology::sum_of_statuses() const
{
    std::uint64_t sum = 0;
    if (!fabric().switches.empty()) {
        for (NodeId number = 0; number < members(); ++number)
            sum += status(member(number));
        return sum;
    }
    for (unsigned i = 0; i < dimension_; ++i) {
        const std::uint64_t copies = nodes_ / factor(i).nodes();
        for (NodeId digit = 0; digit < factor(i).nodes(); ++digit)
            sum += copies * copies * factor(i).status(digit);
    }
    return sum;
}

std::string Topology::name() const
{
    return network_ ? network_->name : fmt::format("hypercube:{}", dimension_);
}

bool operator==(const Topology& a, const Topology& b)
{
    if (!a.network_ || !b.network_)
        return !a.network_ && !b.network_ && a.dimension_ == b.dimension_;
    return a.network_ == b.network_ ||
           (a.network_->factors == b.network_->factors && a.network_->originals == b.network_->originals);
}

const std::vector<NodeId>& Topology::strides() const
{
    return network_->strides;
}

Port Topology::ports_of(NodeId node) const
{
    return network_->first_links[node + 1] - network_->first_links[node];
}

Port Topology::most_ports() const
{
    return network_->max_ports;
}

std::uint64_t Topology::all_links() const
{
    return network_->links.size();
}

std::uint64_t Topology::first_link(NodeId node) const
{
    return network_->first_links[node];
}

NodeId Topology::far_node(NodeId node, Port port) const
{
    return network_->links[network_->first_links[node] + port].node;
}

Port Topology::far_port(NodeId node, Port port) const
{
    return network_->links[network_->first_links[node] + port].port;
}

bool Topology::all_groups() const
{
    return network_->symmetric;
}

namespace {

void require_nodes(const Topology& topology, NodeId node, NodeId origin)
{
    if (std::max(node, origin) >= topology.nodes()) [[unlikely]]
        throw InvalidArgument(fmt::format("node {} cannot be translated by {}: {} has nodes 0 to {}", node, origin,
                                          topology.name(), topology.nodes() - 1));
}

}  // namespace

NodeId Topology::translated(NodeId node, NodeId origin) const
{
    require_nodes(*this, node, origin);
    NodeId image = 0;
    for (unsigned i = 0; i < dimension_; ++i)
        image += network_->factors[i].times(digit(origin, i), digit(node, i)) * network_->strides[i];
    return image;
}

NodeId Topology::untranslated(NodeId node, NodeId origin) const
{
    require_nodes(*this, node, origin);
    NodeId image = 0;
    for (unsigned i = 0; i < dimension_; ++i) {
        const Graph& factor = network_->factors[i];
        image += factor.times(factor.inverse(digit(origin, i)), digit(node, i)) * network_->strides[i];
    }
    return image;
}

unsigned Topology::sum_of_distances(NodeId a, NodeId b) const
{
    unsigned sum = 0;
    for (unsigned i = 0; i < dimension_; ++i)
        sum += network_->factors[i].distance(digit(a, i), digit(b, i));
    return sum;
}

unsigned Topology::longest_distance() const
{
    return network_->diameter;
}

}  // namespace dcube

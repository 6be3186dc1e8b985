// Topologies.

#include "python/src/bind.hpp"

#include "base/numbers.hpp"

#include <dcube/connectivity.hpp>
#include <dcube/error.hpp>
#include <dcube/graph.hpp>
#include <dcube/group.hpp>
#include <dcube/permutation.hpp>
#include <dcube/topology.hpp>

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace dcube::python {

namespace {

using Edge = std::pair<NodeId, NodeId>;
using Lists = std::vector<std::vector<NodeId>>;
// A factor, as it is kept: the neighbours of all nodes by port, or the name that gives it.
using Factor = std::variant<std::string, Lists>;

Topology from_edges(const std::vector<Edge>& edges, const std::string& name, Fabric fabric = {})
{
    return Topology::product({Graph::from_edges(name, edges, std::move(fabric))}, name);
}

bool is_graph(py::handle what)
{
    return py::hasattr(what, "nodes") && py::hasattr(what, "edges");
}

std::string shown(py::handle value)
{
    return utf8(py::repr(value));
}

// A number, or a graph, is what a beginner gives.
Topology network_named(const py::object& name)
{
    if (!PyUnicode_Check(name.ptr()))
        throw py::type_error(fmt::format("name is a str such as 'hypercube:3' or 'torus:4x4', not {}{}",
                                         Py_TYPE(name.ptr())->tp_name,
                                         is_graph(name) ? ": Topology.from_networkx takes a graph" : ""));
    return Topology::parse(utf8(name));
}

// Takes a whole number of any size.
bool is_below(py::handle number, std::size_t limit)
{
    const py::ssize_t value = PyNumber_AsSsize_t(number.ptr(), nullptr);
    return value >= 0 && std::cmp_less(value, limit);
}

// A node of a network that is not there yet, or of one that says itself what it lacks.
NodeId any_node(py::handle node)
{
    if (!PyIndex_Check(node.ptr()))
        throw py::type_error(fmt::format("a node is an int, not {}", Py_TYPE(node.ptr())->tp_name));
    if (!is_below(node, std::numeric_limits<NodeId>::max()))
        throw InvalidArgument(fmt::format("{} is no node: nodes are 0, 1, 2, ..", shown(node)));
    return static_cast<NodeId>(PyNumber_AsSsize_t(node.ptr(), nullptr));
}

Edge edge_of(py::handle edge, std::string_view what)
{
    if (!PySequence_Check(edge.ptr()) || PyUnicode_Check(edge.ptr()) || py::len(edge) != 2)
        throw py::type_error(fmt::format("{}, not {}", what, shown(edge)));
    const auto ends = py::reinterpret_borrow<py::sequence>(edge);
    return {any_node(py::object(ends[0])), any_node(py::object(ends[1]))};
}

py::iterable list_of(const py::object& given, std::string_view what)
{
    if (!py::isinstance<py::iterable>(given) || PyUnicode_Check(given.ptr()))
        throw py::type_error(fmt::format("{}, not {}", what, shown(given)));
    return py::reinterpret_borrow<py::iterable>(given);
}

Topology from_pairs(const py::object& edges, const std::string& name)
{
    constexpr std::string_view what = "edges are a list of pairs of nodes such as (0, 1)";
    std::vector<Edge> all;
    for (const py::handle edge : list_of(edges, what))
        all.push_back(edge_of(edge, what));
    return from_edges(all, name);
}

Topology hypercube(std::int64_t dim)
{
    return Topology::hypercube(
        static_cast<unsigned>(parse_number("dim", std::to_string(dim), {0, Topology::max_dimension})));
}

// The numbers that a graph of networkx has on its edges, such as weights: by name, the edges with theirs.
using EdgeNumbers = std::map<std::string, std::vector<std::pair<py::object, py::object>>>;

EdgeNumbers numbers_on_edges(const py::object& edges)
{
    EdgeNumbers found;
    const py::object number = py::module_::import("numbers").attr("Number");
    if (PyCallable_Check(edges.ptr()) == 0)  // of a graph that only looks like one of networkx
        return found;
    for (const py::handle edge : edges(py::arg("data") = true)) {
        const auto ends_and_data = edge.cast<py::tuple>();
        for (const auto& [key, value] : ends_and_data[2].cast<py::dict>())
            if (py::isinstance(value, number) && PyBool_Check(value.ptr()) == 0)
                found[utf8(py::str(key))].emplace_back(ends_and_data[py::slice(0, 2, 1)],
                                                       py::reinterpret_borrow<py::object>(value));
    }
    return found;
}

// Numbers that distinguish links would be lost, but for tau and beta.
void refuse_numbers_on_edges(py::handle graph)
{
    const py::object edges = graph.attr("edges");
    for (const auto& [name, on_edges] : numbers_on_edges(edges)) {
        const auto& [edge, value] = on_edges.front();
        const bool alike = on_edges.size() == py::len(edges) &&
                           std::ranges::all_of(on_edges, [&](const auto& other) { return other.second.equal(value); });
        if (alike || name == "tau" || name == "beta")
            continue;
        throw InvalidArgument(fmt::format(
            "the graph's edges have numbers '{}', such as {} on {}, which would be lost: links that differ have 'tau' "
            "and 'beta', in ns. networkx.Graph(graph.edges()) is the graph without them",
            name, shown(value), shown(edge)));
    }
}

// The times of a link, as any number, or a text such as "1/3".
TimedLink timed_link(Edge edge, py::handle tau, py::handle beta)
{
    return {edge.first, edge.second, parse_rational("tau_ns_per_byte", utf8(py::str(tau))),
            parse_rational("beta_ns", utf8(py::str(beta)))};
}

// Edges with tau and beta, and nodes with a true 'switch'.
Fabric fabric_of(py::handle graph)
{
    Fabric fabric;
    const py::object edges = graph.attr("edges");
    if (PyCallable_Check(edges.ptr()) == 0)  // of a graph that only looks like one of networkx
        return fabric;
    for (const py::handle edge : edges(py::arg("data") = true)) {
        const auto ends_and_data = edge.cast<py::tuple>();
        const auto data = ends_and_data[2].cast<py::dict>();
        if (data.contains("tau") != data.contains("beta"))
            throw InvalidArgument(fmt::format("edge {} has {}: a link with times of its own has both",
                                              shown(ends_and_data[py::slice(0, 2, 1)]),
                                              data.contains("tau") ? "'tau' and no 'beta'" : "'beta' and no 'tau'"));
        if (data.contains("tau"))
            fabric.links.push_back(timed_link({ends_and_data[0].cast<NodeId>(), ends_and_data[1].cast<NodeId>()},
                                              data["tau"], data["beta"]));
    }
    for (const py::handle node : graph.attr("nodes")(py::arg("data") = true)) {
        const auto number_and_data = node.cast<py::tuple>();
        const auto data = number_and_data[1].cast<py::dict>();
        if (data.contains("switch") && py::bool_(data["switch"]))
            fabric.switches.push_back(number_and_data[0].cast<NodeId>());
    }
    return fabric;
}

Topology from_networkx(py::handle graph, const std::optional<std::string>& name)
{
    if (py::hasattr(graph, "is_directed") && graph.attr("is_directed")().cast<bool>())
        throw InvalidArgument("a directed graph is no network: every link goes both ways; use its to_undirected()");
    const std::size_t nodes = py::len(graph.attr("nodes"));
    for (const py::handle node : graph.attr("nodes"))
        if (!PyIndex_Check(node.ptr()) || !is_below(node, nodes))
            throw InvalidArgument(
                fmt::format("a graph's nodes are 0 to {}, not {}: see networkx.convert_node_labels_to_integers",
                            nodes - 1, shown(node)));
    refuse_numbers_on_edges(graph);
    std::vector<Edge> edges;
    for (const py::handle edge : graph.attr("edges")) {
        const auto ends = py::reinterpret_borrow<py::sequence>(edge);
        edges.emplace_back(ends[0].cast<NodeId>(), ends[1].cast<NodeId>());
    }
    std::string called = name.value_or("");
    if (called.empty() && py::hasattr(graph, "name"))
        called = utf8(py::str(graph.attr("name")));
    const Topology topology = from_edges(edges, called.empty() ? "graph" : called, fabric_of(graph));
    if (topology.nodes() != nodes)
        throw InvalidArgument("the graph is disconnected: there is a node without an edge");
    return topology;
}

// Links as pairs or texts "0-1", nodes as numbers.
Faults faults_of(const py::object& links, const py::object& nodes)
{
    constexpr std::string_view pairs = "links are a list of pairs such as [(0, 1)], or of texts such as ['0-1']";
    Faults faults;
    for (const py::handle link : list_of(links, pairs))
        faults.links.push_back(PyUnicode_Check(link.ptr()) ? parse_link_between(utf8(link)) : edge_of(link, pairs));
    for (const py::handle node : list_of(nodes, "nodes are a list such as [5]"))
        faults.nodes.push_back(any_node(node));
    return faults;
}

Topology having(const Topology& topology, const py::object& links, const py::object& switches)
{
    constexpr std::string_view what = "links are a list such as [(0, 1, 0.04, 1300)]: two nodes, tau and beta";
    Fabric fabric;
    for (const py::handle link : list_of(links, what)) {
        if (!PySequence_Check(link.ptr()) || PyUnicode_Check(link.ptr()) || py::len(link) != 4)
            throw py::type_error(fmt::format("{}, not {}", what, shown(link)));
        const auto parts = py::reinterpret_borrow<py::sequence>(link);
        fabric.links.push_back(timed_link({any_node(py::object(parts[0])), any_node(py::object(parts[1]))},
                                          py::object(parts[2]), py::object(parts[3])));
    }
    for (const py::handle node : list_of(switches, "switches are a list such as [8]"))
        fabric.switches.push_back(any_node(node));
    return topology.with(fabric);
}

std::vector<py::tuple> timed_links(const Topology& topology)
{
    std::vector<py::tuple> all;
    for (const auto& [a, b, tau, beta] : topology.fabric().links)
        all.push_back(py::make_tuple(a, b, fraction(tau), fraction(beta)));
    return all;
}

std::vector<NodeId> neighbours(const Topology& topology, NodeId node)
{
    std::vector<NodeId> all;
    for (Port port = 0; port < topology.ports(node); ++port)
        all.push_back(topology.neighbour(node, port));
    return all;
}

std::optional<Port> port_between(const Topology& topology, NodeId a, NodeId b)
{
    for (Port port = 0; port < topology.ports(a); ++port)
        if (topology.neighbour(a, port) == b)
            return port;
    return std::nullopt;
}

std::vector<Edge> edges(const Topology& topology)
{
    std::vector<Edge> all;
    for (NodeId node = 0; node < topology.nodes(); ++node)
        for (const NodeId other : neighbours(topology, node))
            if (node < other)
                all.emplace_back(node, other);
    std::ranges::sort(all);
    return all;
}

py::array_t<std::uint16_t> distances(const Topology& topology)
{
    const auto nodes = static_cast<py::ssize_t>(topology.nodes());
    py::array_t<std::uint16_t> all({nodes, nodes});
    std::uint16_t* next = all.mutable_data();
    without_gil([&](const RunOptions& options) {
        for (NodeId a = 0; a < topology.nodes(); ++a) {
            options.on_step(0);
            if (options.stop.stop_requested())
                throw Interrupted();
            for (NodeId b = 0; b < topology.nodes(); ++b)
                *next++ = static_cast<std::uint16_t>(topology.distance(a, b));
        }
    });
    return all;
}

py::object to_networkx(const Topology& topology)
{
    py::object graph = py::module_::import("networkx").attr("Graph")(py::arg("name") = topology.name());
    std::vector<NodeId> members;
    for (NodeId number = 0; number < topology.members(); ++number)
        members.push_back(topology.member(number));
    graph.attr("add_nodes_from")(members);
    graph.attr("add_nodes_from")(topology.fabric().switches, py::arg("switch") = true);
    graph.attr("add_edges_from")(edges(topology));
    for (const auto& [a, b, tau, beta] : topology.fabric().links)
        graph.attr("add_edge")(a, b, py::arg("tau") = fraction(tau), py::arg("beta") = fraction(beta));
    return graph;
}

// The known network that it is, or itself.
const Topology& known_network(const Topology& topology)
{
    const Recognition* const known = topology.recognised();
    return known ? known->network : topology;
}

py::object recognised(const Topology& topology)
{
    const Recognition* const known = topology.recognised();
    return known ? py::cast(known->network) : py::none();
}

// Whether the name alone identifies the network, here and elsewhere: files may be missing or differ.
bool is_named(const Topology& topology)
{
    if (topology.name().find("graph:") != std::string::npos)
        return false;
    try {
        return Topology::parse(topology.name()) == topology;
    } catch (const InvalidArgument&) {
        return false;
    }
}

Lists lists_of(const Graph& graph)
{
    Lists lists(graph.nodes());
    for (NodeId node = 0; node < graph.nodes(); ++node)
        for (Port port = 0; port < graph.ports(node); ++port)
            lists[node].push_back(graph.neighbour(node, port));
    return lists;
}

Topology restored(const std::string& name, const std::vector<Factor>& factors, const Faults& faults,
                  const Fabric& fabric)
{
    std::vector<Graph> graphs;
    for (const Factor& factor : factors)
        graphs.push_back(std::holds_alternative<Lists>(factor)
                             ? Graph::from_lists(name, std::get<Lists>(factor), fabric)
                             : Topology::parse(std::get<std::string>(factor)).factor(0));
    return Topology::product(std::move(graphs), name).without(faults);
}

Topology restored_of(const std::string& name, const std::vector<Factor>& factors, const std::vector<Edge>& links,
                     const std::vector<NodeId>& nodes, const std::string& fabric)
{
    return restored(name, factors, {links, nodes}, fabric.empty() ? Fabric() : parse_fabric(fabric));
}

// A network that its name does not give again is kept by its factors, and what they lack.
py::tuple reduced(const py::object& self)
{
    const auto& topology = self.cast<const Topology&>();
    if (is_named(topology))
        return py::make_tuple(py::type::of(self), py::make_tuple(topology.name()));
    const Topology& whole = topology.whole();
    std::vector<Factor> factors;
    for (unsigned i = 0; i < whole.dimension(); ++i) {
        const Graph& graph = whole.factor(i);
        if (graph.kind() == Graph::Kind::list)
            factors.emplace_back(lists_of(graph));
        else
            factors.emplace_back(graph.name());
    }
    return py::make_tuple(py::module_::import("dcube.topologies").attr("restored"),
                          py::make_tuple(whole.name(), factors, topology.faults().links, topology.faults().nodes,
                                         to_string(whole.fabric())));
}

// Equal networks may have different names.
std::size_t hash_of(const Topology& topology)
{
    std::size_t hash = 0;
    for (const std::uint64_t one : {std::uint64_t{topology.nodes()}, std::uint64_t{topology.members()},
                                    std::uint64_t{topology.dimension()}, topology.directed_links()})
        hash = hash * 1'000'003 + std::hash<std::uint64_t>{}(one);
    return hash;
}

std::string representation(const Topology& topology)
{
    return fmt::format("Topology({})", shown(py::str(topology.name())));
}

// Examples that need no file.
std::vector<std::string_view> examples()
{
    std::vector<std::string_view> all = network_examples();
    std::erase_if(all, [](std::string_view name) { return name.starts_with("graph:"); });
    return all;
}

py::array_t<NodeId> permutation(const std::string& name, py::handle topology, std::uint64_t seed)
{
    const std::vector<NodeId> targets = permutation_by_name(name, topology_in(topology), seed);
    return py::array_t<NodeId>(static_cast<py::ssize_t>(targets.size()), targets.data());
}

}  // namespace

py::object fraction(const Rational& value)
{
    if (value.denominator == 1)
        return py::int_(value.numerator);
    return py::module_::import("fractions").attr("Fraction")(value.numerator, value.denominator);
}

Topology topology_in(py::handle what)
{
    if (PyUnicode_Check(what.ptr()))
        return Topology::parse(utf8(what));
    if (py::isinstance<Topology>(what))
        return what.cast<const Topology&>();
    if (is_graph(what))
        return from_networkx(what, std::nullopt);
    throw py::type_error(
        fmt::format("topology is a str, a Topology or a networkx graph, not {}", Py_TYPE(what.ptr())->tp_name));
}

std::pair<std::uint64_t, std::uint64_t> bisection_bounds(const Topology& topology)
{
    const BisectionWidth width = bisection_width(topology);
    return {width.least, width.most};
}

std::optional<std::uint64_t> known_bisection_width(const Topology& topology)
{
    const BisectionWidth width = bisection_width(topology);
    return width.exact() ? std::optional(width.most) : std::nullopt;
}

NodeId node_in(const Topology& topology, py::handle node)
{
    if (!PyIndex_Check(node.ptr()))
        throw py::type_error(fmt::format("a node is an int, not {}", Py_TYPE(node.ptr())->tp_name));
    if (!is_below(node, topology.nodes()))
        throw py::index_error(fmt::format("node {} is not there: {} has nodes 0 to {}", shown(node), topology.title(),
                                          topology.nodes() - 1));
    return static_cast<NodeId>(PyNumber_AsSsize_t(node.ptr(), nullptr));
}

void bind_networks(py::module_& module)
{
    using T = const Topology&;
    using Number = const py::object&;
    py::class_<Topology>(module, "Topology", R"(A network of nodes 0, 1, ..., nodes - 1. Immutable.

Parameters
----------
name : str
    ``"hypercube:10"``, ``"torus:8x8"``, ``"ring:5*path:4"``, ``"hypercube:3 without 0-1,5"``, ...;
    `dcube.network_examples` has one of each family.

Raises
------
InvalidArgument
    There is no such network.
)")
        .def(py::init([](const py::object& name) { return network_named(name); }), py::arg("name"))
        .def_static("hypercube", &hypercube, py::arg("dim"), "The hypercube of 2**dim nodes.")
        .def_static("from_edges", &from_pairs, py::arg("edges"), py::arg("name") = "graph",
                    "A connected network of these edges, pairs of nodes 0, 1, ..; `name` stands in reports.")
        .def_static(
            "from_networkx", &from_networkx, py::arg("graph"), py::arg("name") = py::none(),
            "The network of an undirected networkx graph, whose nodes are 0 to N-1. Edges with 'tau' and 'beta' are "
            "links with times of their own, nodes with a true 'switch' are switches. Other numbers on edges that "
            "differ, such as weights, are refused.")
        .def("having", &having, py::arg("links") = py::tuple(), py::arg("switches") = py::tuple(),
             "The same network, in which these links, (a, b, tau, beta) in ns, have times of their own, and these "
             "nodes only pass packets on.")
        .def_property_readonly(
            "switches", [](T t) { return t.fabric().switches; }, "Nodes that only pass packets on.")
        .def_property_readonly("timed_links", &timed_links,
                               "(a, b, tau, beta) of links with times of their own, in ns.")
        .def(
            "without",
            [](T t, const py::object& links, const py::object& nodes) { return t.without(faults_of(links, nodes)); },
            py::arg("links") = py::tuple(), py::arg("nodes") = py::tuple(),
            "The same network without these links, pairs (a, b) or texts 'a-b', and nodes.")
        .def_property_readonly("name", &Topology::name, "As Topology() reads it.")
        .def_property_readonly("nodes", &Topology::nodes, "N, missing ones included.")
        .def_property_readonly("members", &Topology::members, "Nodes that are neither missing nor switches.")
        .def_property_readonly(
            "dim", [](T t) { return known_network(t).dimension(); }, "Factors of the product; the d of a d-cube.")
        .def_property_readonly(
            "is_hypercube", [](T t) { return known_network(t).is_hypercube(); },
            "Whether it is a d-cube; one that was recognised may number its nodes otherwise.")
        .def_property_readonly("recognised", &recognised,
                               "The network of known families that one from edges is, whose algorithms and bounds it "
                               "gets: a Topology, or None.")
        .def_property_readonly("diameter", &Topology::diameter, "The longest of all distances.")
        .def_property_readonly("directed_links", &Topology::directed_links, "Twice the edges.")
        .def_property_readonly(
            "average_distance", [](T t) { return fraction(average_distance(t)); },
            "Of different nodes: int, or Fraction.")
        .def_property_readonly(
            "bisection_bounds", &bisection_bounds,
            "(least, most) links between two halves of the nodes, at least; equal where it is known.")
        .def_property_readonly("bisection_width", &known_bisection_width, "None where only its bounds are known.")
        .def_property_readonly("edge_connectivity", &edge_connectivity,
                               "Links whose removal disconnects it, at least; None where finding it takes long.")
        .def_property_readonly("node_connectivity", &node_connectivity,
                               "Nodes whose removal disconnects it, at least; None where finding it takes long.")
        .def_property_readonly("girth", &girth, "Links of a shortest cycle; None if there is none.")
        .def(
            "ports", [](T t, Number node) { return t.ports(node_in(t, node)); }, py::arg("node"),
            "How many ports a node has.")
        .def(
            "neighbours", [](T t, Number node) { return neighbours(t, node_in(t, node)); }, py::arg("node"),
            "Nodes, by port.")
        .def(
            "port_between", [](T t, Number a, Number b) { return port_between(t, node_in(t, a), node_in(t, b)); },
            py::arg("a"), py::arg("b"), "The port of `a` that leads to `b`; None if they are no neighbours.")
        .def(
            "port_to",
            [](T t, Number node, unsigned dimension, int direction) {
                return t.port_to(node_in(t, node), dimension, direction);
            },
            py::arg("node"), py::arg("dimension"), py::arg("direction"),
            "The port that leads one up (+1) or down (-1) in a ring or a path of the product.")
        .def(
            "distance", [](T t, Number a, Number b) { return t.distance(node_in(t, a), node_in(t, b)); }, py::arg("a"),
            py::arg("b"), "Links of a shortest path.")
        .def("distances", &distances, "All distances: an array (N, N) of uint16.")
        .def("edges", &edges, "Pairs (a, b), a < b, in ascending order.")
        .def("to_networkx", &to_networkx, "The same as a networkx.Graph.")
        .def("__len__", &Topology::nodes)
        .def("__hash__", &hash_of)
        .def("__repr__", &representation)
        .def("__reduce__", &reduced)
        .def(
            "__eq__", [](T a, T b) { return a == b; }, py::is_operator());
    py::class_<Group>(module, "Group", R"(The groups of a network within some of its dimensions or factors.

Nodes that differ in these only are in one group; each group is a smaller network, in which a node's number is its rank.
Collectives with ``within=group.within`` are done by all groups at the same time.

Parameters
----------
topology : Topology
    The whole network.
within : str
    Dimensions of a hypercube, or factors of another product, the first of which is 0: ``"0,2"``.

Raises
------
InvalidArgument
    No such dimension or factor, or groups that do not lack the same links and nodes.
)")
        .def(py::init([](T topology, const std::string& within) { return Group::of(topology, parse_within(within)); }),
             py::arg("topology"), py::arg("within"))
        .def_property_readonly(
            "topology", [](const Group& groups) { return groups.topology(); }, "The whole network.")
        .def_property_readonly(
            "network", [](const Group& groups) { return groups.network(); }, "The network that every group is.")
        .def_property_readonly(
            "within", [](const Group& groups) { return within_text(groups.within()); }, "As Group() reads it.")
        .def_property_readonly("count", &Group::count, "The number of groups.")
        .def_property_readonly("size", &Group::size, "The ranks of each: 0 to size - 1.")
        .def(
            "number", [](const Group& groups, Number node) { return groups.number(node_in(groups.topology(), node)); },
            py::arg("node"), "A node's group: 0 to count - 1.")
        .def(
            "rank", [](const Group& groups, Number node) { return groups.rank(node_in(groups.topology(), node)); },
            py::arg("node"), "A node's number in its group.")
        .def(
            "node",
            [](const Group& groups, NodeId number, Number rank) {
                if (number >= groups.count())
                    throw InvalidArgument("number", std::to_string(number),
                                          fmt::format("is no group: groups are 0 to {}", groups.count() - 1));
                return groups.node(number, node_in(groups.network(), rank));
            },
            py::arg("number"), py::arg("rank"), "The node of that rank in that group.")
        .def("__repr__", [](const Group& groups) {
            return fmt::format("<dcube.Group: {} of {} within {} of {}>", counted(groups.count(), "group"),
                               groups.network().name(), within_text(groups.within()), groups.topology().name());
        });
    module.def("_restored_topology", &restored_of);
    module.def("network_examples", &examples);
    module.def("permutation", &permutation, py::arg("name"), py::arg("topology"), py::arg("seed") = 1);
}

}  // namespace dcube::python

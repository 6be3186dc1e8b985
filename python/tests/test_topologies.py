"""Networks, against networkx where it is there."""

from __future__ import annotations

import copy
import pickle
from collections import deque
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import dcube
from dcube import Topology

FAMILIES = ["hypercube:4", "torus:3x4", "mesh:2x3", "ghc:3x4", "kary:3^2", "ring:5", "path:4", "complete:3", "star:4",
            "pancake:3", "ccc:3", "circulant:13,1,5", "petersen"]
FABRICS = ["dgx-1", "dgx-a100:2", "fat-tree:4", "dragonfly:2,4,2"]
PRODUCTS = ["ring:5*path:3", "petersen*complete:2"]
LACKING = ["hypercube:3 without 0-1,4-5,6", "torus:3x4 without 5", "ring:6 without 0-1"]
EDGES = [(0, 3), (3, 1), (1, 2), (2, 0), (2, 4)]
ALL = [*map(Topology, FAMILIES + PRODUCTS + LACKING), Topology.from_edges(EDGES, "mine"),
       Topology.from_edges(EDGES, "mine").without(links=[(0, 3)]), Topology.hypercube(0)]
all_of_them = pytest.mark.parametrize("topology", ALL, ids=lambda topology: topology.name)


def lengths(topology: Topology, start: int) -> dict[int, int]:
    """By a search in breadth."""
    found = {start: 0}
    waiting = deque([start])
    while waiting:
        node = waiting.popleft()
        for other in topology.neighbours(node):
            if other not in found:
                found[other] = found[node] + 1
                waiting.append(other)
    return found


def test_every_family_is_tried() -> None:
    def family(name: str) -> str:
        return name.partition(":")[0]

    assert {family(name) for name in dcube.network_examples()} == {family(name) for name in FAMILIES + FABRICS}
    for name in dcube.network_examples():
        assert Topology(name).name == name


@all_of_them
def test_links_go_both_ways(topology: Topology) -> None:
    links = 0
    for node in range(topology.nodes):
        neighbours = topology.neighbours(node)
        assert len(set(neighbours)) == topology.ports(node) == len(neighbours)
        links += len(neighbours)
        for port, other in enumerate(neighbours):
            assert topology.port_between(node, other) == port
            assert node in topology.neighbours(other)
            assert topology.distance(node, other) == 1
    assert links == topology.directed_links
    edges = topology.edges()
    assert edges == sorted(edges) and all(a < b for a, b in edges) and 2 * len(edges) == links


@all_of_them
def test_distances(topology: Topology) -> None:
    distances = topology.distances()
    assert distances.shape == (topology.nodes, topology.nodes) and distances.dtype == np.uint16
    longest = 0
    total = 0
    members = 0
    for a in range(topology.nodes):
        found = lengths(topology, a)
        for b, length in found.items():
            assert topology.distance(a, b) == distances[a, b] == length
        if len(found) > 1 or topology.nodes == 1:
            members += 1
            longest = max(longest, *found.values())
            total += sum(found.values())
    assert (topology.members, topology.diameter) == (members, longest)
    assert topology.average_distance == (Fraction(total, members * (members - 1)) if members > 1 else 0)


@all_of_them
def test_as_networkx_has_it(topology: Topology) -> None:
    networkx = pytest.importorskip("networkx")
    graph = topology.to_networkx()
    assert sorted(tuple(sorted(edge)) for edge in graph.edges) == topology.edges()
    assert len(graph) == topology.members and graph.name == topology.name
    if topology.members < 2:
        return
    assert networkx.diameter(graph) == topology.diameter
    assert networkx.edge_connectivity(graph) == topology.edge_connectivity
    assert networkx.node_connectivity(graph) == topology.node_connectivity
    for a, to_others in networkx.all_pairs_shortest_path_length(graph):
        assert all(topology.distance(a, b) == length for b, length in to_others.items())
    if topology.members == topology.nodes:
        back = Topology.from_networkx(graph)
        assert back.edges() == topology.edges() and back.name == topology.name


def test_graphs_of_networkx_are_topologies() -> None:
    networkx = pytest.importorskip("networkx")
    report = dcube.run("broadcast", topology=networkx.petersen_graph())
    assert report.steps == dcube.run("broadcast", topology="petersen").steps == 2
    assert dcube.run(**report.question).steps == 2
    for edges in ([("a", "b")], [(0, 1), (1, 10**30)], [(0, 1), (1, -1)], [(1, 2)]):
        with pytest.raises(dcube.InvalidArgument, match="convert_node_labels_to_integers"):
            Topology.from_networkx(networkx.Graph(edges))
    assert Topology.from_networkx(networkx.Graph([(np.int64(0), np.int64(1))])).nodes == 2
    with pytest.raises(dcube.InvalidArgument, match="twice"):
        Topology.from_networkx(networkx.MultiGraph([(0, 1), (0, 1)]))
    with pytest.raises(dcube.InvalidArgument, match="directed"):
        Topology.from_networkx(networkx.DiGraph([(0, 1)]))
    alone = networkx.Graph([(0, 1)])
    alone.add_node(2)
    with pytest.raises(dcube.InvalidArgument, match="disconnected"):
        Topology.from_networkx(alone)
    with pytest.raises(dcube.InvalidArgument):
        Topology.from_networkx(networkx.Graph())


def relabelled(graph: Any, seed: int) -> Any:
    """The same graph with its nodes 0 to N-1 in another order."""
    networkx = pytest.importorskip("networkx")
    nodes = list(graph)
    numbers = np.random.default_rng(seed).permutation(len(nodes)) if seed else np.arange(len(nodes))
    return networkx.relabel_nodes(graph, {node: int(number) for node, number in zip(nodes, numbers, strict=True)})


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_graph_that_is_a_known_network_gets_its_algorithms(seed: int) -> None:
    networkx = pytest.importorskip("networkx")
    for graph, name in ((networkx.hypercube_graph(4), "hypercube:4"), (networkx.cycle_graph(7), "ring:7"),
                        (networkx.complete_graph(5), "complete:5"), (networkx.path_graph(6), "path:6"),
                        (networkx.grid_2d_graph(3, 5), "mesh:3x5"),
                        (networkx.grid_2d_graph(3, 5, periodic=True), "torus:3x5")):
        topology = Topology.from_networkx(relabelled(graph, seed))
        assert topology.recognised is not None
        named = Topology(name)
        if seed == 0:
            assert topology.recognised == named
        assert topology.dim == named.dim and topology.is_hypercube == named.is_hypercube
        for collective in ("all-reduce", "all-to-all", "all-gather"):
            for ports in ("all", "one"):
                here = dcube.run(collective, topology=topology, ports=ports)
                there = dcube.run(collective, topology=named, ports=ports)
                assert here.verified and here.recognised == topology.recognised.name and there.recognised is None
                assert (here.steps, here.steps_lower_bound) == (there.steps, there.steps_lower_bound)
                if topology.recognised == named:  # plans depend on the order of factors
                    assert here.transmissions == there.transmissions
        here = dcube.run("all-to-all", topology=topology, tau=1, beta=100)
        assert here.virtual_time_ns == dcube.run("all-to-all", topology=named, tau=1, beta=100).virtual_time_ns


def test_what_is_recognised_keeps_its_own_numbers() -> None:
    networkx = pytest.importorskip("networkx")
    graph = relabelled(networkx.hypercube_graph(3), 5)
    topology = Topology.from_networkx(graph)
    assert topology.edges() == sorted(tuple(sorted(edge)) for edge in graph.edges)
    assert all(topology.neighbours(node) == sorted(graph[node]) for node in graph)
    x = np.arange(8 * 8).reshape(8, 8)
    assert (dcube.all_to_all(x, topology=topology) == x.T).all()
    assert (dcube.scatter(x, topology=topology, root=5) == x).all()
    assert (dcube.all_gather(x, topology=topology) == x).all()
    assert (dcube.all_reduce(x, topology=topology) == x.sum(axis=0)).all()
    assert Topology("petersen").recognised is None and Topology("hypercube:3").recognised is None


@all_of_them
def test_nodes_that_are_not_there(topology: Topology) -> None:
    for wrong in (-1, topology.nodes, topology.nodes + 5):
        for call in (lambda n: topology.ports(n), lambda n: topology.neighbours(n), lambda n: topology.distance(0, n),
                     lambda n: topology.distance(n, 0), lambda n: topology.port_between(n, 0),
                     lambda n: topology.port_to(n, 0, 1)):
            with pytest.raises(IndexError, match=f"node {wrong} is not there"):
                call(wrong)
    with pytest.raises(TypeError):
        topology.ports(0.5)  # type: ignore[arg-type]
    assert topology.ports(np.int64(0)) == topology.ports(0)  # type: ignore[arg-type]


@all_of_them
@pytest.mark.parametrize("copied", [lambda t: pickle.loads(pickle.dumps(t)), copy.copy, copy.deepcopy])
def test_a_topology_pickles(topology: Topology, copied: object) -> None:
    back = copied(topology)  # type: ignore[operator]
    assert back == topology and hash(back) == hash(topology) and back.name == topology.name
    assert [back.neighbours(n) for n in range(back.nodes)] == [topology.neighbours(n) for n in range(back.nodes)]


@pytest.mark.parametrize("name", [*FABRICS, "ring:6 with 0-1:1/3:5,4"])
def test_fabrics_are_graphs_of_networkx_and_pickle(name: str) -> None:
    networkx = pytest.importorskip("networkx")
    topology = Topology(name)
    assert topology.members + len(topology.switches) == topology.nodes
    graph = topology.to_networkx()
    assert sorted(node for node, is_switch in graph.nodes(data="switch") if is_switch) == topology.switches
    back = Topology.from_networkx(graph, "drawn")
    assert back.edges() == topology.edges() and back.timed_links == topology.timed_links
    assert back.switches == topology.switches
    assert pickle.loads(pickle.dumps(back)) == back and pickle.loads(pickle.dumps(topology)) == topology
    assert networkx.is_connected(graph)


def test_links_that_differ() -> None:
    networkx = pytest.importorskip("networkx")
    graph = networkx.path_graph(3)
    graph.edges[0, 1].update(tau=0.5, beta=Fraction(1, 3))
    graph.edges[1, 2].update(tau=2, beta=10)
    graph.nodes[1]["switch"] = True
    topology = Topology.from_networkx(graph)
    assert topology.timed_links == [(0, 1, Fraction(1, 2), Fraction(1, 3)), (1, 2, 2, 10)]
    assert topology == Topology("path:3").having([(0, 1, "1/2", "1/3"), (2, 1, 2, 10)], switches=[1])
    report = dcube.run("send", topology=topology, bytes=6, peer=2, algorithm="priced-paths")
    assert report.verified and report.virtual_time_ns == report.predicted_time_ns
    assert report.virtual_time_ns >= report.time_lower_bound_ns > 0
    with pytest.raises(dcube.InvalidArgument, match="links of .* have times of their own"):
        dcube.run("send", topology=topology, peer=2, link="unit")
    with pytest.raises(dcube.InvalidArgument, match="is a switch"):
        dcube.run("send", topology=topology, peer=1)
    del graph.edges[0, 1]["beta"]
    with pytest.raises(dcube.InvalidArgument, match="'tau' and no 'beta'"):
        Topology.from_networkx(graph)
    with pytest.raises(TypeError, match="two nodes, tau and beta"):
        Topology("ring:4").having([(0, 1)])  # type: ignore[list-item]


def test_a_name_may_lie() -> None:
    lying = Topology.from_edges(EDGES, "ring:5")
    back = pickle.loads(pickle.dumps(lying))
    assert back.edges() == lying.edges() == sorted(tuple(sorted(edge)) for edge in EDGES)
    assert back != Topology("ring:5")


def test_a_file_need_not_be_there_any_more(tmp_path: object) -> None:
    file = tmp_path / "graph.txt"  # type: ignore[operator]
    file.write_text("0 1\n1 2\n2 0\n")
    for name in (f"graph:{file}", f"graph:{file}*path:3"):
        topology = Topology(name)
        kept = pickle.dumps(topology)
        text = file.read_text()
        file.unlink()
        back = pickle.loads(kept)
        file.write_text(text)
        assert back == topology and back.name == name


def test_equal_networks_are_one_key() -> None:
    assert Topology("hypercube:3") == Topology.hypercube(3)
    assert len({Topology("torus:3x3"), Topology("ring:3*ring:3"), Topology("kary:3^2")}) == 1
    assert Topology("ring:5") != Topology("path:5") and Topology("ring:5") != "ring:5"


def test_missing_links_and_nodes_are_left_out() -> None:
    cube = Topology.hypercube(3)
    lacking = cube.without(links=[(0, 1), "4-5"], nodes=[6])
    assert lacking == Topology("hypercube:3 without 0-1,4-5,6")
    assert lacking.without(nodes=[7]) == cube.without([(1, 0), (4, 5)], [7, 6])
    assert (len(lacking), lacking.members, lacking.ports(6)) == (8, 7, 0)
    assert lacking.port_between(0, 1) is None
    for links, nodes in (([(0, 3)], []), ([], [8]), ([(0, 1), (0, 2), (0, 4)], [])):
        with pytest.raises(dcube.InvalidArgument):
            cube.without(links, nodes)


def test_ports_by_dimension_and_direction() -> None:
    mesh = Topology("mesh:3x4")
    assert mesh.neighbours(5)[mesh.port_to(5, 0, 1)] == 9
    assert mesh.neighbours(5)[mesh.port_to(5, 1, -1)] == 4
    for wrong in ((0, 0, -1), (0, 2, 1), (0, 0, 2)):
        with pytest.raises(dcube.InvalidArgument):
            mesh.port_to(*wrong)


def test_facts_of_a_hypercube_are_right() -> None:
    cube = Topology.hypercube(3)
    assert (cube.name, cube.nodes, cube.members, cube.dim, cube.is_hypercube) == ("hypercube:3", 8, 8, 3, True)
    assert (cube.diameter, cube.directed_links, cube.average_distance) == (3, 24, Fraction(12, 7))
    assert (cube.bisection_width, cube.bisection_bounds, cube.girth) == (4, (4, 4), 4)
    assert (cube.edge_connectivity, cube.node_connectivity, Topology("path:4").girth) == (3, 3, None)
    star = Topology("star:5")
    assert star.bisection_width is None and star.bisection_bounds[0] < star.bisection_bounds[1]
    assert repr(cube) == "Topology('hypercube:3')" and cube.neighbours(5) == [4, 7, 1]
    assert Topology("torus:6x6").is_hypercube is False and Topology("torus:6x6").dim == 2
    with pytest.raises(AttributeError):
        cube.nodes = 9  # type: ignore[misc]


def test_hypercubes_that_there_are() -> None:
    for dim in (-1, 25, 10**10):
        with pytest.raises(dcube.InvalidArgument, match="0 to 24 are allowed"):
            Topology.hypercube(dim)


@pytest.mark.parametrize("edges", [[(0, 0)], [(0, 1), (1, 0)], [(0, 1), (2, 3)], []])
def test_edges_that_are_no_network(edges: list[tuple[int, int]]) -> None:
    with pytest.raises(dcube.InvalidArgument):
        Topology.from_edges(edges)


def test_a_number_is_not_a_name() -> None:
    with pytest.raises(TypeError, match="name is a str such as 'hypercube:3' or 'torus:4x4', not int"):
        Topology(3)  # type: ignore[arg-type]


@pytest.mark.parametrize("node", [2**64, -(2**70), 12, -1])
def test_nodes_of_any_size_that_are_not_there(node: int) -> None:
    torus = dcube.Topology("torus:3x4")
    with pytest.raises(IndexError, match=f"node {node} is not there: torus:3x4 has nodes 0 to 11"):
        torus.neighbours(node)
    with pytest.raises(IndexError):
        torus.distance(0, node)


@pytest.mark.parametrize(("call", "words"), [
    (lambda t: t.neighbours(1.0), "a node is an int, not float"),
    (lambda t: t.without((0, 1)), r"links are a list of pairs such as \[\(0, 1\)\]"),
    (lambda t: t.without("0-1"), "links are a list of pairs"),
    (lambda t: t.without(nodes=3), r"nodes are a list such as \[5\], not 3"),
    (lambda t: t.from_edges([(0, 1, 5)]), r"pairs of nodes such as \(0, 1\), not \(0, 1, 5\)"),
    (lambda t: t.from_edges(5), "edges are a list"),
])
def test_what_is_of_another_type(call: Callable[[dcube.Topology], object], words: str) -> None:
    with pytest.raises(TypeError, match=words):
        call(dcube.Topology("torus:3x4"))


@pytest.mark.parametrize("node", [-1, 2**70])
def test_edges_of_no_nodes(node: int) -> None:
    with pytest.raises(dcube.InvalidArgument, match=f"{node} is no node"):
        dcube.Topology.from_edges([(0, node)])
    with pytest.raises(dcube.InvalidArgument, match=f"{node} is no node"):
        dcube.Topology("ring:5").without(nodes=[node])


def test_numbers_on_the_edges_of_a_graph_are_not_lost() -> None:
    networkx = pytest.importorskip("networkx")
    graph = networkx.path_graph(4)
    plain = dcube.Topology.from_networkx(graph)
    networkx.set_edge_attributes(graph, {edge: {"label": "a", "weight": 2.5, "drawn": True} for edge in graph.edges})
    assert dcube.Topology.from_networkx(graph) == plain  # all links are alike
    for name, value in [("weight", 1), ("capacity", Fraction(1, 2)), ("latency", np.float32(1)),
                        ("length", np.int8(3))]:
        weighted = graph.copy()
        weighted.edges[1, 2][name] = value
        with pytest.raises(dcube.InvalidArgument, match=f"numbers '{name}', such as .*networkx.Graph.graph.edges"):
            dcube.Topology.from_networkx(weighted)
        with pytest.raises(dcube.InvalidArgument, match="links that differ have 'tau' and 'beta'"):
            dcube.run("broadcast", topology=weighted)
        assert dcube.Topology.from_networkx(networkx.Graph(weighted.edges())) == plain
    for name in ("tau", "beta"):
        timed = networkx.Graph(graph.edges())
        networkx.set_edge_attributes(timed, 1, name)
        with pytest.raises(dcube.InvalidArgument, match=f"edge .0, 1. has '{name}' and no "):
            dcube.Topology.from_networkx(timed)

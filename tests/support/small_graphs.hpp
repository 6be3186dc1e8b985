#pragma once
// Networks of four or five nodes.

#include <dcube/topology.hpp>

#include <utility>
#include <vector>

namespace test_support {

struct SmallGraph {
    const char* name;
    std::vector<std::pair<dcube::NodeId, dcube::NodeId>> edges;
};

// All kinds: with cut nodes and without, with ends and hubs, dense and sparse.
inline const std::vector<SmallGraph> small_graphs{{"path", {{0, 1}, {1, 2}, {2, 3}}},
                                                  {"hub", {{0, 1}, {0, 2}, {0, 3}}},
                                                  {"paw", {{0, 1}, {1, 2}, {2, 0}, {2, 3}}},
                                                  {"square", {{0, 1}, {1, 2}, {2, 3}, {3, 0}}},
                                                  {"diamond", {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}}},
                                                  {"house", {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 4}, {1, 4}}},
                                                  {"kite", {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {3, 4}}},
                                                  {"bull", {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 4}}},
                                                  {"two triangles", {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {4, 2}}},
                                                  {"two and three", {{0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}}}};

inline dcube::Topology topology_of(const SmallGraph& graph)
{
    return dcube::Topology::product({dcube::Graph::from_edges(graph.name, graph.edges)});
}

}  // namespace test_support

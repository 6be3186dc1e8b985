#pragma once
#include <dcube/layout.hpp>
#include <dcube/node.hpp>
#include <dcube/task.hpp>

#include <vector>

namespace dcube::detail {

// Total exchange by the local rules of Bertsekas et al. 1991, section 4, "Implementation". `tables` are the order
// tables.
Task local_rules(Node& me, const std::vector<std::vector<NodeId>>& tables, const Problem& problem, NodeData data);

}  // namespace dcube::detail

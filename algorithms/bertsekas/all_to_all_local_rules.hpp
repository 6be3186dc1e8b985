#pragma once
#include <dcube/layout.hpp>
#include <dcube/node.hpp>
#include <dcube/task.hpp>

#include <vector>

namespace dcube::detail {

// What every node runs; `tables` are the order tables (all_to_all.hpp).
Task local_rules(Node& me, const std::vector<std::vector<NodeId>>& tables, const Problem& problem, NodeData data);

}  // namespace dcube::detail

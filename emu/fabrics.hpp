#pragma once
// Networks whose nodes or links differ, as the words of --topology name them.

#include <dcube/graph.hpp>

namespace dcube {

Graph dgx_1();
Graph dgx_a100(unsigned hosts);
Graph fat_tree(unsigned ports);
Graph dragonfly(unsigned hosts, unsigned routers, unsigned global);

}  // namespace dcube

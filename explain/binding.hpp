#pragma once
// What binds: the links that an argument speaks of, and how they are called.

#include "collectives/bounds/argument.hpp"
#include "explain/proof.hpp"

#include <string>
#include <vector>

namespace dcube::explain {

/// The directed links that the packets have to cross; none where all links count, or none does.
std::vector<BindingLink> binding_links(const Topology& topology, const Argument& argument);

/// Of a cut: "dimension 3", "the middle of factor 1, ring:6", "the cut".
std::string cut_name(const Topology& topology, const NodeCut& cut);
/// From where to where: "from 0xxx to 1xxx", "from its nodes 0-2 to the others".
std::string cut_direction(const Topology& topology, const NodeCut& cut);

/// Of those inside: "nodes 0-2, 5".
std::string nodes_text(const NodeCut& cut);

/// "{n} of {total} have crossed dimension 3", with both left as they are; empty where nothing can be counted on links.
/// `what` stands before "have": "bytes ".
std::string tally_words(const Topology& topology, const Argument& argument, const std::string& what);

}  // namespace dcube::explain

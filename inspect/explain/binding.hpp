#pragma once
// The binding links: those of an argument, their names, and the packets that have to cross them.

#include "collectives/bounds/argument.hpp"
#include "inspect/explain/proof.hpp"

#include <string>
#include <vector>

namespace dcube::explain {

/// The directed links that the packets have to cross; none where all links count, or none does.
std::vector<BindingLink> binding_links(const Topology& topology, const Argument& argument);

/// The argument's packets and their targets: "Packets for the 15 other nodes, which must leave node 0". `packets` is
/// "Packets" or, on links that take time, "Bytes".
std::string subject(const Topology& topology, PortModel ports, const Argument& argument, const Problem& problem,
                    const std::string& packets);

/// "{n} of {total} have crossed dimension 3", with both left as they are; empty where nothing can be counted on links.
/// `what` stands before "have": "bytes ".
std::string tally_words(const Topology& topology, const Argument& argument, const std::string& what);

}  // namespace dcube::explain

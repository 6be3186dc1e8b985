#pragma once
// The binding links: those of an argument, their names, and the packets that have to cross them.

#include "collectives/bounds/argument.hpp"
#include "inspect/explain/proof.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace dcube::explain {

/// The directed links that the packets have to cross; none where all links count, or none does.
std::vector<BindingLink> binding_links(const Topology& topology, const Argument& argument);

/// The unit of a proof's arithmetic: bytes on links that take time.
enum class Counted : std::uint8_t { packets, bytes };

/// The argument's packets and where they have to go: "Packets for the 15 other nodes, which must leave node 0".
std::string subject(const Topology& topology, PortModel ports, const Argument& argument, const Problem& problem,
                    Counted unit);

/// "{n} of {total} have crossed dimension 3", or "{n} of {total} bytes have ..", with both left as they are; empty
/// where nothing can be counted on links.
std::string tally_words(const Topology& topology, const Argument& argument, Counted unit);

}  // namespace dcube::explain

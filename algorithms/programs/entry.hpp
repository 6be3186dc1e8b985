#pragma once
// What the catalogue's entries for link-bound machines have in common.

#include "algorithms/families.hpp"
#include "algorithms/programs/link_costs.hpp"
#include "algorithms/programs/routing.hpp"
#include "algorithms/programs/stream.hpp"

#include <dcube/catalogue.hpp>

namespace dcube::detail {

// A closed form in ns, as the catalogue wants it.
std::function<std::optional<Rational>(const Topology&, const Problem&)>
in_ns(std::function<Exact(const Topology&, const Problem&)> time);

// Completes an entry (collective, name, aliases, paper, summary, time, perhaps obstacle) by what a routing or a stream
// tells: its program, its counts and its storage.
Algorithm routed(Algorithm head, std::function<Routing(const Topology&, const Problem&)> route);
Algorithm streamed(Algorithm head, std::function<Stream(const Topology&, const Problem&)> stream);

std::vector<Algorithm> link_broadcast_family();  // broadcast and reduce
std::vector<Algorithm> one_to_one_family();      // send and exchange
std::vector<Algorithm> link_scatter_family();    // scatter and gather
std::vector<Algorithm> complete_family();        // all-gather, all-to-all, permute, reduce-scatter, all-reduce
std::vector<Algorithm> matrix_family();
std::vector<Algorithm> routed_matrix_family();  // on any network, for the unit model

}  // namespace dcube::detail

#pragma once
// Proofs: why no algorithm needs less than the lower bound that binds, with its arithmetic line by line.

#include "inspect/explain/picture.hpp"

#include <dcube/link.hpp>
#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dcube::explain {

/// Words left, number right: "Links that lead across", "8".
struct ProofLine {
    /// The subject of the words: nodes between which packets go, or the links that bind.
    enum class About : std::uint8_t { nothing, nodes, links };

    std::string words;
    std::string number;
    About about = About::nothing;
};

/// The directed link that leaves `node` by `port`.
struct BindingLink {
    NodeId node;
    Port port;

    friend bool operator==(const BindingLink&, const BindingLink&) = default;
};

/// The progress of a run: "{n} of {total} have crossed dimension 3", where n counts the packets (in time proofs: the
/// bytes) that the binding links have carried so far; all links, if none is named. There is no tally for sums that have
/// to arrive somewhere: some arriving sums are only a part of them.
struct Tally {
    std::string words;
    std::uint64_t total;
};

struct Proof {
    std::string title;   ///< "Why no algorithm needs fewer than 8 steps"
    std::string name;    ///< of the bound: "cut", "L5"
    std::string reason;  ///< the bound's own sentence
    Rational value;      ///< steps or ns; equal to steps_bound() or time_bound()
    std::vector<ProofLine> lines;
    std::vector<BindingLink> links;  ///< the links that bind; empty if all links do, or none does
    std::optional<Tally> tally;
    double packets = 0;  ///< that must pass, or hops, prices, bytes: what the picture's places have to carry
    std::optional<Picture> picture;  ///< none where nothing has to move
};

/// The proof in the unit-time model. Throws what steps_bound() does.
Proof steps_proof(const Topology& topology, PortModel ports, const Problem& problem);
/// The proof on links that take time, problem.link. Throws what time_bound() does.
Proof time_proof(const Topology& topology, const Problem& problem);

/// The proofs for a total exchange of one packet for each pair of nodes, whichever binds: L1 to L7, and prices. Among
/// the largest, the first is the one that says most. They lack links and tally, because large networks have many links.
std::vector<Proof> exchange_proofs(const Topology& topology, PortModel ports);
/// Likewise the proofs for other collectives that take a search (cut nodes, flows, prices).
std::vector<Proof> searched_proofs(const Topology& topology, PortModel ports, const Problem& problem);

}  // namespace dcube::explain

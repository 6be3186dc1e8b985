#pragma once
// PortPairs: which nodes send and which receive in a step on one port.

#include "graphs/arcs.hpp"

#include <cstdint>
#include <vector>

namespace dcube::detail {

// A matching of senders with receivers over the arcs that can be used. It is made in the order in which nodes ask for
// a partner: augmenting paths change partners, and never leave a node without one that had one.
class PortPairs {
public:
    static constexpr ArcId no_arc = ~ArcId{0};

    // usable: by arc. in_order: where a node's arcs have their numbers, those of them to be tried first come first.
    PortPairs(const Arcs& arcs, std::vector<std::uint8_t> usable, std::vector<ArcId> in_order);

    void pair_sender(NodeId sender);
    void pair_receiver(NodeId receiver);

    // One from every sender that has a partner.
    [[nodiscard]] std::vector<ArcId> chosen() const;

private:
    void finish(std::vector<bool>& closed, bool found);
    void take(ArcId arc);
    bool augment_sender(NodeId sender);
    bool augment_receiver(NodeId receiver);

    const Arcs& arcs_;
    std::vector<std::uint8_t> usable_;
    std::vector<ArcId> in_order_;
    std::vector<ArcId> sends_;  // by node
    std::vector<ArcId> receives_;
    // Nodes that a search has seen in vain are closed for good: nobody's partner there can ever change for a free one.
    std::vector<bool> closed_senders_;
    std::vector<bool> closed_receivers_;
    std::vector<NodeId> seen_;  // by one search
};

}  // namespace dcube::detail

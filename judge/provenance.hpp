#pragma once
// Provenance: whether all that nodes hold in the end can have come to them over links. Programs of one's own may share
// memory between nodes behind the machine's back, and then hold the right bytes without a packet.

#include "judge/held_bytes.hpp"
#include "judge/trace_messages.hpp"

#include <dcube/trace.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dcube {

/// Follows the packets of a run. What a packet's pieces name arrives; a packet without pieces has bytes that its sender
/// has computed, and may bring anything that the sender has. Sums too may be computed by hand, so of them it is only
/// asked whether there is a path from every contributor. So no honest run is doubted.
class Provenance {
public:
    Provenance(const Problem& problem, const Topology& topology);

    /// In the order of a trace.
    void add(const Transmission& one);

    /// Something that a node holds and cannot have received.
    struct Gap {
        NodeId node;
        std::optional<NodeId> origin;
        std::string message;  ///< "node 3 never received byte 0 of the message from node 0"
    };
    /// After the last transmission: the first gap; none: all can have come over links, or the run is too large to be
    /// followed, or one of groups, or a barrier, whose nodes hold nothing (heard.hpp). Nodes for which `excused`
    /// returns true hold nothing.
    [[nodiscard]] std::optional<Gap> gap(const std::function<bool(NodeId)>& excused);

private:
    struct Arrived {
        std::uint64_t key;
        ByteRange stretch;
    };

    void end_step();
    void bring_pieces(const Transmission& one);
    void bring_anything(const Transmission& one);
    void bring_shares(const Transmission& one);
    [[nodiscard]] bool may_have(NodeId node, std::uint64_t message) const;
    [[nodiscard]] std::optional<Gap> gap_of(NodeId node, std::uint64_t message) const;
    [[nodiscard]] std::optional<Gap> gap_of_sums(const std::function<bool(NodeId)>& excused) const;
    [[nodiscard]] std::vector<bool>& at(std::vector<std::vector<bool>>& of, NodeId node) const;

    Problem problem_;
    Topology topology_;
    bool sums_;
    TraceMessages messages_;
    bool followed_;                // it is small enough
    std::uint64_t looked_at_ = 0;  // packets of messages, for bytes that were computed
    Step step_ = 0;
    HeldBytes held_;
    std::vector<Arrived> arrived_;             // in this step
    std::vector<std::vector<bool>> anything_;  // by node: the messages of which it may have any byte, computed or not
    std::vector<std::pair<NodeId, std::vector<bool>>> arriving_;  // in this step: to add to those
};

}  // namespace dcube

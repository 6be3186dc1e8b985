#pragma once
// The complete exchange in its rotated form (Stout & Wagar 1990, section 6), compiled once for all nodes: what a node
// sends in a stage lies in few extents, so a packet of thousands of pieces costs little more than its bytes.

#include "algorithms/programs/cut.hpp"

#include <dcube/layout.hpp>
#include <dcube/node.hpp>
#include <dcube/task.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dcube::detail {

// Rotation i corrects address bits i, i + 1, .. cyclically; stage k of it uses link i + k. Its data for relative
// address D are named by D' = D rotated right by i, so that stage k corrects bit k of D'. Messages are dealt out: of d
// addresses that rotate into each other every rotation gets one whole, the one whose name is the smallest of them. Only
// where fewer than d do, because their bits are periodic, each is cut in as many parts as the rotations it belongs to.
//
// A node keeps the parts of a rotation in segments: (s, k) holds the parts that arrived in stage s (-1: the node's own)
// and leave in stage k (d: have arrived). So a packet is the segments (-1, k), (0, k), .., (k - 1, k). Within a segment
// parts are ordered by the bits of D' above k, then by those below: parts that arrive in one segment go to its next
// ones in long runs.
//
// Short parts are gathered from the input first and scattered to the output at last, message by message, so that every
// cache line of those is touched once. Long ones are sent from the input and delivered to the output directly.
Stretch dealt_part(std::size_t message, unsigned d, unsigned i, NodeId relative);

class AllToAllPlan {
public:
    AllToAllPlan(unsigned d, std::size_t message);

    // Bytes of the node's storage, or of the message from or to relative address `message` if that is not 0; but see
    // begins().
    struct Extent {
        std::size_t offset;
        std::size_t length;
        NodeId message;
    };
    struct Segment {
        Extent extent;      // its length is 0 if its parts are in the input
        unsigned arrived;   // s + 1
        std::size_t first;  // the first of the parts in the input, and of the runs in which it arrives at the neighbour
        std::size_t end;
        bool in_input;
        std::uint8_t word;  // the runs have word to 2 word bytes each; 0: of any length
    };

    [[nodiscard]] unsigned dimension() const { return d_; }
    [[nodiscard]] std::size_t message() const { return message_; }
    [[nodiscard]] std::size_t storage() const { return storage_; }
    [[nodiscard]] bool direct() const { return direct_; }
    // The word that suits whole messages, as in segments.
    [[nodiscard]] std::uint8_t message_word() const;
    // The most parts of a packet.
    [[nodiscard]] std::size_t most_parts() const { return most_parts_; }
    // The packet of rotation i in stage k; segments without bytes are left out.
    [[nodiscard]] std::span<const Segment> packet(unsigned rotation, unsigned stage) const
    {
        return packets_[rotation * d_ + stage];
    }
    [[nodiscard]] std::span<const Extent> runs(const Segment& segment) const
    {
        return std::span(runs_).subspan(segment.first, segment.end - segment.first);
    }
    [[nodiscard]] std::span<const Extent> in_input(const Segment& segment) const
    {
        return std::span(own_).subspan(segment.first, segment.end - segment.first);
    }
    // Not direct: the places in storage where the parts for relative address `message` begin, and where those from
    // there end; those of whole messages, and those of parts, in the order of the parts.
    struct Ends {
        std::vector<Extent> of_messages;
        std::vector<Extent> of_parts;
    };
    [[nodiscard]] const Ends& begins() const { return begins_; }
    [[nodiscard]] const Ends& ends() const { return ends_; }

private:
    class Writer;

    unsigned d_;
    std::size_t message_;
    bool direct_;
    std::size_t storage_ = 0;
    std::size_t most_parts_ = 0;
    std::vector<std::vector<Segment>> packets_;
    std::vector<Extent> runs_;
    std::vector<Extent> own_;  // direct: what each of the first runs is on the sender's side
    Ends begins_;
    Ends ends_;
};

Task run_all_to_all_plan(Node& me, const AllToAllPlan& plan, NodeData data);

}  // namespace dcube::detail

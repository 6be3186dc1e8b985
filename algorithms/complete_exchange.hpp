#pragma once
// The complete exchange in its rotated form (Stout & Wagar 1990, section 5), compiled once for all nodes: what a node
// sends in a stage lies in few stretches, so a packet of thousands of pieces costs little more than its bytes.

#include <dcube/collective.hpp>
#include <dcube/node.hpp>
#include <dcube/task.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace dcube::detail {

// Rotation i carries part i of every message and corrects address bits i, i + 1, .. cyclically; stage k of it uses link
// i + k. The part for relative address D is named by D' = D rotated right by i, so that stage k corrects bit k of D'.
//
// A node keeps the parts of a rotation in segments: (s, k) holds what arrived in stage s (-1: the node's own) and leaves
// in stage k (d: has arrived). So a packet is the segments (-1, k), (0, k), .., (k - 1, k). Within a segment parts are
// ordered by the bits of D' above k, then by those below: what arrives in one segment goes to its next ones in long runs.
class ExchangePlan {
public:
    ExchangePlan(unsigned d, std::size_t message);

    struct Stretch {  // of the node's storage
        std::size_t offset;
        std::size_t length;
    };
    struct Segment {
        Stretch stretch;
        unsigned arrived;         // s + 1
        std::size_t first_run;    // where its parts go when they arrive at the neighbour
        std::size_t end_run;
    };

    [[nodiscard]] unsigned dimension() const { return d_; }
    [[nodiscard]] std::size_t message() const { return message_; }
    [[nodiscard]] std::size_t storage() const { return storage_; }
    // The packet of rotation i in stage k; segments without bytes are left out.
    [[nodiscard]] std::span<const Segment> packet(unsigned rotation, unsigned stage) const
    {
        return packets_[rotation * d_ + stage];
    }
    [[nodiscard]] std::span<const Stretch> runs(const Segment& segment) const
    {
        return std::span(runs_).subspan(segment.first_run, segment.end_run - segment.first_run);
    }
    // Where the parts of the message to relative address D = 1, 2, .. begin their way, and where they end: d stretches
    // for each, in the order of the parts.
    [[nodiscard]] std::span<const Stretch> begins() const { return begins_; }
    [[nodiscard]] std::span<const Stretch> ends() const { return ends_; }

private:
    unsigned d_;
    std::size_t message_;
    std::size_t storage_ = 0;
    std::vector<std::vector<Segment>> packets_;
    std::vector<Stretch> runs_;
    std::vector<Stretch> begins_;
    std::vector<Stretch> ends_;
};

Task exchange_completely(Node& me, const ExchangePlan& plan, NodeData data);

}  // namespace dcube::detail

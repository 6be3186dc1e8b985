// Broadcast and reduce of many packets on one port. m packets, N = 2^d nodes; dcube's, beyond the papers.
//
//   pipelined   one port   m+d-1 steps   m(N-1) transmissions   both optimal
//   pipelined   backwards: a packet becomes a partial sum that is handed over once
//
// Idea: packet b leaves the root in step b + 1, doubles its holders in every step among the nodes with bit b mod d, and
// comes to the others d steps later. Bertsekas et al. 1991, section 1, define the problem and leave it to others.
//
// Planning: none. A node's pipeline is a few words per port; inner nodes of a reduction hold m packets.

#include "algorithms/beyond/cubes/one_port.hpp"

#include "algorithms/programs/cube.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

namespace dcube::detail {

namespace {

// In step t + 1 everything happens on port k = t mod d. A node v != 0 with bit k hears packet t - d + a, for the
// smallest a in 1 .. d-1 with bit k + a (mod d) of v, or packet t if there is none; one without bit k hears packet
// t - d. The last packet also takes the slots of those that do not exist. So there are m + d - 1 steps, and every node
// hears every packet once.
class OnePortPipeline final : public Pipeline {
public:
    OnePortPipeline(unsigned d, NodeId label, std::uint32_t packets) : d_(d), label_(label), packets_(packets) {}

    [[nodiscard]] std::optional<std::uint32_t> arrival(Port port, Step step) const override
    {
        return heard_by(label_, port, step - 1);
    }
    [[nodiscard]] std::optional<std::uint32_t> departure(Port port, Step step) const override
    {
        return heard_by(label_ ^ bit(port), port, step - 1);
    }

private:
    [[nodiscard]] std::optional<std::uint32_t> heard_by(NodeId node, Port port, Step t) const
    {
        const Port k = t % d_;
        if (port != k || node == 0)
            return std::nullopt;
        const auto before = static_cast<std::int64_t>(t) - d_;
        if (!has_bit(node, k)) {
            if (before < 0 || before >= static_cast<std::int64_t>(packets_) - 1)
                return std::nullopt;
            return static_cast<std::uint32_t>(before);
        }
        std::int64_t packet = t;
        for (unsigned a = 1; a < d_; ++a) {
            if (has_bit(node, (k + a) % d_)) {
                packet = before + a;
                break;
            }
        }
        if (packet < 0)
            return std::nullopt;
        return static_cast<std::uint32_t>(std::min<std::int64_t>(packet, packets_ - 1));
    }

    unsigned d_;
    NodeId label_;
    std::uint32_t packets_;
};

}  // namespace

std::unique_ptr<Pipeline> one_port_pipeline(unsigned d, NodeId label, std::uint32_t packets)
{
    return std::make_unique<OnePortPipeline>(d, label, packets);
}

}  // namespace dcube::detail

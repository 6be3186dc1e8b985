// A step of a spread on all ports: receiver by receiver, in random order. Each is given as many packets as its links
// can bring, the wanted ones first: a packet takes a free link from a node that has it, or moves others to other links
// (augmenting paths in the graph of packets and links).

#include "algorithms/any_network/spread_try.hpp"

#include <algorithm>
#include <functional>

namespace dcube::detail {

namespace {

class ReceiverLinks {
public:
    ReceiverLinks(SpreadTry& attempt, NodeId receiver)
        : attempt_(attempt), receiver_(receiver), arcs_(attempt.state.arcs().in(receiver)),
          packets_(arcs_.size(), SpreadState::no_packet), closed_(arcs_.size())
    {
        for (const ArcId arc : arcs_)
            open_ += attempt.state.surplus(arc) > 0 ? 1 : 0;
    }

    void fill()
    {
        find_candidates();
        while (open_ > 0) {
            const std::uint32_t packet = attempt_.choose(candidates_, receiver_);
            if (packet == SpreadState::no_packet)
                return;
            if (place(packet)) {
                attempt_.state.plan(packet);
                --open_;
            } else {
                find_candidates();  // without those that closed links alone could bring
            }
            drop(packet);
        }
    }

    void tell(Step step, std::vector<SpreadMove>& moves) const
    {
        for (std::size_t link = 0; link < arcs_.size(); ++link)
            if (packets_[link] != SpreadState::no_packet)
                moves.push_back({step, arcs_[link], packets_[link]});
    }

private:
    [[nodiscard]] PacketBits at_sender(std::size_t link) const
    {
        return attempt_.state.held(attempt_.state.arcs().from(arcs_[link]));
    }

    void find_candidates()
    {
        candidates_.assign(attempt_.state.words(), 0);
        for (std::size_t link = 0; link < arcs_.size(); ++link)
            if (!closed_[link])
                std::ranges::transform(candidates_, at_sender(link), candidates_.begin(), std::bit_or());
        std::ranges::transform(candidates_, attempt_.state.held(receiver_), candidates_.begin(),
                               [](std::uint64_t there, std::uint64_t here) { return there & ~here; });
        for (const std::uint32_t packet : packets_)
            if (packet != SpreadState::no_packet)
                drop(packet);
    }

    void drop(std::uint32_t packet) { candidates_[packet / 64] &= ~(std::uint64_t{1} << packet % 64); }

    // A search that fails closes the links it has seen for good: none of them can ever be freed.
    bool place(std::uint32_t packet)
    {
        seen_.clear();
        if (!augment(packet))
            return false;
        for (const std::size_t link : seen_)
            closed_[link] = false;
        return true;
    }

    bool augment(std::uint32_t packet)
    {
        for (std::size_t link = 0; link < arcs_.size(); ++link)
            if (packets_[link] == SpreadState::no_packet && has_packet(at_sender(link), packet)) {
                packets_[link] = packet;
                return true;
            }
        for (std::size_t link = 0; link < arcs_.size(); ++link) {
            if (closed_[link] || !has_packet(at_sender(link), packet))
                continue;
            closed_[link] = true;
            seen_.push_back(link);
            if (augment(packets_[link])) {
                packets_[link] = packet;
                return true;
            }
        }
        return false;
    }

    SpreadTry& attempt_;
    NodeId receiver_;
    std::span<const ArcId> arcs_;
    std::vector<std::uint32_t> packets_;  // by link
    std::vector<bool> closed_;            // by link
    std::vector<std::size_t> seen_;       // links, by one search
    std::size_t open_ = 0;                // links that could bring something and do not yet
    std::vector<std::uint64_t> candidates_;
};

}  // namespace

void plan_on_all_ports(SpreadTry& attempt, Step step, std::vector<SpreadMove>& moves)
{
    std::vector<NodeId> receivers;
    for (const NodeId node : attempt.state.arcs().members())
        if (attempt.state.missing(node) > 0)
            receivers.push_back(node);
    shuffle(std::span(receivers), attempt.random);
    for (const NodeId receiver : receivers) {
        attempt.tell();
        ReceiverLinks links(attempt, receiver);
        links.fill();
        links.tell(step, moves);
    }
}

}  // namespace dcube::detail

// A step of a spread on all ports: receiver by receiver, in random order. Each is given as many packets as its links
// can bring, the wanted ones first: a packet takes a free link from a node that has it, or moves others to other links
// (PortMatching, with the receiver's links as ports).

#include "algorithms/beyond/any_network/spread_try.hpp"
#include "collectives/graphs/port_matching.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>

namespace dcube::detail {

namespace {

// One receiver after the other.
class ReceiverLinks {
public:
    explicit ReceiverLinks(SpreadTry& attempt) : attempt_(attempt) {}

    void fill(NodeId receiver)
    {
        receiver_ = receiver;
        arcs_ = attempt_.state.arcs().in(receiver);
        links_.reset(static_cast<Port>(arcs_.size()));
        packets_.clear();
        open_ = 0;
        for (const ArcId arc : arcs_)
            open_ += attempt_.state.surplus(arc) > 0 ? 1 : 0;
        find_candidates();
        while (open_ > 0) {
            const std::uint32_t packet = attempt_.choose(candidates_, receiver_);
            if (packet == SpreadState::no_packet)
                return;
            if (place(packet)) {
                attempt_.state.plan(packet);
                packets_.push_back(packet);
                --open_;
            } else {
                find_candidates();  // without those that closed links alone could bring
            }
            drop(packet);
        }
    }

    void tell(Step step, std::vector<TimedMove>& moves) const
    {
        const std::size_t first = moves.size();
        for (std::size_t i = 0; i < packets_.size(); ++i)
            moves.push_back({step, arcs_[links_.port_of(i)], packets_[i]});
        std::ranges::sort(moves.begin() + static_cast<std::ptrdiff_t>(first), moves.end(), {},
                          [&](const TimedMove& move) { return attempt_.state.arcs().opposite(move.arc); });
    }

private:
    [[nodiscard]] PacketBits at_sender(std::size_t link) const
    {
        return attempt_.state.held(attempt_.state.arcs().from(arcs_[link]));
    }

    void find_candidates()
    {
        candidates_.assign(attempt_.state.words(), 0);
        for (Port link = 0; link < arcs_.size(); ++link)
            if (!links_.closed(link))
                std::ranges::transform(candidates_, at_sender(link), candidates_.begin(), std::bit_or());
        std::ranges::transform(candidates_, attempt_.state.held(receiver_), candidates_.begin(),
                               [](std::uint64_t there, std::uint64_t here) { return there & ~here; });
        for (const std::uint32_t packet : packets_)
            drop(packet);
    }

    void drop(std::uint32_t packet) { candidates_[packet / 64] &= ~(std::uint64_t{1} << packet % 64); }

    bool place(std::uint32_t packet)
    {
        wanted_.clear();
        for (Port link = 0; link < arcs_.size(); ++link)
            if (has_packet(at_sender(link), packet))
                wanted_.push_back(link);
        return links_.add(wanted_);
    }

    SpreadTry& attempt_;
    NodeId receiver_ = 0;
    std::span<const ArcId> arcs_{};
    PortMatching links_;
    std::vector<std::uint32_t> packets_;  // the matched ones, in the order of their adding
    std::vector<Port> wanted_;            // links that could bring the packet in question
    std::size_t open_ = 0;                // links that could bring something and do not yet
    std::vector<std::uint64_t> candidates_;
};

}  // namespace

void plan_on_all_ports(SpreadTry& attempt, Step step, std::vector<TimedMove>& moves)
{
    std::vector<NodeId> receivers;
    for (const NodeId node : attempt.state.arcs().members())
        if (attempt.state.missing(node) > 0)
            receivers.push_back(node);
    attempt.random.shuffle(receivers);
    ReceiverLinks links(attempt);
    for (const NodeId receiver : receivers) {
        attempt.tell();
        links.fill(receiver);
        links.tell(step, moves);
    }
}

}  // namespace dcube::detail

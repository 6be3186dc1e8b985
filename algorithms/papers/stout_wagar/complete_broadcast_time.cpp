// The time of COMPLETE BROADCAST, forwards or backwards, for messages of any size: exactly, in O(d^2 N).
//
// Part i of all messages moves in a rotation of its own: in stage k, forwards, node n sends part i of the messages of n
// ^ rot(x, i), x < 2^k, over dimension i + k. All that came in the rotation before is in the packet: forwards it is
// passed on, backwards something is added to all that still leaves. So a packet is usable when the rotation's earlier
// packets are, and of its bytes the walk needs the number only.

#include "algorithms/papers/stout_wagar/all_gather.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/cut.hpp"
#include "algorithms/programs/walked_time.hpp"
#include "base/planning.hpp"

#include <algorithm>
#include <vector>

namespace dcube::detail {

namespace {

class RotationsWalk {
public:
    RotationsWalk(unsigned d, const Problem& problem, std::size_t unit)
        : d_(d), nodes_(bit(d)), units_(message_bytes(problem) / unit), unit_(unit),
          links_(problem.link, std::size_t{nodes_} * d), usable_(std::size_t{nodes_} * d), end_(std::size_t{nodes_} * d)
    {
        count_longer();
    }

    Rational operator()(Direction direction)
    {
        for (unsigned stage = 0; stage < d_; ++stage) {
            planning("virtual time", static_cast<double>(stage) / d_);
            const unsigned k = direction == Direction::forwards ? stage : d_ - 1 - stage;
            for (unsigned i = 0; i < d_; ++i)
                send(i, k, direction);
            links_.end_step();
            for (unsigned i = 0; i < d_; ++i)
                receive(i, bit((i + k) % d_));
        }
        return links_.finish_in_ns();
    }

private:
    [[nodiscard]] std::size_t place(unsigned i, NodeId node) const { return std::size_t{i} * nodes_ + node; }

    // The number of parts i in a packet of stage k that are a unit longer than the others.
    [[nodiscard]] std::uint32_t& longer(unsigned i, unsigned k, NodeId node)
    {
        return longer_[(std::size_t{k} * d_ + i) * nodes_ + node];
    }

    void count_longer()
    {
        longer_.resize(std::size_t{d_} * d_ * nodes_);
        for (NodeId node = 0; node < nodes_; ++node) {
            const std::size_t first = doubling_stagger(node, d_);
            for (unsigned i = 0; i < d_; ++i)
                longer(i, 0, node) = staggered_part(units_, d_, i, first).length > units_ / d_ ? 1 : 0;
        }
        for (unsigned k = 1; k < d_; ++k)
            for (unsigned i = 0; i < d_; ++i)
                for (NodeId node = 0; node < nodes_; ++node)
                    longer(i, k, node) = longer(i, k - 1, node) + longer(i, k - 1, node ^ bit((i + k - 1) % d_));
    }

    void send(unsigned i, unsigned k, Direction direction)
    {
        const Port port = (i + k) % d_;
        for (NodeId node = 0; node < nodes_; ++node) {
            const NodeId forwards = direction == Direction::forwards ? node : node ^ bit(port);
            const std::size_t bytes = (units_ / d_ * bit(k) + longer(i, k, forwards)) * unit_;
            end_[place(i, node)] =
                bytes == 0 ? 0 : links_.depart(std::size_t{node} * d_ + port, bytes, usable_[place(i, node)]);
        }
    }

    void receive(unsigned i, NodeId across)
    {
        for (NodeId node = 0; node < nodes_; ++node)
            usable_[place(i, node)] = std::max(usable_[place(i, node)], end_[place(i, node ^ across)]);
    }

    unsigned d_;
    NodeId nodes_;
    std::size_t units_;
    std::size_t unit_;
    WalkedLinks links_;
    std::vector<std::uint32_t> longer_;
    std::vector<Time> usable_;  // by rotation and node
    std::vector<Time> end_;     // its packet's in this stage, 0 if there is none
};

}  // namespace

std::optional<Rational> walked_complete_broadcast(const Topology& topology, const Problem& problem, std::size_t unit,
                                                  Direction direction)
{
    const unsigned d = topology.dimension();
    if (std::uint64_t{d} * d * topology.nodes() > 4 * most_walked)
        return std::nullopt;
    return RotationsWalk(d, problem, unit)(direction);
}

}  // namespace dcube::detail

// local-rules: the total exchange of all_to_all.cpp without a global table. A node knows its own order tables and what
// the headers of arriving packets say (Bertsekas et al. 1991, section 4, "Implementation").
//
// On port k a node first sends its own packets in the order of T_k, in steps 1..2^k, and then forwards from the port's
// queue, one packet a step without a pause. What arrives on port k for another node differs from this one only in bits
// below k; it joins the queue of the highest of them. A queue is ordered by the packets' origins relative to the node,
// then by arrival. These are the hops of the table: m 2^(d-1) steps, every link busy in every step.
//
// Planning: the order tables, O(d N) time and 4 N bytes; a node's queues hold all_to_all_slots() packets at most.

#include "algorithms/bertsekas/all_to_all_local_rules.hpp"

#include "algorithms/bertsekas/all_to_all.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/own_block.hpp"
#include <dcube/arrival_times.hpp>

#include <bit>
#include <deque>
#include <queue>

namespace dcube::detail {

namespace {

struct Waiting {
    NodeId origin;  // relative to this node
    std::uint64_t arrival;
    std::size_t slot;
    std::uint64_t header;

    friend bool operator>(const Waiting& a, const Waiting& b)
    {
        return std::pair(a.origin, a.arrival) > std::pair(b.origin, b.arrival);
    }
};

constexpr std::uint64_t header_of(NodeId origin, NodeId destination)
{
    return std::uint64_t{origin} << 32 | destination;
}
constexpr NodeId origin_of(std::uint64_t header)
{
    return static_cast<NodeId>(header >> 32);
}
constexpr NodeId destination_of(std::uint64_t header)
{
    return static_cast<NodeId>(header);
}

// One node's queues, one a port, and the storage of what waits in them.
class PortQueues {
public:
    PortQueues(Node& me, std::size_t bytes) : me_(me), bytes_(bytes), queues_(me.ports()), arrived_(me)
    {
        const std::size_t slots = all_to_all_slots(me.ports());
        storage_ = me.allocate(slots * bytes);
        for (std::size_t slot = slots; slot-- > 0;)
            free_.push_back(slot);
    }

    // Takes what arrived on `port`: for this node to `output`, for another one to a slot and a queue.
    void receive(Port port, std::span<std::byte> output, const Problem& problem, std::size_t copy)
    {
        const std::uint64_t header = me_.peek(port).header;
        const NodeId origin = origin_of(header);
        const NodeId difference = destination_of(header) ^ me_.id();
        if (difference == 0) {
            me_.receive(port, output.subspan((origin * problem.packets + copy) * bytes_, bytes_));
            return;
        }
        const std::size_t slot = take_slot();
        arrived_.set(me_.receive(port, storage_.subspan(slot * bytes_, bytes_)));
        const auto queue = static_cast<Port>(std::bit_width(difference) - 1);
        queues_[queue].push({origin ^ me_.id(), arrivals_++, slot, header});
    }

    void forward(Port port)
    {
        if (queues_[port].empty())
            return;
        const Waiting next = queues_[port].top();
        queues_[port].pop();
        const std::span<const std::byte> packet = storage_.subspan(next.slot * bytes_, bytes_);
        me_.send(port, packet, next.header, arrived_.of(packet));
        resting_.push_back({me_.step() + 2, next.slot});  // it is read in the next step, and may be written after that
    }

private:
    struct Resting {
        Step free_from;
        std::size_t slot;
    };

    std::size_t take_slot()
    {
        while (!resting_.empty() && resting_.front().free_from <= me_.step()) {
            free_.push_back(resting_.front().slot);
            resting_.pop_front();
        }
        const std::size_t slot = free_.back();
        free_.pop_back();
        return slot;
    }

    Node& me_;
    std::size_t bytes_;
    std::vector<std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>>> queues_;
    std::uint64_t arrivals_ = 0;
    std::span<std::byte> storage_;
    ArrivalTimes arrived_;
    std::vector<std::size_t> free_;
    std::deque<Resting> resting_;
};

}  // namespace

Task local_rules(Node& me, const std::vector<std::vector<NodeId>>& tables, const Problem& problem, NodeData data)
{
    PortQueues queues(me, problem.bytes);
    const Usable begun = me.usable_now();
    copy_own_block(me, problem, data);
    const Step steps = me.topology().nodes() / 2;
    for (std::size_t copy = 0; copy < problem.packets; ++copy) {
        for (Step t = 1; t <= steps; ++t) {
            for (Port k = 0; k < me.ports(); ++k) {
                if (t <= bit(k)) {
                    const NodeId destination = tables[k][t - 1] ^ me.id();
                    const std::size_t at = (destination * problem.packets + copy) * problem.bytes;
                    me.send(k, data.input.subspan(at, problem.bytes), header_of(me.id(), destination), begun);
                } else {
                    queues.forward(k);
                }
            }
            co_await me.next_step();
            for (Port k = 0; k < me.ports(); ++k)
                queues.receive(k, data.output, problem, copy);
        }
    }
}

}  // namespace dcube::detail

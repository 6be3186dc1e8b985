// All-to-all: every node has a different message for every other node. m packets per message, N = 2^d nodes.
//
//   optimal       all ports   m 2^(d-1) steps   m d 2^(2d-1) transmissions   both optimal
//   local-rules   all ports   the same hops, found by every node for itself
//
// Idea of optimal (Bertsekas et al. 1991, section 4, total exchange): a (d+1)-cube is two d-cubes. Exchange inside
// both; meanwhile hand over, on port d, everything for the other half, in the order in which it will be sent on; then
// exchange inside both halves what came over. Solved for a node, the recursion is a table: in step t port k carries the
// packet of origin S = ((t-1) >> k) << (k+1) for destination T_k[(t-1) mod 2^k], both relative to the sender.
//   T_0 = 1; T_k = the rows of T_0, T_1, .., T_(k-1) read side by side, row by row, with bit k set; then 2^k itself.
//   T_1 = 11, 10      T_2 = 101, 111, 110, 100      T_3 = 1001, 1011, 1101, 1010, 1111, 1110, 1100, 1000
// The closed form is dcube's.
//
// Planning: O(d N) time for the tables, d 2^(d-1) planned hops (plan_bytes); all_to_all_slots() blocks in transit a
// node.

#include "algorithms/papers/bertsekas/all_to_all.hpp"

#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/own_block.hpp"
#include "emu/arrival_times.hpp"

#include <dcube/layout.hpp>
#include <dcube/node.hpp>
#include <dcube/task.hpp>

#include <algorithm>
#include <bit>
#include <deque>
#include <memory>
#include <numeric>
#include <queue>
#include <utility>

namespace dcube::detail {

// The row of a destination is its place in its table; of one row the destinations of the smaller tables come first.
std::vector<std::vector<NodeId>> order_tables(unsigned d)
{
    std::vector<std::vector<NodeId>> tables;
    std::vector<std::uint32_t> row(bit(d), 0);  // by destination, in its table
    for (unsigned k = 0; k < d; ++k) {
        std::vector<NodeId> table(bit(k) - 1);
        std::iota(table.begin(), table.end(), NodeId{1});
        std::ranges::sort(table, {}, [&row](NodeId x) { return std::pair(row[x], std::bit_width(x)); });
        table.push_back(0);
        for (std::uint32_t at = 0; at < table.size(); ++at) {
            table[at] |= bit(k);
            row[table[at]] = at;
        }
        tables.push_back(std::move(table));
    }
    return tables;
}

// With S = 0, in the first 2^k steps of port k, these are the node's own packets; then port k only forwards.
Schedule all_to_all_schedule(const Topology& topology)
{
    const unsigned d = topology.dimension();
    const std::vector<std::vector<NodeId>> tables = order_tables(d);
    Schedule schedule{Symmetry::translated, d == 0 ? 0 : bit(d - 1), {}};
    schedule.hops.reserve(std::size_t{schedule.steps} * d);
    for (Step t = 1; t <= schedule.steps; ++t)
        for (Port k = 0; k < d; ++k)
            schedule.hops.push_back({t, 0, k, {(t - 1) >> k << (k + 1), tables[k][(t - 1) & (bit(k) - 1)], 0}});
    return schedule;
}

// Counted in the schedule for d = 3 .. 14; smaller cubes do not follow the formula.
std::size_t all_to_all_in_transit(unsigned d)
{
    return d < 3 ? d / 2 : (std::size_t{1} << (d - 2)) + d - 3;
}

// Besides what waits, d - 2 slots rest, because what leaves in a step is read in the next (d = 4 .. 14).
std::size_t all_to_all_slots(unsigned d)
{
    return all_to_all_in_transit(d) + (d == 3 ? 2 : d < 3 ? 0 : d - 2);
}

namespace {

// local-rules: the total exchange without a global table. A node knows its own order tables and the headers of arriving
// packets (Bertsekas et al. 1991, section 4, "Implementation").
//
// On port k a node first sends its own packets in the order of T_k, in steps 1..2^k, and then forwards from the port's
// queue, one packet per step without a pause. A packet that arrives on port k for another node differs from this one
// only in bits below k; it joins the queue of the highest of them. A queue is ordered by the packets' origins relative
// to the node, then by arrival. These are the hops of the table: m 2^(d-1) steps, every link busy in every step.
//
// Planning: the order tables, O(d N) time and 4 N bytes; a node's queues hold all_to_all_slots() packets at most.

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

// One node's queues, one per port, and the storage of what waits in them.
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

// The program of every node; `tables` are the order tables (all_to_all.hpp).
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

}  // namespace

CollectiveProgram local_rules_program(const Topology& topology, const Problem& problem)
{
    const auto tables = std::make_shared<const std::vector<std::vector<NodeId>>>(order_tables(topology.dimension()));
    return [tables, problem](Node& me, NodeData data) { return local_rules(me, *tables, problem, data); };
}

}  // namespace dcube::detail

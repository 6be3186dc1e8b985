// All-reduce: every node gets the sum of all nodes' vectors, element by element. m blocks per vector, N = 2^d nodes,
// k = ceil(m/N).
//
//   exchange-one-port           one port    m d steps                m d N transmissions    1 block: steps optimal
//   exchange                    all ports   d ceil(m/d) steps        m d N transmissions    1..d blocks: steps optimal
//   halving-doubling            one port    2k(N-1) steps            2m(N-1) transmissions  m = kN: both optimal
//   reduce-scatter-all-gather   all ports   2 ceil(k(N-1)/d) steps   2m(N-1) transmissions  transmissions optimal
//   two-centre                  all ports   2 ceil((N-1)/d)-1 steps  2N(N-1) transmissions  both optimal; m = N and
//                               (N-1) mod d = 1 only (all_reduce_two_centre.hpp)
//
// Beside these: fold for any m (all_reduce_fold.cpp), cores for m between 2d and N (all_reduce_cores.cpp), and
// two-kinds for m = N and more dimensions than two-centre (all_reduce_two_kinds.cpp).
//
// Few blocks are exchanged over every dimension in turn and added, so all nodes do all the work at once; many are
// summed each at one node and spread from there. None is in Bertsekas et al. 1991; the sums over trees are built of its
// all-gather (all_gather.cpp).
//
// Planning: that of the all-gather of k packets, twice; none for the exchanges; two-centre searches a table of N - 2
// links.

#include "algorithms/beyond/cubes/all_reduce.hpp"

#include "algorithms/beyond/cubes/one_port.hpp"
#include "algorithms/papers/bertsekas/all_gather.hpp"
#include "algorithms/programs/own_block.hpp"
#include "base/arithmetic.hpp"
#include "emu/arrival_times.hpp"

#include <algorithm>

namespace dcube::detail {

// Block b of a group exchanges over port (s + b) mod d in step s + 1, and adds. The partner reads this node's sum while
// it receives, so sums alternate between two places; the last one, of step s = d - 1, goes to the output. `lanes`
// blocks at a time: d on machines with all ports, 1 on one-port machines.
Task all_reduce_exchange(Node& me, Port lanes, const Problem& problem, NodeData data)
{
    const Port d = me.ports();
    const Combine combine = combiner(problem);
    const std::span<std::byte> spare = me.allocate(std::min<std::size_t>(lanes, problem.packets) * problem.bytes);
    ArrivalTimes arrived(me);
    copy_own_block(me, problem, data);
    for (std::size_t first = 0; first < problem.packets && d > 0; first += lanes) {
        const auto blocks = static_cast<Port>(std::min<std::size_t>(lanes, problem.packets - first));
        const auto sum_after = [&](Port s, Port b) {
            return (d - 1 - s) % 2 == 0 ? data.output.subspan((first + b) * problem.bytes, problem.bytes)
                                        : spare.subspan(b * problem.bytes, problem.bytes);
        };
        for (Port s = 0; s < d; ++s) {
            const auto sum_before = [&](Port b) -> std::span<const std::byte> {
                if (s > 0)
                    return sum_after(s - 1, b);
                return data.input.subspan((first + b) * problem.bytes, problem.bytes);
            };
            for (Port b = 0; b < blocks; ++b)
                me.send((s + b) % d, arrived.packet(sum_before(b)));
            co_await me.next_step();
            for (Port b = 0; b < blocks; ++b)
                arrived.set_sum(me.receive((s + b) % d, sum_after(s, b), sum_before(b), combine), sum_before(b));
        }
    }
}

std::uint64_t blocks_per_share(const Topology& topology, const Problem& problem)
{
    return ceil_div<std::uint64_t>(problem.packets, topology.nodes());
}

Schedule reduce_scatter_all_gather(const Topology& topology, const Problem& problem, PortModel ports)
{
    const auto share = static_cast<std::uint32_t>(blocks_per_share(topology, problem));
    const Schedule gather =
        ports == PortModel::all ? all_gather_schedule(topology, share) : one_port_all_gather(topology, share);
    return followed_by(reversed(topology, gather, Arrival::added), gather);
}

}  // namespace dcube::detail

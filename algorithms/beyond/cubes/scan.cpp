// halving-doubling, exchange-one-port: scan and exscan of m blocks on a d-cube of N nodes, one port.
//
//   exchange-one-port  m d steps            m (N (d - 1) + 1) transmissions   m = 1: steps optimal
//   halving-doubling   2 m (N - 1)/N steps  m (2 (N - 1) - d) transmissions   transmissions optimal
//
// The nodes of a subcube that agree in the bits from k on have consecutive ids. Partners over dimension k make one such
// row of two: the sum of the lower one precedes every node of the higher one, and stands in front of its sum. In an
// exchange (well known) partners swap the sums of all blocks. In halving-doubling (ours) they split the blocks that
// they answer for, as in an all-reduce, and note the lower one's sum; then each tells the other what precedes the
// other's subcube. With q < d halvings partners swap whole sums over the other dimensions; the best q is found by
// trying all: 2 (ceil(m/2) + .. + ceil(m/2^q)) + (d - q) ceil(m/2^q) steps. Packets that nobody needs are left out: the
// sum of a subcube after which no node comes, and what precedes a subcube before which none comes.
//
// Planning: none.

#include "algorithms/beyond/cubes/scan.hpp"

#include "algorithms/programs/ordered_sums.hpp"
#include "base/arithmetic.hpp"

#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace dcube::detail {

namespace {

// ---- q halvings, an exchange, q doublings ----

// One node at work. On level k, at most q, it answers for the blocks that agree with its id in the low k bits, and
// knows the sum of its subcube of 2^k nodes for these; from level q on the blocks stay the same.
class ScanHalving {
public:
    ScanHalving(Node& me, unsigned halvings, const Problem& problem, NodeData data)
        : me_(me), d_(me.ports()), q_(halvings), blocks_(problem.packets), sums_(me, problem, data), levels_(q_ + 1)
    {
        for (unsigned k = 0; k <= q_; ++k) {
            if (k > 0) {
                levels_[k].sums = sums_.storage(most_blocks(k));
                levels_[k].before = sums_.storage(most_blocks(k));
            }
            if (k < q_)
                levels_[k].aside = sums_.storage(most_blocks(k + 1));
        }
        for (std::span<std::byte>& totals : totals_)
            totals = sums_.storage(d_ > q_ ? most_blocks(q_) : 0);
    }

    // The blocks that a node answers for on level k, at most: a round's steps.
    [[nodiscard]] std::size_t most_blocks(unsigned k) const { return ceil_div(blocks_, std::size_t{1} << k); }

    void send_half(unsigned k, std::size_t i)
    {
        if (const auto block = block_of(partner(k), k + 1, i); block && !is_last_subcube(me_.id(), k, d_))
            sums_.send(k, sum(k, *block));
    }
    void receive_half(unsigned k, std::size_t i)
    {
        const auto block = block_of(me_.id(), k + 1, i);
        if (!block || is_last_subcube(partner(k), k, d_))
            return;
        const BorrowedPacket packet = me_.receive(k);
        if (is_higher(k))
            sums_.keep(aside(k, *block), packet);
        if (is_last_subcube(me_.id(), k + 1, d_))
            return;
        if (is_higher(k))
            sums_.join(sum_place(k + 1, *block), packet, sum(k, *block));
        else
            sums_.join(sum_place(k + 1, *block), sum(k, *block), packet);
    }

    void send_whole(unsigned k, std::size_t i)
    {
        if (const auto block = block_of(me_.id(), q_, i); block && !is_last_subcube(me_.id(), k, d_))
            sums_.send(k, total(k, *block));
    }
    void receive_whole(unsigned k, std::size_t i)
    {
        const auto block = block_of(me_.id(), q_, i);
        if (!block || is_last_subcube(partner(k), k, d_))
            return;
        const BorrowedPacket packet = me_.receive(k);
        const std::span<std::byte> front = before(q_, *block);
        if (is_higher(k) && is_first_subcube(me_.id() & (bit(k) - 1), q_))
            sums_.keep(front, packet);
        else if (is_higher(k))
            sums_.join(front, packet, front);
        if (k + 1 == d_ || is_last_subcube(me_.id(), k + 1, d_))
            return;
        if (is_higher(k))
            sums_.join(total_place(k + 1, *block), packet, total(k, *block));
        else
            sums_.join(total_place(k + 1, *block), total(k, *block), packet);
    }

    // Gives the partner what precedes its subcube, and finds out what precedes its own.
    void send_front(unsigned k, std::size_t i)
    {
        const auto block = block_of(me_.id(), k + 1, i);
        if (!block)
            return;
        const bool first = is_first_subcube(me_.id(), k + 1);
        if (is_higher(k)) {
            if (!first)
                sums_.send(k, before(k + 1, *block));
            first ? sums_.keep(before(k, *block), aside(k, *block))
                  : sums_.join(before(k, *block), before(k + 1, *block), aside(k, *block));
            return;
        }
        if (first)
            return sums_.send(k, sum(k, *block));
        sums_.join(aside(k, *block), before(k + 1, *block), sum(k, *block));
        sums_.send(k, aside(k, *block));
        sums_.keep(before(k, *block), before(k + 1, *block));
    }
    void receive_front(unsigned k, std::size_t i)
    {
        const auto block = block_of(partner(k), k + 1, i);
        if (block && !is_first_subcube(me_.id(), k))
            sums_.keep(before(k, *block), me_.receive(k));
    }

    void finish() { sums_.finish(); }

private:
    [[nodiscard]] NodeId partner(unsigned k) const { return me_.id() ^ bit(k); }
    [[nodiscard]] bool is_higher(unsigned k) const { return has_bit(me_.id(), k); }

    // The i-th of the blocks that a node answers for on level k.
    [[nodiscard]] std::optional<std::size_t> block_of(NodeId node, unsigned k, std::size_t i) const
    {
        const std::size_t block = (i << k) + (node & (bit(k) - 1));
        return block < blocks_ ? std::optional(block) : std::nullopt;
    }

    struct Level {
        std::span<std::byte> sums;    // of the subcube
        std::span<std::byte> before;  // what precedes it
        std::span<std::byte> aside;   // see aside()
    };

    [[nodiscard]] std::span<std::byte> sum_place(unsigned k, std::size_t block) const
    {
        return sums_.place(levels_[k].sums, block >> k);
    }
    [[nodiscard]] std::span<const std::byte> sum(unsigned k, std::size_t block) const
    {
        return k == 0 ? sums_.own(block) : sum_place(k, block);
    }
    [[nodiscard]] std::span<std::byte> before(unsigned k, std::size_t block) const
    {
        return k == 0 ? sums_.result(block) : sums_.place(levels_[k].before, block >> k);
    }
    // At nodes of a higher half the sum of the lower one, at those of a lower half what precedes the higher one.
    [[nodiscard]] std::span<std::byte> aside(unsigned k, std::size_t block) const
    {
        return sums_.place(levels_[k].aside, block >> (k + 1));
    }
    // The sum of the subcube of 2^k nodes, from level q on: while one is made, the partner reads the one before.
    [[nodiscard]] std::span<std::byte> total_place(unsigned k, std::size_t block) const
    {
        return sums_.place(totals_[k % 2], block >> q_);
    }
    [[nodiscard]] std::span<const std::byte> total(unsigned k, std::size_t block) const
    {
        return k == q_ ? sum(k, block) : total_place(k, block);
    }

    Node& me_;
    unsigned d_;
    unsigned q_;
    std::size_t blocks_;
    OrderedSums sums_;
    std::vector<Level> levels_;
    std::array<std::span<std::byte>, 2> totals_;
};

}  // namespace

Task scan_halving(Node& me, unsigned halvings, const Problem& problem, NodeData data)
{
    const unsigned d = me.ports();
    ScanHalving work(me, halvings, problem, data);
    for (unsigned k = 0; k < halvings; ++k)
        for (std::size_t i = 0; i < work.most_blocks(k + 1); ++i) {
            work.send_half(k, i);
            co_await me.next_step();
            work.receive_half(k, i);
        }
    for (unsigned k = halvings; k < d; ++k)
        for (std::size_t i = 0; i < work.most_blocks(halvings); ++i) {
            work.send_whole(k, i);
            co_await me.next_step();
            work.receive_whole(k, i);
        }
    for (unsigned k = halvings; k-- > 0;)
        for (std::size_t i = 0; i < work.most_blocks(k + 1); ++i) {
            work.send_front(k, i);
            co_await me.next_step();
            work.receive_front(k, i);
        }
    work.finish();
}

// A halving over dimension k and its doubling move N/2^k - 1 packets a block, the exchange over the other dimensions
// the sums of subcubes but for those of the last ones: (d - q) 2^(d-q) - (2^(d-q) - 1) for the blocks of 2^q nodes
// each.
Cost halving_cost(unsigned d, unsigned halvings, std::uint64_t blocks)
{
    Cost cost{0, 0};
    for (unsigned k = 0; k < halvings; ++k) {
        cost.steps += 2 * ceil_div(blocks, std::uint64_t{1} << (k + 1));
        cost.transmissions += blocks * (bit(d - k) - std::uint64_t{1});
    }
    const std::uint64_t nodes = bit(d - halvings);  // that answer for the same blocks
    cost.steps += (d - halvings) * ceil_div(blocks, std::uint64_t{1} << halvings);
    cost.transmissions += blocks * ((d - halvings) * nodes - (nodes - 1));
    return cost;
}

unsigned best_halvings(unsigned d, std::uint64_t blocks)
{
    unsigned best = 0;
    const auto rank = [&](unsigned q) {
        const Cost cost = halving_cost(d, q, blocks);
        return std::pair(cost.steps, cost.transmissions);
    };
    for (unsigned q = 1; q <= d; ++q)
        if (rank(q) < rank(best))
            best = q;
    return best;
}

}  // namespace dcube::detail

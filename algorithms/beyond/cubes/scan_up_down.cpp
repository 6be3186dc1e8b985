// up-down: scan and exscan of m blocks on a d-cube of N nodes, all ports, in max(m, ceil(m/2) + 2d - 2) steps and
// m (2 (N - 1) - d) transmissions. From m = 4d - 4 on both are optimal (docs/optimality.md). Ours.
//
// A representative r, a string of d bits, names the node that speaks for each subcube of 2^k nodes that agree in the
// bits from k on: these bits, and the low k bits of r. Up over dimension k: of the two halves of a subcube of 2^(k+1)
// nodes the one whose bit k is not r's sends its sum to the other, which then knows both; the lower one stands in
// front. Down over dimension k, from d - 1 on, the same edge carries, the other way, the front of that half, which is
// the sum of all nodes before it: the front of the subcube and, for a higher half, the sum of the lower one. Two kinds
// of packets are left out: the sum of a subcube after which no node comes, and the front of one before which none
// comes.
//
// The first ceil(m/2) blocks are odd, with r = N - 1, the others even, with r = N - 2. The i-th of a kind (from 1 on)
// goes up over k in step i + k, and down in step i + delay - k, where the delay is the number of blocks of the other
// kind, at least 2d - 2: when the i-th one goes down over d - 2, what went up over d - 1 must have come. No link is
// used twice in a step: in dimension 0 odd blocks use the links from even to odd nodes going up and those from odd to
// even ones going down, even blocks the others in each case, and neither goes down before the other has gone up; in the
// other dimensions the two kinds use edges that differ in bit 0, and up and down are the two directions of an edge.
//
// Planning: none.

#include "algorithms/beyond/cubes/scan.hpp"

#include "algorithms/programs/ordered_sums.hpp"
#include "base/arithmetic.hpp"
#include "base/sizes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <vector>

namespace dcube::detail {

namespace {

// The blocks of one kind.
struct BlockKind {
    NodeId representative;
    std::size_t first;
    std::size_t count;
    std::size_t delay;

    // The largest subcube that a node speaks for has 2^top of them.
    [[nodiscard]] unsigned top(NodeId node, unsigned d) const
    {
        return std::min(d, static_cast<unsigned>(std::countr_zero(node ^ representative)));
    }
    // Whether the speaker of a subcube of 2^(k+1) nodes is in its higher half.
    [[nodiscard]] bool speaks_higher(unsigned k) const { return has_bit(representative, k); }

    // The block that goes up (down) over dimension k in this step, by its index among those of its kind.
    [[nodiscard]] std::optional<std::size_t> up(std::size_t step, unsigned k) const { return index(step, k); }
    [[nodiscard]] std::optional<std::size_t> down(std::size_t step, unsigned k) const { return index(step + k, delay); }

private:
    [[nodiscard]] std::optional<std::size_t> index(std::size_t step, std::size_t after) const
    {
        return step > after && step - after <= count ? std::optional(step - after - 1) : std::nullopt;
    }
};

std::array<BlockKind, 2> kinds_of(unsigned d, std::size_t blocks)
{
    const std::size_t odd = ceil_div(blocks, std::size_t{2});
    const std::size_t even = blocks - odd;
    const std::size_t least = d < 2 ? 0 : 2 * std::size_t{d} - 2;
    const NodeId last = bit(d) - 1;
    return {BlockKind{last, 0, odd, std::max(even, least)}, BlockKind{last ^ 1, odd, even, std::max(odd, least)}};
}

// One node at work on the blocks of one kind.
class UpAndDown {
public:
    UpAndDown(Node& me, const BlockKind& kind, OrderedSums& sums)
        : me_(me), kind_(kind), d_(me.ports()), top_(kind.top(me.id(), d_)), sums_(sums), fronts_(top_ + 1)
    {
        for (unsigned k = 0; k < top_; ++k)
            fronts_[k] = sums_.storage(kind_.count);
        if (top_ == 0 || top_ == d_)
            return;
        sum_ = sums_.storage(kind_.count);
        if (front_comes())
            fronts_[top_] = sums_.storage(kind_.count);
    }

    void send(std::size_t step)
    {
        if (const auto i = up_from_here(step))
            sums_.send(top_, top_ == 0 ? sums_.own(block(*i)) : sums_.place(sum_, *i));
        for (unsigned k = 0; k < top_; ++k)
            if (const auto i = kind_.down(step, k))
                kind_.speaks_higher(k) ? to_lower_half(*i, k) : to_higher_half(*i, k);
    }

    void receive(std::size_t step)
    {
        for (unsigned k = 0; k < top_; ++k)
            if (const auto i = kind_.up(step, k); i && !is_last_subcube(me_.id() ^ bit(k), k, d_))
                take_up(*i, k);
        if (const auto i = kind_.down(step, top_); i && front_comes())
            sums_.keep(front(*i, top_), me_.receive(top_));
    }

private:
    [[nodiscard]] std::size_t block(std::size_t i) const { return kind_.first + i; }

    [[nodiscard]] std::optional<std::size_t> up_from_here(std::size_t step) const
    {
        return top_ == d_ || is_last_subcube(me_.id(), top_, d_) ? std::nullopt : kind_.up(step, top_);
    }
    // Whether some other node tells this one what precedes the largest subcube that it speaks for.
    [[nodiscard]] bool front_comes() const { return top_ < d_ && !is_first_subcube(me_.id(), top_); }

    // What precedes this node's subcube of 2^k nodes; before that is known, the sum of the lower one beside it.
    [[nodiscard]] std::span<std::byte> front(std::size_t i, unsigned k) const
    {
        return k == 0 && is_front_the_result() ? sums_.result(block(i)) : sums_.place(fronts_[k], i);
    }
    // Whether what comes over dimension 0, up or down, is all that precedes this node.
    [[nodiscard]] bool is_front_the_result() const { return top_ == 0 || is_first_subcube(me_.id(), 1); }

    void take_up(std::size_t i, unsigned k)
    {
        const BorrowedPacket packet = me_.receive(k);
        if (kind_.speaks_higher(k))
            sums_.keep(front(i, k), packet);
        if (top_ == d_)
            return;
        const std::span<std::byte> sum = sums_.place(sum_, i);
        const std::span<const std::byte> own = k == 0 ? sums_.own(block(i)) : std::span<const std::byte>(sum);
        kind_.speaks_higher(k) ? sums_.join(sum, packet, own) : sums_.join(sum, own, packet);
    }

    void to_lower_half(std::size_t i, unsigned k)
    {
        if (is_first_subcube(me_.id(), k + 1))
            return;  // nothing precedes it, and this node's half has the lower one's sum as its front
        sums_.send(k, front(i, k + 1));
        sums_.join(k == 0 ? sums_.result(block(i)) : front(i, k), front(i, k + 1), front(i, k));
    }

    // Only over dimension 0, for even blocks.
    void to_higher_half(std::size_t i, unsigned k)
    {
        const std::span<const std::byte> own = sums_.own(block(i));
        if (is_first_subcube(me_.id(), k + 1))
            return sums_.send(k, own);
        const std::span<std::byte> given = sums_.place(fronts_[k], i);
        sums_.join(given, front(i, k + 1), own);
        sums_.send(k, given);
        sums_.keep(sums_.result(block(i)), front(i, k + 1));
    }

    Node& me_;
    const BlockKind& kind_;
    unsigned d_;
    unsigned top_;
    OrderedSums& sums_;
    std::vector<std::span<std::byte>> fronts_;  // by k
    std::span<std::byte> sum_;                  // of the largest subcube that it speaks for
};

}  // namespace

Task scan_up_down(Node& me, const Problem& problem, NodeData data)
{
    const std::array<BlockKind, 2> kinds = kinds_of(me.ports(), problem.packets);
    OrderedSums sums(me, problem, data);
    UpAndDown odd(me, kinds[0], sums);
    UpAndDown even(me, kinds[1], sums);
    const std::size_t steps = as_size(up_down_cost(me.ports(), problem.packets).steps);
    for (std::size_t step = 1; step <= steps; ++step) {
        odd.send(step);
        even.send(step);
        co_await me.next_step();
        odd.receive(step);
        even.receive(step);
    }
    sums.finish();
}

Cost up_down_cost(unsigned d, std::uint64_t blocks)
{
    if (d == 0)
        return {0, 0};
    return {std::max(blocks, ceil_div(blocks, std::uint64_t{2}) + 2 * d - 2),
            blocks * (2 * (bit(d) - std::uint64_t{1}) - d)};
}

Step first_step_down(unsigned d, std::uint64_t blocks)
{
    const auto [odd, even] = kinds_of(d, as_size(blocks));
    if (d < 2)
        return d == 0 || even.count == 0 ? 0 : static_cast<Step>(even.delay + 1);
    return static_cast<Step>(odd.delay + 3 - d);
}

std::vector<ScanMove> up_down_moves(const Topology& cube, std::size_t blocks)
{
    const unsigned d = cube.dimension();
    std::vector<ScanMove> moves;
    const std::array<BlockKind, 2> kinds = kinds_of(d, blocks);
    const auto add = [&](std::size_t step, NodeId from, unsigned k, std::size_t block, NodeId first, NodeId end) {
        moves.push_back({static_cast<Step>(step), from, k, block, first, end - 1});
    };
    for (const BlockKind& kind : kinds)
        for (std::size_t i = 0; i < kind.count; ++i)
            for (NodeId node = 0; node < bit(d); ++node) {
                const unsigned top = kind.top(node, d);
                const NodeId first = node >> top << top;
                if (top < d && !is_last_subcube(node, top, d))
                    add(i + 1 + top, node, top, kind.first + i, first, first + bit(top));
                for (unsigned k = 0; k < top; ++k) {
                    const NodeId end = (node ^ bit(k)) >> k << k;  // where the other half begins
                    if (end > 0)
                        add(i + 1 + kind.delay - k, node, k, kind.first + i, 0, end);
                }
            }
    std::ranges::stable_sort(moves, {}, &ScanMove::step);
    return moves;
}

}  // namespace dcube::detail

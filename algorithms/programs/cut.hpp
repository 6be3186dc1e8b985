#pragma once
// How messages are cut (Stout & Wagar 1990; the splits of bytes that do not divide are our own). Everything is a
// function of sizes and node ids, so every node can compute it without headers.

#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dcube::detail {

// The bytes of all packets of a message together.
inline std::size_t message_bytes(const Problem& problem)
{
    return problem.bytes * problem.packets;
}

// The bytes that must not be cut: an element where messages are added up, else a byte.
inline std::size_t unit_of(const Problem& problem)
{
    return is_reduction(problem.collective) ? element_size(problem) : 1;
}

struct Stretch {
    std::size_t offset;
    std::size_t length;
};

// `units` cut in p consecutive parts, of which the first units mod p have one more; for many questions.
class BalancedCut {
public:
    BalancedCut() = default;
    constexpr BalancedCut(std::size_t units, std::size_t p) : least_(units / p), longer_(units % p) {}

    [[nodiscard]] bool is_longer(std::size_t i) const { return i < longer_; }
    [[nodiscard]] std::size_t least() const { return least_; }
    [[nodiscard]] constexpr Stretch operator()(std::size_t i) const
    {
        return {i * least_ + (i < longer_ ? i : longer_), least_ + (i < longer_ ? 1 : 0)};
    }

private:
    std::size_t least_ = 0;
    std::size_t longer_ = 0;
};

// Part i of them, for one question.
constexpr Stretch balanced_part(std::size_t units, std::size_t p, std::size_t i)
{
    return BalancedCut(units, p)(i);
}

// The same, but the longer parts are x, x + 1, ... (mod p).
constexpr Stretch staggered_part(std::size_t units, std::size_t p, std::size_t i, std::size_t x)
{
    const std::size_t least = units / p;
    const std::size_t longer = units % p;
    // Longer parts below i: those of the run x .. x + longer - 1 that lie in 0 .. i - 1, directly or wrapped round.
    const auto below = [](std::size_t limit, std::size_t first, std::size_t end) {
        const std::size_t stop = end < limit ? end : limit;
        return stop > first ? stop - first : 0;
    };
    const std::size_t end = x + longer;
    const std::size_t before = below(i, x, end < p ? end : p) + (end > p ? below(i, 0, end - p) : 0);
    const bool is_longer = (i + p - x) % p < longer;
    return {i * least + before, least + (is_longer ? 1 : 0)};
}

// The stagger of message id x.
inline std::size_t stagger(NodeId x, unsigned d)
{
    std::size_t sum = 0;
    for (NodeId rest = x; rest != 0; rest &= rest - 1)
        sum += static_cast<std::size_t>(std::countr_zero(rest));
    return sum % d;
}

// The positions of the 1 bits, ascending.
inline std::vector<Port> one_positions(NodeId x)
{
    std::vector<Port> positions;
    for (; x != 0; x &= x - 1)
        positions.push_back(static_cast<Port>(std::countr_zero(x)));
    return positions;
}

// How a message is cut in packets: in parts, and each of them in parts again. Every hop asks, so it divides no sizes.
class PacketCut {
public:
    // Packets of one size.
    static PacketCut equal(std::size_t bytes, std::uint32_t packets) { return groups(packets, bytes, packets, 1); }
    // Packet q d + i is part i of group q, of a message of `units` units (bytes, or elements that must not be cut).
    static PacketCut groups(std::size_t units, std::size_t unit, std::uint32_t groups, std::uint32_t d)
    {
        return {BalancedCut(units, groups), d, unit, groups, d, true};
    }
    // Packet q d + i is part q of the i-th tree's share.
    static PacketCut trees(std::size_t units, std::size_t unit, std::uint32_t groups, std::uint32_t d)
    {
        return {BalancedCut(units, d), groups, unit, groups, d, false};
    }

    [[nodiscard]] std::uint32_t packets() const { return packets_; }
    [[nodiscard]] Stretch operator()(std::uint32_t packet) const
    {
        const std::uint32_t q = d_ == 1 ? packet : packet / d_;
        const std::uint32_t i = packet - q * d_;
        const std::uint32_t outer = groups_first_ ? q : i;
        const Stretch part = outer_(outer);
        const Stretch inner = inner_[outer_.is_longer(outer) ? 1 : 0](groups_first_ ? i : q);
        return {(part.offset + inner.offset) * unit_, inner.length * unit_};
    }

private:
    PacketCut(const BalancedCut& outer, std::uint32_t inner_parts, std::size_t unit, std::uint32_t groups,
              std::uint32_t d, bool groups_first)
        : outer_(outer), inner_{BalancedCut(outer.least(), inner_parts), BalancedCut(outer.least() + 1, inner_parts)},
          unit_(unit), packets_(groups * d), d_(d), groups_first_(groups_first)
    {
    }

    BalancedCut outer_;
    BalancedCut inner_[2];  // of the shorter parts, and of the longer ones
    std::size_t unit_;
    std::uint32_t packets_;
    std::uint32_t d_;
    bool groups_first_;
};

}  // namespace dcube::detail

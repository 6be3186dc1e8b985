#pragma once
// How messages are cut (Stout & Wagar 1990; the splits of bytes that do not divide are our own). Everything is a
// function of sizes and node ids, so every node can compute it without headers.

#include <dcube/topology.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dcube::detail {

struct Stretch {
    std::size_t offset;
    std::size_t length;
};

// Part i of `units` cut in p consecutive parts, of which the first units mod p have one more.
constexpr Stretch balanced_part(std::size_t units, std::size_t p, std::size_t i)
{
    const std::size_t least = units / p;
    const std::size_t longer = units % p;
    return {i * least + (i < longer ? i : longer), least + (i < longer ? 1 : 0)};
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

// How a message is cut in packets. Unequal ones are worked out once, because every hop asks.
class PacketCut {
public:
    // Packets of one size.
    static PacketCut equal(std::size_t bytes, std::uint32_t packets);
    // Balanced: packet q d + i is part i of group q, of a message of `units` units (bytes, or elements that must not be
    // cut).
    static PacketCut groups(std::size_t units, std::size_t unit, std::uint32_t groups, std::uint32_t d);
    // Packet q d + i is part q of the i-th tree's share.
    static PacketCut trees(std::size_t units, std::size_t unit, std::uint32_t groups, std::uint32_t d);

    [[nodiscard]] std::uint32_t packets() const { return packets_; }
    [[nodiscard]] Stretch operator()(std::uint32_t packet) const
    {
        return unequal_.empty() ? Stretch{packet * bytes_, bytes_} : unequal_[packet];
    }

private:
    std::uint32_t packets_ = 0;
    std::size_t bytes_ = 0;
    std::vector<Stretch> unequal_;
};

}  // namespace dcube::detail

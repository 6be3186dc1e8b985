#pragma once
// SpreadState: who has which packets while a spread is planned, step by step.

#include "graphs/arcs.hpp"

#include <dcube/random.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace dcube::detail {

// A set of packets, a bit each.
using PacketBits = std::span<const std::uint64_t>;

inline bool has_packet(PacketBits bits, std::uint32_t packet)
{
    return (bits[packet / 64] >> packet % 64 & 1) != 0;
}

template <class Work>
void for_each_packet(PacketBits bits, const Work& work)
{
    for (std::size_t word = 0; word < bits.size(); ++word)
        for (std::uint64_t rest = bits[word]; rest != 0; rest &= rest - 1)
            work(static_cast<std::uint32_t>(word * 64 + static_cast<unsigned>(std::countr_zero(rest))));
}

template <class T>
void shuffle(std::span<T> list, Random& random)
{
    for (std::size_t left = list.size(); left > 1; --left)
        std::swap(list[left - 1], list[random.below(left)]);
}

class SpreadState {
public:
    static constexpr std::uint32_t no_packet = ~std::uint32_t{0};
    static constexpr std::uint32_t no_level = ~std::uint32_t{0};

    SpreadState(const Arcs& arcs, std::span<const std::vector<NodeId>> holders);

    [[nodiscard]] const Arcs& arcs() const { return *arcs_; }
    [[nodiscard]] std::uint32_t packets() const { return static_cast<std::uint32_t>(copies_.size()); }
    [[nodiscard]] std::size_t words() const { return words_; }  // of a set of packets

    [[nodiscard]] PacketBits held(NodeId node) const { return std::span(held_).subspan(node * words_, words_); }
    [[nodiscard]] bool has(NodeId node, std::uint32_t packet) const { return has_packet(held(node), packet); }
    // Packets that a node lacks; that all nodes lack together.
    [[nodiscard]] std::uint32_t missing(NodeId node) const { return missing_[node]; }
    [[nodiscard]] std::uint64_t missing() const { return all_missing_; }
    // Packets that an arc's sender has and its receiver lacks.
    [[nodiscard]] std::uint32_t surplus(ArcId arc) const { return surplus_[arc]; }
    // Whether there is a packet of which nobody else has a copy.
    [[nodiscard]] bool is_sole_holder(NodeId node) const { return sole_[node] > 0; }

    // Copies that are there, or are planned to be after this step.
    [[nodiscard]] std::uint32_t copies(std::uint32_t packet) const { return copies_[packet]; }
    // The least copies of these packets; no_level if there are none.
    [[nodiscard]] std::uint32_t least_copies(PacketBits candidates) const;
    // One that has the least copies, each as likely as the others; no_packet if there are none.
    std::uint32_t rarest(PacketBits candidates, Random& random) const;

    // Counts a copy that is to be made in this step; then, when the step ends, the node has it.
    void plan(std::uint32_t packet);
    void arrive(NodeId node, std::uint32_t packet);

private:
    [[nodiscard]] PacketBits level(std::uint32_t copies) const
    {
        return std::span(levels_).subspan(copies * words_, words_);
    }
    // The least number of copies that is no less than this and that some packet has; no_level if there is none.
    [[nodiscard]] std::uint32_t next_level(std::uint32_t copies) const;
    void move_to_level(std::uint32_t packet, std::uint32_t copies);
    void count_missing();

    const Arcs* arcs_;
    std::size_t words_;
    std::vector<std::uint64_t> held_;  // by node: bits
    std::vector<std::uint32_t> missing_;
    std::uint64_t all_missing_ = 0;
    std::vector<std::uint32_t> surplus_;
    std::vector<std::uint32_t> sole_;
    std::vector<NodeId> only_holder_;  // of every packet that had one at the start
    std::vector<std::uint32_t> copies_;
    std::vector<std::uint64_t> levels_;      // by copies: bits
    std::vector<std::uint32_t> level_size_;  // by copies
    std::vector<std::uint64_t> used_levels_;
};

}  // namespace dcube::detail

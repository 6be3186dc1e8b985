#pragma once
// Rows: what up to 64 neighbouring nodes send or receive over one port in one step, as loops over words that stand side
// by side (wires.hpp), which the compiler turns into vector instructions. A loop tests all states first; if one of them
// is not as usual it changes nothing.
//
// The words are plain memory here. Nobody else writes what a loop reads or writes in the running step: a link has one
// sender and one receiver, and in a step the two use different places of it. Others may look at a state that is being
// written (Node::arrived), and see one of an aligned word's two values, as with an atomic.

#include "emu/script.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace dcube::detail {

inline constexpr std::size_t most_in_row = 64;

// Where each node of a row has its packet: at its base + image * stride + offset.
struct RowOfPackets {
    const std::byte* const* bases;
    const NodeId* images = nullptr;  // if null, 0
    NodeId turned_by = 0;            // images are XORed with it
    std::size_t stride = 0;
    std::size_t offset = 0;
    bool side_by_side = false;  // all of them, in order

    [[nodiscard]] const std::byte* of(std::size_t i) const
    {
        return bases[i] + (images ? (images[i] ^ turned_by) * stride : 0) + offset;
    }
};

// The links of a row's nodes at one port, by a place of their wires.
struct RowOfPlaces {
    std::uint64_t* data;
    std::uint64_t* states;
};

struct RowToSend {
    std::size_t count;
    RowOfPackets from;
    std::size_t held;  // the packets' size if the wires hold the packets themselves, which is 4 or 8; else 0
    RowOfPlaces to;
    const std::uint32_t* links = nullptr;  // of each node; null: they stand side by side
    NodeId swapped = 0;  // a power of 2: the node numbered i in the row sends to link i ^ swapped; 0: to link i
    std::uint64_t full;   // the state of a place that is filled
    std::uint64_t taken;  // .. that was emptied in this step
};

// True if all were sent.
bool send(const RowToSend& row);

struct RowToTake {
    std::size_t count;
    RowOfPlaces from;
    const std::uint64_t* others = nullptr;  // the states of the wires' other places, if a packet may wait there
    std::uint64_t full;                     // the state of a place that the packet expected fills
    std::uint64_t oldest;                   // .. that no packet fills which waits

    [[nodiscard]] bool holds() const;  // the wires hold the packets themselves
};

// True if each link has its packet, and no other one waits.
bool is_usual(const RowToTake& row);
// Copies all packets, which are of this size, and marks their places.
void keep(const RowToTake& row, std::size_t bytes, const RowOfPackets& into, std::uint64_t emptied);
void mark(const RowToTake& row, std::uint64_t emptied);

}  // namespace dcube::detail

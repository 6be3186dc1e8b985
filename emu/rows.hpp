#pragma once
// Rows: the packets that up to 64 neighbouring nodes send or receive over one port in one step, as loops over words
// that stand side by side (wires.hpp), which the compiler turns into vector instructions. A loop tests all states
// first; if one of them is not as usual it changes nothing.
//
// The words are plain memory here. No other thread writes what a loop reads or writes in the running step: a link has
// one sender and one receiver, and in a step the two use different places of it. Others may look at a state that is
// being written (Node::arrived), and see one of an aligned word's two values, as with an atomic.

#include "emu/script.hpp"
#include "emu/wires.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace dcube::detail {

inline constexpr std::size_t most_in_row = 64;

// The address of each node's packet in a row: its base + image * stride + offset.
struct RowOfPackets {
    std::byte* const* bases;
    const NodeId* images;  // if null, all are 0
    NodeId turned_by;      // images are XORed with it
    bool side_by_side;     // all of them, in order
    std::size_t stride;
    std::size_t offset;

    [[nodiscard]] std::byte* of(std::size_t i) const
    {
        return bases[i] + (images ? (images[i] ^ turned_by) * stride : 0) + offset;
    }
};

// One place of the wires of a row of links.
struct RowOfPlaces {
    std::uint64_t* data;
    std::uint64_t* states;

    [[nodiscard]] RowOfPlaces from(std::size_t link) const { return {data + link, states + link}; }
};

struct RowToSend {
    std::size_t count;
    std::size_t held;     // the packets' size if the wires hold the packets themselves, which is 4 or 8; else 0
    std::uint64_t full;   // the state of a place that is filled
    std::uint64_t taken;  // .. that was emptied in this step
    RowOfPackets from;
    RowOfPlaces to;
    const std::uint32_t* links;  // one per node; null: they stand side by side
    NodeId swapped;              // a power of 2: node i of the row sends to link i ^ swapped; 0: to link i
};

// True if all were sent. Rows whose count is not 16, 32 or 64 are never sent if they are swapped.
bool send(const RowToSend& row);

struct RowToTake {
    std::size_t count;
    std::size_t bytes;
    std::uint64_t full;     // the state of a place that the packet expected fills
    std::uint64_t emptied;  // .. from which it was taken
    std::uint64_t newest;   // a packet that waits fills its place with less
    bool tested;            // else all is taken to be as usual
    RowOfPackets into;
    RowOfPlaces from;
    const std::uint64_t* others;  // the states of the wires' other places, if a packet may wait there, or null

    [[nodiscard]] bool holds() const { return (full & Place::held) != 0; }  // the wires have the packets themselves
};

// True if each link has its packet, no other one waits, and all were copied.
bool keep(const RowToTake& row);
// The same for packets that are not copied: first the test, in the end the mark.
bool is_usual(const RowToTake& row);
void mark_emptied(const RowToTake& row);

// Writes the address of each packet to `where`.
using Addresses = std::array<std::byte*, most_in_row>;
void locate(const RowOfPackets& packets, std::size_t count, Addresses& where);
// Prefetches the packets.
void fetch(const RowOfPackets& packets, std::size_t count);

}  // namespace dcube::detail

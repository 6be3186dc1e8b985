#pragma once
#include "algorithms/programs/held_stretches.hpp"
#include "algorithms/programs/packet_parts.hpp"
#include "algorithms/programs/routing.hpp"
#include "algorithms/programs/transit_buffers.hpp"

#include <dcube/elements.hpp>
#include <dcube/layout.hpp>
#include <dcube/node.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace dcube::detail {

// What one node holds: stretches of messages, where they lie, and since when they are usable.
class Holdings {
public:
    Holdings(Node& me, const MessagePlaces& messages, NodeData data, Combine combine);

    // All-reduce: what a node holds is a sum from the start. Sums are double-buffered; with an odd number of exchanges
    // they start in the spare buffer.
    void begin_sums(bool aside);

    // The packet made of these fragments, as they lie. What is given away is no longer held.
    JoinedPacket collect(Port port, const Fragments& fragments, bool giving);
    // Stores what is not held yet.
    void keep(const BorrowedParts& packet, const Fragments& fragments);
    // Adds to what is held.
    void add(const BorrowedParts& packet, const Fragments& fragments);

private:
    struct Buffer {  // of one packet; given back when all of it has been passed on
        std::span<std::byte> bytes;
        std::size_t used = 0;
        std::size_t left = 0;
    };
    struct Held {
        std::size_t length;
        const std::byte* bytes;
        Usable usable;
        Step lent;  // the step in which it was sent last
        std::shared_ptr<Buffer> buffer;

        void drop(std::size_t first)
        {
            length -= first;
            bytes += first;
        }
    };
    using Key = HeldStretches<Held>::Key;
    using Parts = std::vector<std::span<const std::byte>>;

    [[nodiscard]] std::byte* home(std::uint64_t message) const;
    void hold(std::uint64_t message, std::span<const std::byte> bytes);
    // Returns since when the fragment is usable.
    Usable collect(const Fragment& fragment, bool giving, Parts& parts);
    // It has been given away.
    void pass_on(const Held& held);
    // One buffer for all that only passes through here.
    std::shared_ptr<Buffer> buffer_for(const Fragments& fragments);
    void keep(PartReader& packet, const Fragment& fragment, const std::shared_ptr<Buffer>& buffer);
    Held store(PartReader& packet, const Fragment& fragment, const std::shared_ptr<Buffer>& buffer);
    void add(PartReader& packet, const Fragment& fragment);
    // Where the sum of a held stretch and what arrived is written.
    std::span<std::byte> sum_place(const Key& key, Held& held);

    Node& me_;
    const MessagePlaces& messages_;
    NodeData data_;
    Combine combine_;
    TransitBuffers transit_;
    HeldStretches<Held> held_;
    PartLists lists_;
    Parts parts_;
    std::span<std::byte> scratch_;  // for sums that cannot be where they are wanted, because what lies there is lent
};

}  // namespace dcube::detail

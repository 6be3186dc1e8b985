#pragma once
#include "algorithms/programs/packet_parts.hpp"
#include "algorithms/programs/routing.hpp"
#include "algorithms/programs/transit_buffers.hpp"

#include <dcube/elements.hpp>
#include <dcube/layout.hpp>
#include <dcube/node.hpp>

#include <compare>
#include <cstdint>
#include <map>
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
    struct Key {
        std::uint64_t message;
        std::size_t offset;
        friend auto operator<=>(const Key&, const Key&) = default;
    };
    struct Held {
        std::size_t length;
        const std::byte* bytes;
        Usable usable;
        Step lent;  // the step in which it was sent last
        std::shared_ptr<Buffer> buffer;
    };
    using Map = std::map<Key, Held>;
    using Parts = std::vector<std::span<const std::byte>>;

    [[nodiscard]] std::byte* home(std::uint64_t message) const;
    void hold(std::uint64_t message, std::span<const std::byte> bytes);
    // Makes a stretch begin at `offset` if one lies across it; returns the first at or behind it. The one search in the
    // map that a fragment takes.
    Map::iterator split(std::uint64_t message, std::size_t offset);
    // Makes the stretch end at `end` if it goes on behind it.
    void trim(Map::iterator at, std::size_t end);
    // Returns since when the fragment is usable.
    Usable collect(const Fragment& fragment, bool giving, Parts& parts);
    Map::iterator pass_on(Map::iterator at);
    // One buffer for all that only passes through here.
    std::shared_ptr<Buffer> buffer_for(const Fragments& fragments);
    void keep(PartReader& packet, const Fragment& fragment, const std::shared_ptr<Buffer>& buffer);
    // Before the stretch `behind`, which is the next.
    void store(PartReader& packet, const Fragment& fragment, const std::shared_ptr<Buffer>& buffer,
               Map::iterator behind);
    void add(PartReader& packet, const Fragment& fragment);
    // Where the sum of a held stretch and what arrived is written.
    std::span<std::byte> sum_place(const Key& key, Held& held);

    Node& me_;
    const MessagePlaces& messages_;
    NodeData data_;
    Combine combine_;
    TransitBuffers transit_;
    Map held_;
    PartLists lists_;
    Parts parts_;
    std::span<std::byte> scratch_;  // for sums that cannot be where they are wanted, because what lies there is lent
};

}  // namespace dcube::detail

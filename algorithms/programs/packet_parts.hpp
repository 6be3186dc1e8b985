#pragma once
// Packets that lie in several places: how a node lends their lists, and reads what arrives.

#include <dcube/node.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace dcube::detail {

// The lists of joined packets are lent like their bytes, so they lie in the node's memory, which outlives its program.
// A list is read in the step after it was sent: each port has two places.
class PartLists {
public:
    explicit PartLists(Node& me) : me_(me), places_(std::size_t{2} * me.ports()) {}

    std::span<const std::span<const std::byte>> lend(Port port, std::span<const std::span<const std::byte>> parts)
    {
        std::span<std::span<const std::byte>>& place = places_[me_.step() % 2 * me_.ports() + port];
        if (place.size() < parts.size()) {
            const std::size_t room = std::max(parts.size(), 2 * place.size());
            place = me_.allocate_parts(room);
        }
        std::ranges::copy(parts, place.begin());
        return place.first(parts.size());
    }

private:
    Node& me_;
    std::vector<std::span<std::span<const std::byte>>> places_;
};

// Reads a packet's bytes in order, whatever places they lie in.
class PartReader {
public:
    explicit PartReader(const BorrowedParts& packet) : packet_(packet) {}

    [[nodiscard]] Usable usable() const { return packet_.usable; }

    // Calls `use` with the next `bytes` bytes, in as many stretches as they lie in.
    template <class Use>
    void take(std::size_t bytes, const Use& use)
    {
        while (bytes > 0) {
            const BorrowedBytes part = packet_[part_];
            const std::size_t length = std::min(bytes, part.size() - at_);
            use(part.part(at_, length));
            bytes -= length;
            at_ += length;
            if (at_ == part.size()) {
                ++part_;
                at_ = 0;
            }
        }
    }

private:
    const BorrowedParts& packet_;
    std::size_t part_ = 0;
    std::size_t at_ = 0;
};

}  // namespace dcube::detail

#pragma once
// HeldBytes: the bytes of packets that a node has received, and since when it has had them (a step, or a time in
// ticks). A trace may have 10^8 of them.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dcube {

/// The bytes [begin, end) have been there since then.
struct ByteRange {
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t since;
};

/// A hash table of disjoint stretches by key. Nearly every key has one stretch, a whole packet, which lies in the table
/// itself; the stretches of the others are lists.
class HeldBytes {
public:
    static constexpr std::size_t bytes_per_slot = 32;

    HeldBytes() : slots_(64) {}

    /// Keys are below 2^64 - 1, stretches are not empty and disjoint from those that the key has.
    void add(std::uint64_t key, ByteRange stretch);

    /// The same, but bytes that the key has already stay, with the earlier of both times.
    void add_or_advance(std::uint64_t key, ByteRange stretch);

    /// The first byte of [begin, end) that arrived; `end` if none did.
    [[nodiscard]] std::uint64_t first_present(std::uint64_t key, std::uint64_t begin, std::uint64_t end) const;

    /// The first byte of [begin, end) that was not there at `time`; `end` if all were.
    [[nodiscard]] std::uint64_t first_absent(std::uint64_t key, std::uint64_t begin, std::uint64_t end,
                                             std::uint64_t time) const;

private:
    static constexpr std::uint64_t no_key = ~std::uint64_t{0};

    struct Slot {
        std::uint64_t key = no_key;
        ByteRange stretch{};  // with an empty stretch, `begin` is the number of a list
    };

    /// The ranges of the key that end after `begin`, in order.
    struct Range {
        const ByteRange* first;
        const ByteRange* last;
    };

    [[nodiscard]] std::size_t place(std::uint64_t key) const;
    [[nodiscard]] Range find(std::uint64_t key, std::uint64_t begin) const;
    [[nodiscard]] std::vector<ByteRange>& list_of(Slot& slot);
    void advance(std::uint64_t key, std::uint64_t begin, std::uint64_t end, std::uint64_t since);
    void grow();

    std::vector<Slot> slots_;  // a power of two, at most three quarters full
    std::size_t used_ = 0;
    std::vector<std::vector<ByteRange>> lists_;
};

}  // namespace dcube

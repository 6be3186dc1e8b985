#pragma once
// LentBytes: watches whether senders leave the bytes alone that they have lent, until the end of the step in which they
// are taken.

#include <dcube/graph.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dcube::detail {

class LentBytes {
public:
    using Parts = std::span<const std::span<const std::byte>>;

    explicit LentBytes(std::uint64_t places) : lent_(places) {}

    // One packet, as it was sent.
    struct Loan {
        NodeId sender;
        Port port;
        std::vector<std::span<const std::byte>> parts;
        std::size_t hash;
        Step sent;

        [[nodiscard]] bool unchanged() const;
    };

    void lend(std::uint64_t place, NodeId sender, Port port, Parts parts, Step step);
    // The packet is taken from its place; the loan ends with the step.
    [[nodiscard]] Loan take(std::uint64_t place) { return lent_[place]; }

private:
    std::vector<Loan> lent_;  // by place in a channel
};

}  // namespace dcube::detail

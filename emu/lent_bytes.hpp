#pragma once
// LentBytes: watches whether senders leave the bytes alone that they have lent, until the end of the step in which they
// are taken.

#include "base/sizes.hpp"
#include "emu/wires.hpp"

#include <dcube/machine.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dcube::detail {

class LentBytes {
public:
    using Part = std::span<const std::byte>;
    using Parts = std::span<const Part>;

    // Whether a machine of these options watches. By default those do that were built to find mistakes: with asserts or
    // with a sanitizer.
    static bool watched(const MachineOptions& options);
    static std::size_t bytes_per_place() { return sizeof(Loan); }

    explicit LentBytes(std::uint64_t places) : lent_(allocatable(places)) {}

    // One packet, as it was sent.
    struct Loan {
        NodeId sender;
        Port port;
        Step sent;
        const Part* list;  // a joined packet's, which is lent as well
        std::uint64_t hash;
        std::vector<Part> parts;

        [[nodiscard]] bool unchanged() const;
        // False if the memory has been given back meanwhile; only address sanitizers know.
        [[nodiscard]] bool there() const;
        [[nodiscard]] std::string complaint() const;
    };

    void lend(std::uint64_t place, NodeId sender, Port port, const Parcel& parcel, Step step);
    // Forgets the loan at this place: it went to another rank's node, which watches it.
    void forget(std::uint64_t place);
    // The packet is taken from its place; the loan ends with the step.
    [[nodiscard]] const Loan& take(std::uint64_t place) const { return lent_[as_size(place)]; }

private:
    std::vector<Loan> lent_;  // by place in a channel
};

}  // namespace dcube::detail

#pragma once
// TranslationTable: the translations of a network that is no hypercube as tables, for loops over nodes.

#include <dcube/topology.hpp>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace dcube::detail {

// Translations work digit by digit: the image of a node is the sum of the image of its high digits and that of its low
// digits. So two small tables suffice, one for the high digits and one for the low ones; small networks have one table
// for all digits, which is faster.
class TranslationTable {
public:
    // The most memory that make() takes.
    static std::uint64_t bytes(const Topology& topology);

    // Makes the tables, unless they are too large, when it is first called; later calls do nothing.
    void make(const Topology& topology);
    [[nodiscard]] bool made() const { return low_ != 0; }
    [[nodiscard]] bool whole() const { return high_ == 1; }

    // If there is one table: the images of a block, by origin.
    [[nodiscard]] const NodeId* of(NodeId block) const { return &low_images_[std::size_t{block} * low_]; }

    // If there are two: the images of a block's high and low digits, by those of the origin, and the origins' digits,
    // the high ones in the upper 16 bits.
    struct Halves {
        const NodeId* high;
        const NodeId* low;
        const std::uint32_t* digits;
    };
    [[nodiscard]] Halves halves_of(NodeId block) const
    {
        const std::uint32_t digits = digits_[block];
        return {&high_images_[std::size_t{digits >> 16} * high_], &low_images_[std::size_t{digits & 0xffff} * low_],
                digits_.data()};
    }

private:
    std::once_flag once_;
    NodeId high_ = 0;  // the number of nodes that the high digits distinguish
    NodeId low_ = 0;
    std::vector<NodeId> high_images_;
    std::vector<NodeId> low_images_;
    std::vector<std::uint32_t> digits_;
};

}  // namespace dcube::detail

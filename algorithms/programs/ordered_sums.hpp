#pragma once
// What the programs of scans have in common: a node's blocks, and sums of consecutive nodes.

#include "emu/arrival_times.hpp"

#include <dcube/layout.hpp>
#include <dcube/node.hpp>
#include <dcube/problem.hpp>

#include <algorithm>
#include <cstddef>
#include <span>

namespace dcube::detail {

// A node's blocks in a scan, and its sums of consecutive nodes, of which the lower ones always stand in front.
class OrderedSums {
public:
    OrderedSums(Node& me, const Problem& problem, NodeData data)
        : me_(me), combine_(combiner(problem)), bytes_(problem.bytes), blocks_(problem.packets), data_(data),
          arrived_(me), inclusive_(traits(problem.collective).terms == Terms::up_to)
    {
    }

    [[nodiscard]] std::span<const std::byte> own(std::size_t block) const
    {
        return data_.input.subspan(block * bytes_, bytes_);
    }
    // Where the sum of the nodes before this one lies in the end, before finish().
    [[nodiscard]] std::span<std::byte> result(std::size_t block) const
    {
        return data_.output.subspan(block * bytes_, bytes_);
    }
    [[nodiscard]] std::span<std::byte> storage(std::size_t blocks) { return me_.allocate(blocks * bytes_); }
    [[nodiscard]] std::span<std::byte> place(std::span<std::byte> storage, std::size_t block) const
    {
        return storage.subspan(block * bytes_, bytes_);
    }

    void send(Port port, std::span<const std::byte> sum) { me_.send(port, arrived_.packet(sum)); }

    void join(std::span<std::byte> into, std::span<const std::byte> front, std::span<const std::byte> back)
    {
        const Usable since = std::max(arrived_.of(front), arrived_.of(back));
        me_.combine(into, front, back, combine_);
        arrived_.set({into, 0, since});
    }
    void join(std::span<std::byte> into, const BorrowedPacket& front, std::span<const std::byte> back)
    {
        const Usable since = std::max(front.usable, arrived_.of(back));
        me_.combine(into, {front.data(), front.size()}, back, combine_);
        arrived_.set({into, 0, since});
    }
    void join(std::span<std::byte> into, std::span<const std::byte> front, const BorrowedPacket& back)
    {
        const Usable since = std::max(arrived_.of(front), back.usable);
        me_.combine(into, front, back, combine_);
        arrived_.set({into, 0, since});
    }
    void keep(std::span<std::byte> into, const BorrowedPacket& packet)
    {
        me_.copy(into, packet);
        arrived_.set({into, 0, packet.usable});
    }
    void keep(std::span<std::byte> into, std::span<const std::byte> sum)
    {
        me_.copy(into, sum);
        arrived_.set({into, 0, arrived_.of(sum)});
    }

    // The results, made of the sums of the nodes before this one; without any, of its own blocks alone.
    void finish()
    {
        const bool is_first = me_.topology().member(0) == me_.id();
        for (std::size_t block = 0; inclusive_ && block < blocks_; ++block)
            is_first ? me_.copy(result(block), own(block))
                     : me_.combine(result(block), result(block), own(block), combine_);
    }

private:
    Node& me_;
    Combine combine_;
    std::size_t bytes_;
    std::size_t blocks_;
    NodeData data_;
    ArrivalTimes arrived_;
    bool inclusive_;
};

}  // namespace dcube::detail

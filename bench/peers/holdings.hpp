#pragma once
// The nodes' blocks while these travel as pointers, as through queues and mailboxes of one process.

#include "bench/peers/memory.hpp"
#include "bench/peers/peer.hpp"

#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

namespace peer {

/// A total exchange along dimensions: a block on its way from o to t has to cross the 1 bits of x = o ^ t, one after
/// the other, and there is one block for every node and x at any time. A node that sends a block gives its memory away;
/// the receiver copies it into memory of its own (so that every hop moves the bytes once, as dcube's do), and keeps the
/// memory that came for the next one. No node ever waits until a block that was sent has been read.
class Holdings {
public:
    Holdings(std::size_t nodes, std::size_t bytes)
        : nodes_(nodes), bytes_(bytes), memory_(nodes * (nodes + 1) * bytes), held_(nodes * nodes), spare_(nodes)
    {
    }

    void fill()
    {
        for (std::size_t node = 0; node < nodes_; ++node) {
            std::byte* const mine = memory_.data() + node * (nodes_ + 1) * bytes_;
            for (std::size_t x = 0; x < nodes_; ++x) {
                held_[node * nodes_ + x] = mine + x * bytes_;
                peer::fill(mine + x * bytes_, bytes_, node, node ^ x);
            }
            spare_[node] = mine + nodes_ * bytes_;
        }
    }

    [[nodiscard]] std::byte* give(std::size_t node, std::size_t x) const { return held_[node * nodes_ + x]; }

    void take(std::size_t node, std::size_t x, std::byte* arrived)
    {
        std::memcpy(spare_[node], arrived, bytes_);
        held_[node * nodes_ + x] = std::exchange(spare_[node], arrived);
    }

    [[nodiscard]] const std::byte* held(std::size_t target, std::size_t origin) const
    {
        return held_[target * nodes_ + (target ^ origin)];
    }

    [[nodiscard]] std::size_t nodes() const { return nodes_; }

private:
    std::size_t nodes_;
    std::size_t bytes_;
    Memory memory_;
    std::vector<std::byte*> held_;   // by node and x
    std::vector<std::byte*> spare_;  // by node
};

/// Calls `work(x)` for every x below `nodes` with bit k: the blocks that cross dimension k.
template <class Work>
void for_each_crossing(std::size_t nodes, unsigned k, const Work& work)
{
    const std::size_t bit = std::size_t{1} << k;
    for (std::size_t x = bit; x < nodes; x = (x + 1) | bit)
        work(x);
}

}  // namespace peer

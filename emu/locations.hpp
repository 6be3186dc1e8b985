#pragma once
// Locations: where the packet of a script's action lies in the memory of each node of a tile.

#include "emu/engine.hpp"
#include "emu/tiles.hpp"

#include <cstddef>
#include <cstdint>

namespace dcube::detail {

// The image of a block under a node's translation.
struct Turned {  // on a hypercube
    NodeId block;
    Turned(const Engine&, const Tile&, NodeId named) : block(named) {}
    NodeId operator()(NodeId origin) const { return block ^ origin; }
};
struct LookedUp {  // in the table of a group's product
    const NodeId* row;
    LookedUp(const Engine& engine, const Tile&, NodeId block) : row(engine.images().of(block)) {}
    NodeId operator()(NodeId origin) const { return row[origin]; }
};
struct LookedUpTwice {  // in the tables of its high and of its low digits
    Images::Halves halves;
    LookedUpTwice(const Engine& engine, const Tile&, NodeId block) : halves(engine.images().halves_of(block)) {}
    NodeId operator()(NodeId origin) const
    {
        const std::uint32_t digits = halves.digits[origin];
        return halves.high[digits >> 16] + halves.low[digits & 0xffff];
    }
};
struct Fixed {  // where all have one origin
    NodeId image;
    Fixed(const Engine& engine, const Tile& tile, NodeId block)
        : image(engine.topology().translate(block, tile.followers.front().origin))
    {
    }
    NodeId operator()(NodeId) const { return image; }
};

// One of several blocks: another one for every node. Some may not have it.
template <class Image>
class InBlock {
public:
    static constexpr bool may_lack = true;

    InBlock(const Engine& engine, const Tile& tile, Script::Place region, NodeId block, std::uint32_t index)
        : image_(engine, tile, block), place_(static_cast<std::size_t>(region)), size_(tile.shape[region].size),
          stride_(tile.shape[region].block_stride), first_(index * tile.shape[region].index_stride)
    {
    }

    // Null if the node has none.
    [[nodiscard]] std::byte* operator()(const Follower& node) const
    {
        const std::size_t offset = offset_for(node);
        return offset < size_ ? node.bases[place_] + offset : nullptr;
    }
    // If the node is known to have it.
    [[nodiscard]] std::byte* certain(const Follower& node) const { return node.bases[place_] + offset_for(node); }

private:
    [[nodiscard]] std::size_t offset_for(const Follower& node) const { return image_(node.origin) * stride_ + first_; }

    Image image_;
    std::size_t place_;
    std::size_t size_;
    std::size_t stride_;
    std::size_t first_;
};

// The same place for all nodes, which have it.
struct AtOffset {
    static constexpr bool may_lack = false;

    std::size_t place;
    std::size_t offset;

    AtOffset(const Tile& tile, Script::Place region, std::uint32_t index)
        : place(static_cast<std::size_t>(region)), offset(index * tile.shape[region].index_stride)
    {
    }

    [[nodiscard]] std::byte* operator()(const Follower& node) const { return node.bases[place] + offset; }
};

// Calls `use` with where the packet lies, unless no node has it. False then.
template <class Image, class Use>
bool with_location(const Engine& engine, const Tile& tile, Script::Place region, NodeId block, std::uint32_t index,
                   const Use& use)
{
    if (tile.shape[region].block_stride != 0) {
        use(InBlock<Image>(engine, tile, region, block, index));
        return true;
    }
    const AtOffset at(tile, region, index);
    if (at.offset >= tile.shape[region].size)
        return false;
    use(at);
    return true;
}

}  // namespace dcube::detail

#include "emu/script.hpp"
#include "emu/tiles.hpp"

#include "emu/arrival_times.hpp"
#include "emu/atomic_word.hpp"
#include "emu/copies.hpp"
#include "emu/engine.hpp"
#include "emu/tile_rows.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace dcube::detail {

namespace {

// The image of a block under a node's translation.
struct Turned {  // on a hypercube
    NodeId block;
    Turned(const Engine&, const Tile&, NodeId named) : block(named) {}
    NodeId operator()(NodeId origin) const { return block ^ origin; }
};
struct LookedUp {  // in the table of a group's product
    const NodeId* row;
    LookedUp(const Engine& engine, const Tile&, NodeId block) : row(engine.translations().of(block)) {}
    NodeId operator()(NodeId origin) const { return row[origin]; }
};
struct LookedUpTwice {  // in the tables of its high and of its low digits
    TranslationTable::Halves halves;
    LookedUpTwice(const Engine& engine, const Tile&, NodeId block) : halves(engine.translations().halves_of(block)) {}
    NodeId operator()(NodeId origin) const
    {
        const std::uint32_t digits = halves.digits[origin];
        return halves.high[digits >> 16] + halves.low[digits & 0xffff];
    }
};
struct Fixed {  // where all have one origin; it is 0, which moves nothing, where scripts name nodes as they are
    NodeId image;
    Fixed(const Engine& engine, const Tile& tile, NodeId block)
        : image(tile.followers.front().origin == 0 ? block
                                                   : engine.topology().translate(block, tile.followers.front().origin))
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
    // The packet's address; the node must be known to have it.
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

using Action = Script::Action;
using Kind = Script::Action::Kind;

// The meaning of an action: what every loop below must do.
void post(Node& me, const Action& action, const Regions& regions)
{
    const auto offset = [&](const Region& region, std::uint32_t index) {
        return me.topology().translate(action.block, regions.origin) * region.block_stride +
               index * region.index_stride;
    };
    const Region& region = regions[action.place];
    const std::size_t at = offset(region, action.index);
    if (at >= region.size)
        return;
    const std::span<std::byte> packet(region.base + at, regions.bytes);
    ArrivalTimes* const since = regions.since;
    if (action.kind == Kind::send)
        return me.send(action.port, packet, 0, since ? since->of(packet) : Usable{});
    if (action.kind == Kind::keep) {
        const Packet kept = me.receive(action.port, packet);
        if (since)
            since->set(kept);
        return;
    }
    const Region& own = regions[Script::Place::input_block];
    const std::span<const std::byte> base =
        action.kind == Kind::add ? packet : std::span(own.base + offset(own, action.own), regions.bytes);
    const Packet sum = me.receive(action.port, packet, base, regions.combine);
    if (since)
        since->set_sum(sum, base);
}

// A node that breaks a rule does no more: the run ends with this step.
[[gnu::cold]] bool post(Engine& engine, Chunk& chunk, Tile& tile, Follower& node, const Action& action)
{
    try {
        post(*node.follow->node, action, *node.follow->regions);
        return true;
    } catch (...) {
        chunk.fail(Failure::of_program(std::current_exception(), engine.step(), node.id));
        node.follow = nullptr;
        tile.broken = true;
        return false;
    }
}

void drop_broken(Tile& tile)
{
    std::erase_if(tile.followers, [](const Follower& node) { return !node.follow; });
    tile.broken = false;
    tile.lanes.reset();
}

// The loops of one tile in one step. A place of a wire is used every other step: packets sent in step t lie in place t
// % 2, unless something unusual happened before. A loop keeps its data in local variables: for all that the compiler
// knows, every store to a wire or a packet might change any member.
//
// Links' packets are counted by port, for the whole tile, and handed on when it ends (Tile::sent); a node that leaves a
// loop is taken off its link's count again.
template <bool checked, class Image>
class Loops {
public:
    Loops(Engine& engine, Chunk& chunk, Tile& tile, const Tile* ahead, Step step)
        : engine_(engine), chunk_(chunk), tile_(tile), ahead_(ahead && ahead->due() == step ? ahead : nullptr),
          step_(step)
    {
    }

    void run(const Action& action) const
    {
        if (checked && action.port >= tile_.ports) [[unlikely]]
            return post_each(action);
        with_location<Image>(engine_, tile_, action.place, action.block, action.index, [&](const auto& where) {
            switch (action.kind) {
            case Kind::send: return send(action, where);
            case Kind::keep: return keep(action, where);
            case Kind::begin_sum:
            case Kind::add: return add(action, where);
            }
        });
    }

private:
    // Some of the nodes have no such port.
    void post_each(const Action& action) const
    {
        for (Follower& node : tile_.followers)
            post(engine_, chunk_, tile_, node, action);
    }

    template <class From>
    void send(const Action& action, const From& from) const
    {
        if constexpr (checked)
            ++tile_.sent[action.port];
        const std::uint32_t plane = action.port * engine_.links().numbers().stride();
        if (const std::uint32_t* const outs = engine_.links().numbers().outs().data())
            return send(action, from, 0, [=](const Follower& node) { return outs[node.first_link + plane]; });
        const NodeId bit = NodeId{1} << action.port;
        send(action, from, plane, [=](const Follower& node) { return node.id ^ bit; });
    }

    // Links' numbers are `first` + link_of(node).
    template <class From, class LinkOf>
    void send(const Action& action, const From& from, std::uint32_t first, const LinkOf& link_of) const
    {
        const Step step = step_;
        std::uint64_t* const data = engine_.links().wires().data(step % 2) + first;
        std::uint64_t* const states = engine_.links().wires().states(step % 2) + first;
        const std::uint64_t full = Place::full_since(step, static_cast<std::uint32_t>(tile_.shape.bytes));
        std::uint64_t left = 0;  // the loop
        for (Follower *node = tile_.followers.data(), *end = node + tile_.followers.size(); node != end; ++node) {
            const std::uint32_t link = link_of(*node);
            std::byte* const bytes = from(*node);
            const Place place(data[link], states[link]);
            const bool none = From::may_lack && !bytes;
            const bool unusual = checked ? !Place::is_free(place.state(), step) : place.state() == Place::bell;
            if (none || unusual) [[unlikely]] {
                ++left;
                if constexpr (checked)
                    --engine_.links().packets()[first + link];
                if (!none)
                    post(engine_, chunk_, tile_, *node, action);
                continue;
            }
            place.fill(bytes, full);
        }
        const std::uint64_t sent = tile_.followers.size() - left;
        if constexpr (checked)
            chunk_.count_sent(sent, sent * tile_.shape.bytes);
    }

    template <class Into>
    void keep(const Action& action, const Into& into) const
    {
        switch (tile_.shape.bytes) {
        case 4: return keep<Words<4>>(action, into);
        case 8: return keep<Words<8>>(action, into);
        case 16: return keep<Words<16>>(action, into);
        case 32: return keep<Words<32>>(action, into);
        case 64: return keep<Words<64>>(action, into);
        case 128: return keep<Words<128>>(action, into);
        default: return keep<AnySize>(action, into);
        }
    }

    template <class Size, class Into>
    void keep(const Action& action, const Into& into) const
    {
        take(action, into, [bytes = tile_.shape.bytes](const Follower&, std::byte* to, const std::byte* data) {
            Size::copy(to, data, bytes);
        });
    }

    template <class Into>
    void add(const Action& action, const Into& into) const
    {
        const InBlock<Image> own(engine_, tile_, Script::Place::input_block, action.block, action.own);
        const bool begun = action.kind == Kind::add;
        take(action, into,
             [=, combine = tile_.shape.combine, bytes = tile_.shape.bytes](const Follower& node, std::byte* sum,
                                                                           const std::byte* data) {
                 combine(sum, begun ? sum : own.certain(node), data, bytes);
             });
    }

    template <class Into, class Store>
    void take(const Action& action, const Into& into, const Store& store) const
    {
        fetch(action, into);
        const Step step = step_;
        const std::size_t plane = std::size_t{action.port} * engine_.links().numbers().stride();
        std::uint64_t* const data = engine_.links().wires().data((step + 1) % 2) + plane;
        std::uint64_t* const states = engine_.links().wires().states((step + 1) % 2) + plane;
        std::uint64_t* const others = engine_.links().wires().states(step % 2) + plane;
        const std::uint64_t full = Place::full_since(step - 1, static_cast<std::uint32_t>(tile_.shape.bytes));
        const std::uint64_t empty = Place::empty_since(step);
        std::uint64_t left = 0;
        for (Follower *node = tile_.followers.data(), *end = node + tile_.followers.size(); node != end; ++node) {
            std::byte* const to = into(*node);
            const Place place(data[node->first_link], states[node->first_link]);
            const bool none = Into::may_lack && !to;
            const std::uint64_t state = place.state();
            const bool held = state == (full | Place::held);
            const bool unusual =
                checked &&
                ((state != full && !held) ||
                 Place::waits_in(AtomicWord(others[node->first_link]).load(std::memory_order_acquire), step));
            if (none || unusual) [[unlikely]] {
                ++left;
                if (!none)
                    post(engine_, chunk_, tile_, *node, action);
                continue;
            }
            store(*node, to, held ? place.held_data() : place.data());
            place.set_state(empty);
        }
        if constexpr (checked)
            chunk_.count_taken(tile_.followers.size() - left);
    }

    // Asks the cache for what the next tile will touch, where that is scattered: slots and wires lie side by side.
    template <class Into>
    void fetch(const Action& action, const Into& into) const
    {
        if (!ahead_)
            return;
        if (action.place != Script::Place::slot)
            for (const Follower& node : ahead_->followers)
                __builtin_prefetch(into(node), 1);
        if (action.from_input && action.port < ahead_->ports) {
            const std::size_t plane = std::size_t{action.port} * engine_.links().numbers().stride();
            for (const Follower& node : ahead_->followers)
                __builtin_prefetch(engine_.links().wires().at(plane + node.first_link, (step_ + 1) % 2).data());
        }
    }

    Engine& engine_;
    Chunk& chunk_;
    Tile& tile_;
    const Tile* ahead_;
    Step step_;
};

template <bool checked, class Image>
void run_loops(Engine& engine, Chunk& chunk, Tile& tile, const Tile* ahead, Step step)
{
    const Loops<checked, Image> loops(engine, chunk, tile, ahead, step);
    for (const Action& action : tile.script.actions_of(tile.stage)) {
        loops.run(action);
        if (!tile.broken) [[likely]]
            continue;
        drop_broken(tile);
        if (tile.followers.empty())
            return;
    }
}

// Rows, and loops for what they leave.
template <bool checked, class Image>
void run_rows(Engine& engine, Chunk& chunk, Tile& tile, const Tile* ahead, Step step)
{
    if (!tile.lanes)
        return run_loops<checked, Image>(engine, chunk, tile, ahead, step);
    const Loops<checked, Image> loops(engine, chunk, tile, ahead, step);
    TileRows rows(engine, chunk, tile, ahead, step);
    const std::span<const Action> actions = tile.script.actions_of(tile.stage);
    for (std::size_t i = 0; i < actions.size(); ++i) {
        const Action& action = actions[i];
        rows.fetch_ahead(i);
        if (action.port < tile.ports && tile.lanes && rows.run(action)) [[likely]]
            continue;
        loops.run(action);
        if (!tile.broken) [[likely]]
            continue;
        drop_broken(tile);
        if (tile.followers.empty())
            break;
    }
    rows.count();
}

// Node by node, in the words of Node.
void run_posts(Engine& engine, Chunk& chunk, Tile& tile, const Tile*, Step)
{
    for (Follower& node : tile.followers)
        for (const Action& action : tile.script.actions_of(tile.stage))
            if (!post(engine, chunk, tile, node, action))
                break;
    if (tile.broken)
        drop_broken(tile);
}

template <bool checked>
auto* loops_for(const Engine& engine, const Tile& tile)
{
    if (tile.one_origin)
        return &run_rows<checked, Fixed>;
    if (engine.topology().is_hypercube())
        return &run_rows<checked, Turned>;
    if (engine.translations().whole())
        return &run_rows<checked, LookedUp>;
    return engine.translations().made() ? &run_rows<checked, LookedUpTwice> : &run_posts;
}

auto* runner(const Engine& engine, const Tile& tile)
{
    if (!engine.plain() || tile.renamed || tile.shape.bytes >= Place::end_of_sizes)
        return &run_posts;
    return engine.checked() ? loops_for<true>(engine, tile) : loops_for<false>(engine, tile);
}

}  // namespace

void run_stage(Engine& engine, Chunk& chunk, Tile& tile, const Tile* ahead, Step step)
{
    runner(engine, tile)(engine, chunk, tile, ahead, step);
}

}  // namespace dcube::detail

#include "emu/tiles.hpp"

#include "emu/engine.hpp"
#include <dcube/arrival_times.hpp>

#include <algorithm>
#include <cstring>
#include <tuple>
#include <type_traits>

namespace dcube::detail {

namespace {

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
bool post(Engine& engine, Chunk& chunk, Tile& tile, Follower& node, const Action& action)
{
    try {
        post(engine.node(node.id), action, *node.follow->regions);
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
}

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
struct Fixed {  // where all have one origin
    NodeId image;
    Fixed(const Engine& engine, const Tile& tile, NodeId block)
        : image(engine.topology().translate(block, tile.followers.front().origin))
    {
    }
    NodeId operator()(NodeId) const { return image; }
};

// Where a packet lies in each follower's memory.
template <class Image>
class Location {
public:
    Location(const Engine& engine, const Tile& tile, Script::Place place, NodeId block, std::uint32_t index)
        : image_(engine, tile, block), place_(static_cast<std::size_t>(place)), size_(tile.shape[place].size),
          block_stride_(tile.shape[place].block_stride), first_(index * tile.shape[place].index_stride)
    {
    }

    [[nodiscard]] std::size_t offset(const Follower& node) const
    {
        return block_stride_ == 0 ? first_ : image_(node.origin) * block_stride_ + first_;
    }
    [[nodiscard]] bool exists(std::size_t offset) const { return offset < size_; }
    [[nodiscard]] std::byte* at(const Follower& node, std::size_t offset) const { return node.bases[place_] + offset; }

private:
    Image image_;
    std::size_t place_;
    std::size_t size_;
    std::size_t block_stride_;
    std::size_t first_;
};

// Copies of a size that the compiler knows: a call of memcpy would cost as much again.
template <std::size_t bytes>
struct Words {
    static void copy(std::byte* to, const std::byte* from, std::size_t)
    {
        if constexpr (bytes < 16) {
            std::memcpy(to, from, bytes);
        } else {
            using Vector [[gnu::vector_size(16), gnu::aligned(1), gnu::may_alias]] = long long;
            Vector words[bytes / 16];
            for (std::size_t i = 0; i < bytes / 16; ++i)
                words[i] = reinterpret_cast<const Vector*>(from)[i];
            for (std::size_t i = 0; i < bytes / 16; ++i)
                reinterpret_cast<Vector*>(to)[i] = words[i];
        }
    }
};
struct Stretch {
    static void copy(std::byte* to, const std::byte* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
};

// The loops of one tile in one step. A place of a wire is used every other step: what is sent in step t lies in place
// t % 2, unless something unusual happened before. What a loop needs is in local variables: for all that the compiler
// knows, every store to a wire or a packet might change any member.
template <bool checked, class Image>
class Loops {
public:
    Loops(Engine& engine, Chunk& chunk, Tile& tile, const Tile* ahead, Step step)
        : engine_(engine), chunk_(chunk), tile_(tile), ahead_(ahead), step_(step)
    {
    }

    void run(const Action& action) const
    {
        if (checked && action.port >= tile_.ports) [[unlikely]]
            return post_each(action);
        switch (action.kind) {
        case Kind::send: return send(action);
        case Kind::keep: return keep(action);
        case Kind::begin_sum:
        case Kind::add: return add(action);
        }
    }

private:
    using Where = Location<Image>;

    // Some of the nodes have no such port.
    void post_each(const Action& action) const
    {
        for (Follower& node : tile_.followers)
            post(engine_, chunk_, tile_, node, action);
    }

    void send(const Action& action) const
    {
        const std::uint32_t plane = action.port * engine_.numbers().stride();
        if (const std::uint32_t* const outs = engine_.numbers().outs().data())
            return send(action, [=](const Follower& node) { return outs[node.first_link + plane]; });
        const NodeId bit = NodeId{1} << action.port;
        send(action, [=](const Follower& node) { return (node.id ^ bit) + plane; });
    }

    template <class Link>
    void send(const Action& action, const Link& link_of) const
    {
        const Where from(engine_, tile_, action.place, action.block, action.index);
        Place* const wires = engine_.wires().wire_of_two(0);
        std::uint32_t* const packets = engine_.packets();
        const Step step = step_;
        const std::uint64_t full = Place::full_since(step, static_cast<std::uint32_t>(tile_.shape.bytes));
        std::uint64_t sent = 0;
        for (Follower *node = tile_.followers.data(), *end = node + tile_.followers.size(); node != end; ++node) {
            const std::size_t offset = from.offset(*node);
            if (!from.exists(offset)) [[unlikely]]
                continue;
            const std::uint32_t link = link_of(*node);
            Place* const wire = wires + std::size_t{link} * 2;
            Place& place = wire[step % 2];
            if constexpr (checked)
                if (Place::is_full(place.mark()) || wire[(step + 1) % 2].mark() == step) [[unlikely]] {
                    post(engine_, chunk_, tile_, *node, action);
                    continue;
                }
            place.data = from.at(*node, offset);
            place.state.store(full, std::memory_order_release);
            if constexpr (checked) {
                ++packets[link];
                ++sent;
            }
        }
        if constexpr (checked)
            chunk_.count_sent(sent, sent * tile_.shape.bytes);
    }

    void keep(const Action& action) const
    {
        switch (tile_.shape.bytes) {
        case 4: return keep<Words<4>>(action);
        case 8: return keep<Words<8>>(action);
        case 16: return keep<Words<16>>(action);
        case 32: return keep<Words<32>>(action);
        case 64: return keep<Words<64>>(action);
        case 128: return keep<Words<128>>(action);
        default: return keep<Stretch>(action);
        }
    }

    template <class Size>
    void keep(const Action& action) const
    {
        const Where into(engine_, tile_, action.place, action.block, action.index);
        const std::size_t bytes = tile_.shape.bytes;
        take(action, into, [=](const Follower& node, std::size_t offset, const std::byte* data) {
            Size::copy(into.at(node, offset), data, bytes);
        });
    }

    void add(const Action& action) const
    {
        const Where into(engine_, tile_, action.place, action.block, action.index);
        const Where own(engine_, tile_, Script::Place::input_block, action.block, action.own);
        const bool begun = action.kind == Kind::add;
        const Combine combine = tile_.shape.combine;
        const std::size_t bytes = tile_.shape.bytes;
        take(action, into, [=](const Follower& node, std::size_t offset, const std::byte* data) {
            std::byte* const sum = into.at(node, offset);
            combine(sum, begun ? sum : own.at(node, own.offset(node)), data, bytes);
        });
    }

    template <class Store>
    void take(const Action& action, const Where& into, const Store& store) const
    {
        fetch(action, into);
        Place* const wires = engine_.wires().wire_of_two(std::size_t{action.port} * engine_.numbers().stride());
        const Step step = step_;
        const std::uint64_t full = Place::full_since(step - 1, static_cast<std::uint32_t>(tile_.shape.bytes));
        const std::uint64_t empty = Place::empty_since(step);
        for (Follower *node = tile_.followers.data(), *end = node + tile_.followers.size(); node != end; ++node) {
            const std::size_t offset = into.offset(*node);
            if (!into.exists(offset)) [[unlikely]]
                continue;
            Place* const wire = wires + std::size_t{node->first_link} * 2;
            Place& place = wire[(step + 1) % 2];
            if constexpr (checked)
                if (place.state.load(std::memory_order_acquire) != full ||
                    Place::is_waiting(wire[step % 2].mark(), step)) [[unlikely]] {
                    post(engine_, chunk_, tile_, *node, action);
                    continue;
                }
            store(*node, offset, place.data);
            place.state.store(empty, std::memory_order_release);
        }
    }

    // Asks the cache for what the next tile will touch, where that is scattered: slots and wires lie side by side.
    void fetch(const Action& action, const Where& into) const
    {
        if (!ahead_)
            return;
        if (action.place != Script::Place::slot)
            for (const Follower& node : ahead_->followers)
                __builtin_prefetch(into.at(node, into.offset(node)), 1);
        if (action.from_input) {
            const Place* const wires =
                engine_.wires().wire_of_two(std::size_t{action.port} * engine_.numbers().stride());
            for (const Follower& node : ahead_->followers)
                __builtin_prefetch(wires[std::size_t{node.first_link} * 2 + (step_ + 1) % 2].data);
        }
    }

    Engine& engine_;
    Chunk& chunk_;
    Tile& tile_;
    const Tile* ahead_;  // the tile that will run the same stage next, if there is one
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
        return &run_loops<checked, Fixed>;
    if (engine.topology().is_hypercube())
        return &run_loops<checked, Turned>;
    return engine.images().made() ? &run_loops<checked, LookedUp> : &run_posts;
}

auto* runner(const Engine& engine, const Tile& tile)
{
    if (!engine.plain() || tile.shape.bytes >= Place::aside || engine.any_dormant())
        return &run_posts;
    return engine.checked() ? loops_for<true>(engine, tile) : loops_for<false>(engine, tile);
}

// Nodes that may share a tile have the same key. Scripts are compared by where they stand.
auto key(const Follow& follow)
{
    const auto shape = [](const Region& region) {
        return std::tuple(region.size, region.block_stride, region.index_stride);
    };
    const Regions& in = *follow.regions;
    return std::tuple(follow.before, follow.script.stages.data(), in.bytes,
                      reinterpret_cast<std::uintptr_t>(in.combine), shape(in.regions[0]), shape(in.regions[1]),
                      shape(in.regions[2]), shape(in.regions[3]), shape(in.regions[4]));
}

Follower follower(const NodeState& node)
{
    const Regions& regions = *node.following->regions;
    Follower made{node.id(), regions.origin, node.first_link, {}, node.following};
    for (std::size_t place = 0; place < made.bases.size(); ++place)
        made.bases[place] = regions.regions[place].base;
    return made;
}

}  // namespace

void Tiles::join(const NodeState& node)
{
    joined_.push_back(&node);
}

bool Tiles::form(Engine& engine, Step step)
{
    if (joined_.empty())
        return false;
    std::ranges::stable_sort(joined_, {}, [](const NodeState* node) { return key(*node->following); });
    bool due = false;
    for (std::size_t i = 0; i < joined_.size(); ++i) {
        const Follow& follow = *joined_[i]->following;
        const bool fits =
            i > 0 && tiles_.back().followers.size() < Tile::most && key(follow) == key(*joined_[i - 1]->following);
        if (!fits) {
            tiles_.push_back({follow.script, follow.before, 0, *follow.regions, true, false, joined_[i]->ports(), {}});
            due = due || tiles_.back().due() == step;
        }
        Tile& tile = tiles_.back();
        tile.followers.push_back(follower(*joined_[i]));
        tile.ports = std::min(tile.ports, joined_[i]->ports());
        tile.one_origin = tile.one_origin && tile.followers.back().origin == tile.followers.front().origin;
        if (!tile.one_origin)
            engine.make_images();
    }
    joined_.clear();
    return due;
}

void Tiles::run(Engine& engine, Chunk& chunk, Step step, std::vector<NodeId>& ended)
{
    bool any_ended = false;
    for (std::size_t i = 0; i < tiles_.size(); ++i) {
        Tile& tile = tiles_[i];
        if (tile.due() != step)
            continue;
        const Tile* const next = i + 1 < tiles_.size() ? &tiles_[i + 1] : nullptr;
        const bool alike = next && next->script.stages.data() == tile.script.stages.data() &&
                           next->stage == tile.stage && next->due() == step;
        runner(engine, tile)(engine, chunk, tile, alike ? next : nullptr, step);
        if (++tile.stage < tile.script.stages.size())
            continue;
        any_ended = true;
        for (const Follower& node : tile.followers)
            ended.push_back(node.id);
    }
    if (any_ended)
        std::erase_if(tiles_, [](const Tile& tile) { return tile.stage == tile.script.stages.size(); });
}

Step Tiles::next_step(Step none) const
{
    Step next = none;
    for (const Tile& tile : tiles_)
        next = std::min(next, tile.due());
    return next;
}

std::size_t Tiles::followers() const
{
    std::size_t count = 0;
    for (const Tile& tile : tiles_)
        count += tile.followers.size();
    return count;
}

void Tiles::clear()
{
    tiles_.clear();
    joined_.clear();
}

}  // namespace dcube::detail

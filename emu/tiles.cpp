#include "emu/tiles.hpp"

#include "emu/engine.hpp"
#include "emu/script_check.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace dcube::detail {

namespace {

constexpr Step never = ~Step{0};

// Adds the packets that the nodes have sent over each port to their links' counts.
void count_links(Engine& engine, const Tile& tile)
{
    for (Port port = 0; port < tile.sent.size(); ++port)
        for (const Follower& node : tile.followers)
            engine.links().packets()[engine.links().numbers().out(node.id, port)] += tile.sent[port];
}

// `check`: of the nodes before it with the same key, if there are such. `next`: the one behind it.
void require_usable(std::optional<ScriptCheck>& check, const NodeState& node, const NodeState* next)
{
    const Follow& follow = *node.following;
    if (!check && next && are_alike(*next->following, follow))
        check.emplace(node.engine->checked_scripts().of(follow, node.engine->step()));
    else if (!check)
        check.emplace(follow.script, *follow.regions, follow.node->topology());
    check->require(*follow.regions);
    if (!node.engine->checked())
        check->require_ports(node);
}

Follower follower(const NodeState& node)
{
    const Regions& regions = *node.following->regions;
    Follower made{node.id(), regions.origin, node.first_link, {}, node.following};
    for (std::size_t place = 0; place < made.bases.size(); ++place)
        made.bases[place] = regions.regions[place].base;
    return made;
}

// The address of bytes that need not be there: nothing may be added to a null pointer.
std::uintptr_t address(const std::byte* bytes)
{
    return reinterpret_cast<std::uintptr_t>(bytes);
}

std::unique_ptr<Lanes> lanes_of(std::span<const Follower> nodes, Port ports, std::size_t bytes)
{
    auto lanes = std::make_unique_for_overwrite<Lanes>();
    lanes->taken.resize(ports);
    const Follower& first = nodes.front();
    constexpr auto slot = static_cast<std::size_t>(Script::Place::slot);
    lanes->first = first.id;
    lanes->origins_in_order = lanes->slots_in_order = true;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Follower& node = nodes[i];
        if (node.id != first.id + i || node.first_link != first.id + i)
            return nullptr;
        lanes->origins[i] = node.origin;
        lanes->origins_in_order = lanes->origins_in_order && node.origin == first.origin + i;
        lanes->slots_in_order =
            lanes->slots_in_order && address(node.bases[slot]) == address(first.bases[slot]) + i * bytes;
        for (std::size_t place = 0; place < node.bases.size(); ++place)
            lanes->bases[place][i] = node.bases[place];
    }
    return lanes;
}

void lay_out(const Engine& engine, Tile& tile)
{
    tile.sent.resize(tile.ports);
    constexpr std::size_t worth_a_row = 8;
    if (engine.plain() && !tile.renamed && tile.shape.bytes < Place::end_of_sizes &&
        tile.followers.size() >= worth_a_row)
        tile.lanes = lanes_of(tile.followers, tile.ports, tile.shape.bytes);
}

}  // namespace

void Tiles::join(const NodeState& node)
{
    joined_.push_back(&node);
}

bool Tiles::form(Engine& engine, Chunk& chunk, Step step)
{
    if (joined_.empty())
        return false;
    const auto key = [](const NodeState* node) { return key_of(*node->following); };
    const auto are_alike = [](const NodeState* a, const NodeState* b) {
        return detail::are_alike(*a->following, *b->following);
    };
    if (std::ranges::adjacent_find(joined_, std::not_fn(are_alike)) != joined_.end())
        std::ranges::stable_sort(joined_, {}, key);
    const std::size_t formed = tiles_.size();
    bool due = false;
    bool open = false;                 // the last tile, to nodes of the same key
    std::optional<ScriptCheck> check;  // of the nodes of this key
    for (std::size_t i = 0; i < joined_.size(); ++i) {
        const Follow& follow = *joined_[i]->following;
        if (i == 0 || !are_alike(joined_[i], joined_[i - 1])) {
            check.reset();
            open = false;
        }
        try {
            require_usable(check, *joined_[i], i + 1 < joined_.size() ? joined_[i + 1] : nullptr);
        } catch (...) {
            chunk.fail(Failure::of_program(std::current_exception(), step, joined_[i]->id()));
            continue;
        }
        if (!open || tiles_.back().followers.size() == Tile::most) {
            open = true;
            tiles_.push_back({.script = follow.script,
                              .before = follow.before,
                              .shape = *follow.regions,
                              .renamed = follow.node != joined_[i],
                              .ports = joined_[i]->ports()});
            due = due || tiles_.back().due() == step;
        }
        Tile& tile = tiles_.back();
        tile.followers.push_back(follower(*joined_[i]));
        tile.ports = std::min(tile.ports, joined_[i]->ports());
        tile.one_origin = tile.one_origin && tile.followers.back().origin == tile.followers.front().origin;
        if (!tile.one_origin && !tile.renamed)
            engine.make_translations();
    }
    for (std::size_t i = formed; i < tiles_.size(); ++i) {
        lay_out(engine, tiles_[i]);
        due_.push_back(tiles_[i].due());
        followers_ += tiles_[i].followers.size();
    }
    joined_.clear();
    return due;
}

void Tiles::run(Engine& engine, Chunk& chunk, Step step, std::vector<NodeId>& ended)
{
    bool any_ended = false;
    const Tile* first = nullptr;  // of the tiles at the same place of the same script
    for (std::size_t i = 0; i < tiles_.size(); ++i) {
        if (due_[i] != step)
            continue;
        Tile& tile = tiles_[i];
        const Tile* next = i + 1 < tiles_.size() && due_[i + 1] == step ? &tiles_[i + 1] : nullptr;
        if (!next || place_of(next->script) != place_of(tile.script) || next->stage != tile.stage)
            next = std::exchange(first, nullptr);  // which is at its next stage now, unless it has ended
        else if (!first)
            first = &tile;
        const std::size_t followers = tile.followers.size();
        run_stage(engine, chunk, tile, next && next->stage < next->script.stages.size() ? next : nullptr, step);
        followers_ -= followers - tile.followers.size();  // nodes that have broken a rule
        if (++tile.stage < tile.script.stages.size()) {
            due_[i] = tile.due();
            continue;
        }
        any_ended = true;
        due_[i] = never;
        count_links(engine, tile);
        for (const Follower& node : tile.followers)
            ended.push_back(node.id);
    }
    if (any_ended)
        erase_ended();
}

void Tiles::erase_ended()
{
    std::size_t left = 0;
    for (std::size_t i = 0; i < tiles_.size(); ++i) {
        if (due_[i] == never) {
            followers_ -= tiles_[i].followers.size();
            continue;
        }
        if (left != i) {
            tiles_[left] = std::move(tiles_[i]);
            due_[left] = due_[i];
        }
        ++left;
    }
    tiles_.erase(tiles_.begin() + static_cast<std::ptrdiff_t>(left), tiles_.end());
    due_.resize(left);
}

Step Tiles::next_step(Step none) const
{
    Step next = none;
    for (const Step due : due_)
        next = std::min(next, due);
    return next;
}

void Tiles::clear()
{
    tiles_.clear();
    due_.clear();
    followers_ = 0;
    joined_.clear();
}

}  // namespace dcube::detail

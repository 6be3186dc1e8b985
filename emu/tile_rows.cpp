#include "emu/tile_rows.hpp"

#include "emu/engine.hpp"

namespace dcube::detail {

namespace {

using Action = Script::Action;
using Kind = Script::Action::Kind;

RowOfPlaces rows_of(Wires& wires, std::uint32_t place)
{
    return {wires.data(place), wires.states(place)};
}

RowOfPlaces from_link(const RowOfPlaces& rows, std::size_t link)
{
    return {rows.data + link, rows.states + link};
}

// Larger than what a core's own caches keep.
bool is_scattered(const Engine& engine, const Region& region)
{
    constexpr std::size_t kept = std::size_t{1} << 20;
    return region.block_stride != 0 && region.size / engine.topology().nodes() * engine.topology().nodes() > kept;
}

}  // namespace

TileRows::TileRows(Engine& engine, Chunk& chunk, Tile& tile, const Tile* ahead, Step step)
    : engine_(engine), chunk_(chunk), tile_(tile), ahead_(ahead && ahead->lanes ? ahead : nullptr),
      lanes_(*tile.lanes), step_(step),
      // What crosses to other ranks is read where the sender has it.
      held_((tile.shape.bytes == 4 || tile.shape.bytes == 8) && !engine.ranks().border() ? tile.shape.bytes : 0),
      now_(rows_of(engine.links().wires(), step % 2)), before_(rows_of(engine.links().wires(), 1 - step % 2))
{
}

bool TileRows::run(const Action& action)
{
    const Region& region = tile_.shape[action.place];
    if (region.block_stride == 0 && action.index * region.index_stride >= region.size)
        return true;  // nobody has it
    return action.kind == Kind::send ? send(action) : take(action);
}

// Nothing if not all of them have the packet, or their blocks cannot be found in this way.
std::optional<RowOfPackets> TileRows::locate(const Tile& tile, Script::Place place, NodeId block, std::uint32_t index,
                                             Images& images) const
{
    const Region& region = tile.shape[place];
    RowOfPackets at{.bases = tile.lanes->bases[static_cast<std::size_t>(place)].data(),
                    .offset = index * region.index_stride};
    if (region.block_stride == 0) {
        at.side_by_side = place == Script::Place::slot && tile.lanes->slots_in_order;
        return at;
    }
    at.stride = region.block_stride;
    const std::size_t last = (engine_.topology().nodes() - std::size_t{1}) * at.stride + at.offset;
    if (last >= region.size || !find_images(tile, block, at, images))
        return std::nullopt;
    return at;
}

bool TileRows::find_images(const Tile& tile, NodeId block, RowOfPackets& at, Images& images) const
{
    const Lanes& lanes = *tile.lanes;
    if (tile.one_origin) {
        const NodeId origin = lanes.origins[0];
        at.offset += (origin == 0 ? block : engine_.topology().translate(block, origin)) * at.stride;
        return true;
    }
    if (engine_.topology().is_hypercube()) {
        at.images = lanes.origins.data();
        at.turned_by = block;
        return true;
    }
    const TranslationTable& translations = engine_.translations();
    if (!translations.made())
        return false;
    if (translations.whole() && lanes.origins_in_order) {
        at.images = translations.of(block) + lanes.origins[0];
        return true;
    }
    at.images = images.data();
    const std::size_t count = tile.followers.size();
    if (translations.whole()) {
        const NodeId* const row = translations.of(block);
        for (std::size_t i = 0; i < count; ++i)
            images[i] = row[lanes.origins[i]];
        return true;
    }
    const TranslationTable::Halves halves = translations.halves_of(block);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t digits = halves.digits[lanes.origins[i]];
        images[i] = halves.high[digits >> 16] + halves.low[digits & 0xffff];
    }
    return true;
}

bool TileRows::send(const Action& action)
{
    const auto from = locate(tile_, action.place, action.block, action.index, images_);
    if (!from)
        return false;
    const LinkNumbers& numbers = engine_.links().numbers();
    const std::size_t count = tile_.followers.size();
    const std::size_t plane = std::size_t{action.port} * numbers.stride();
    RowToSend row{.count = count,
                  .from = *from,
                  .held = held_,
                  .to = now_,
                  .full = Place::full_since(step_, static_cast<std::uint32_t>(tile_.shape.bytes) |
                                                       (held_ != 0 ? Place::held : 0)),
                  .taken = Place::empty_since(step_)};
    if (!numbers.outs().empty()) {
        row.links = numbers.outs().data() + lanes_.first + plane;
    } else {
        const NodeId bit = NodeId{1} << action.port;
        const NodeId last = lanes_.first + static_cast<NodeId>(count) - 1;
        if ((lanes_.first ^ last) < bit) {
            row.to = from_link(now_, plane + (lanes_.first ^ bit));
        } else if (lanes_.first % (2 * bit) == 0 && count % (2 * bit) == 0) {
            row.to = from_link(now_, plane + lanes_.first);
            row.swapped = bit;
        } else {
            return false;
        }
    }
    if (!detail::send(row))
        return false;
    ++tile_.sent[action.port];
    if (engine_.checked())
        chunk_.count_sent(count, count * tile_.shape.bytes);
    fetch_for_next(action);
    return true;
}

bool TileRows::take(const Action& action)
{
    if (step_ == 1)
        return false;  // an unused place's mark is that of the step before
    const auto into = locate(tile_, action.place, action.block, action.index, images_);
    if (!into)
        return false;
    const std::size_t link = std::size_t{action.port} * engine_.links().numbers().stride() + lanes_.first;
    Step& taken = tile_.taken[action.port];
    RowToTake row{.count = tile_.followers.size(),
                  .from = from_link(before_, link),
                  // Where all took in the step before, they emptied those places, which have been filled only now.
                  .others = taken == step_ - 1 ? nullptr : now_.states + link,
                  .full = Place::full_since(step_ - 1, static_cast<std::uint32_t>(tile_.shape.bytes)),
                  .oldest = Place::full_since(step_, 0)};
    if (Place(row.from.data[0], row.from.states[0]).state() == (row.full | Place::held))
        row.full |= Place::held;
    if (engine_.checked() && !is_usual(row))
        return false;
    const std::uint64_t emptied = Place::empty_since(step_);
    if (action.kind == Kind::keep)
        keep(row, tile_.shape.bytes, *into, emptied);
    else if (add(action, row, *into))
        mark(row, emptied);
    else
        return false;
    taken = step_;
    if (engine_.checked())
        chunk_.count_taken(row.count);
    fetch_for_next(action);
    return true;
}

bool TileRows::add(const Action& action, const RowToTake& row, const RowOfPackets& into)
{
    const auto base = action.kind == Kind::add
                          ? std::optional(into)
                          : locate(tile_, Script::Place::input_block, action.block, action.own, images_);
    if (!base)
        return false;
    const bool held = row.holds();
    for (std::size_t i = 0; i < row.count; ++i) {
        const Place place(row.from.data[i], row.from.states[i]);
        tile_.shape.combine(const_cast<std::byte*>(into.of(i)), base->of(i), held ? place.held_data() : place.data(),
                            tile_.shape.bytes);
    }
    return true;
}

// Asks the cache for what the next tile will touch.
void TileRows::fetch_for_next(const Action& action) const
{
    if (!ahead_)
        return;
    const bool sends = action.kind == Kind::send;
    Images images;
    if ((!sends || held_ != 0) && is_scattered(engine_, tile_.shape[action.place]))
        if (const auto at = locate(*ahead_, action.place, action.block, action.index, images))
            for (std::size_t i = 0; i < ahead_->followers.size(); ++i)
                __builtin_prefetch(at->of(i), 1);
    if (!sends && held_ == 0 && action.from_input &&
        is_scattered(engine_, tile_.shape[Script::Place::input_block])) {
        const std::size_t link = std::size_t{action.port} * engine_.links().numbers().stride() + ahead_->lanes->first;
        for (std::size_t i = 0; i < ahead_->followers.size(); ++i)
            __builtin_prefetch(Place(before_.data[link + i], before_.states[link + i]).data());
    }
}

}  // namespace dcube::detail

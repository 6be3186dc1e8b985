#include "emu/tile_rows.hpp"

#include "emu/engine.hpp"

namespace dcube::detail {

namespace {

using Action = Script::Action;
using Kind = Script::Action::Kind;

RowOfPlaces rows_of(const Wires& wires, std::uint32_t place)
{
    return {wires.data(place), wires.states(place)};
}

// The places in which a core's own caches do not keep the packets of all nodes.
unsigned scattered_places(const Regions& shape, std::uint64_t nodes)
{
    constexpr std::size_t kept = std::size_t{1} << 20;
    unsigned scattered = 0;
    for (std::size_t place = 0; place < shape.regions.size(); ++place)
        if (shape.regions[place].block_stride != 0 && shape.regions[place].size > kept / nodes)
            scattered |= 1U << place;
    return scattered;
}

}  // namespace

TileRows::TileRows(Engine& engine, Chunk& chunk, Tile& tile, const Tile* ahead, Step step)
    : engine_(engine), chunk_(chunk), tile_(tile), ahead_(ahead && ahead->lanes ? ahead : nullptr), lanes_(*tile.lanes),
      step_(step), turned_(engine.topology().is_hypercube()), plane_(engine.links().numbers().stride()),
      outs_(engine.links().numbers().outs().data()), last_block_(engine.topology().nodes() - 1),
      now_(rows_of(engine.links().wires(), step % 2)), before_(rows_of(engine.links().wires(), 1 - step % 2))
{
    if (ahead_) {
        scattered_ = scattered_places(ahead->shape, engine.topology().nodes());
        actions_ahead_ = ahead->script.actions_of(ahead->stage);
    }
    const auto size = static_cast<std::uint32_t>(tile.shape.bytes);
    // Packets to other ranks are read where the sender has them.
    const bool holds = (size == 4 || size == 8) && !engine.ranks().border();
    sending_.count = taking_.count = tile.followers.size();
    sending_.held = holds ? size : 0;
    sending_.full = Place::full_since(step, holds ? size | Place::held : size);
    sending_.taken = Place::empty_since(step);
    taking_.bytes = size;
    taking_.emptied = Place::empty_since(step);
    taking_.newest = Place::full_since(step, 0);
    taking_.tested = engine.checked();
}

[[gnu::always_inline]] inline TileRows::Found TileRows::find(const Tile& tile, Script::Place place, NodeId block,
                                                             std::uint32_t index, RowOfPackets& at,
                                                             Images& images) const
{
    const Region& region = tile.shape[place];
    at.bases = tile.lanes->bases[static_cast<std::size_t>(place)].data();
    at.images = nullptr;
    at.offset = index * region.index_stride;
    at.stride = region.block_stride;
    at.side_by_side = false;
    if (region.block_stride == 0) {
        at.side_by_side = place == Script::Place::slot && tile.lanes->slots_in_order;
        return at.offset < region.size ? Found::all : Found::none;
    }
    if (last_block_ * at.stride + at.offset >= region.size)
        return Found::perhaps;
    if (!turned_ || tile.one_origin)
        return look_images_up(tile, block, at, images) ? Found::all : Found::perhaps;
    at.images = tile.lanes->origins.data();
    at.turned_by = block;
    return Found::all;
}

bool TileRows::run(const Action& action)
{
    RowOfPackets& at = action.kind == Kind::send ? sending_.from : taking_.into;
    switch (find(tile_, action.place, action.block, action.index, at, images_)) {
    case Found::none: return true;
    case Found::perhaps: return false;
    case Found::all: break;
    }
    return action.kind == Kind::send ? send(action) : take(action);
}

void TileRows::count() const
{
    if (!engine_.checked())
        return;
    chunk_.count_sent(sent_, sent_ * tile_.shape.bytes);
    chunk_.count_taken(taken_);
}

bool TileRows::look_images_up(const Tile& tile, NodeId block, RowOfPackets& at, Images& images) const
{
    const Lanes& lanes = *tile.lanes;
    if (tile.one_origin) {
        const NodeId origin = lanes.origins[0];
        at.offset += (origin == 0 ? block : engine_.topology().translate(block, origin)) * at.stride;
        return true;
    }
    at.turned_by = 0;
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

// Finds the links of a row. On hypercubes, only links in the same order as the nodes, or in an order that is swapped
// within the row.
[[gnu::always_inline]] inline bool TileRows::find_links(Port port)
{
    const std::size_t count = sending_.count;
    sending_.links = nullptr;
    sending_.swapped = 0;
    if (outs_) {
        sending_.to = now_;
        sending_.links = outs_ + port * plane_ + lanes_.first;
        return true;
    }
    const NodeId bit = NodeId{1} << port;
    const NodeId last = lanes_.first + static_cast<NodeId>(count) - 1;
    if ((lanes_.first ^ last) < bit) {
        sending_.to = now_.from(port * plane_ + (lanes_.first ^ bit));
        return true;
    }
    sending_.to = now_.from(port * plane_ + lanes_.first);
    sending_.swapped = bit;
    return lanes_.first % (2 * bit) == 0 && count % (2 * bit) == 0;
}

bool TileRows::send(const Action& action)
{
    if (!find_links(action.port) || !detail::send(sending_))
        return false;
    ++tile_.sent[action.port];
    sent_ += sending_.count;
    return true;
}

bool TileRows::take(const Action& action)
{
    if (step_ == 1)
        return false;  // an unused place's mark is that of the step before
    const std::size_t link = action.port * plane_ + lanes_.first;
    Step& taken = tile_.lanes->taken[action.port];
    taking_.from = before_.from(link);
    // Where all took in the step before, they emptied those places, which have been filled only now.
    taking_.others = taken == step_ - 1 ? nullptr : now_.states + link;
    taking_.full = Place::full_since(step_ - 1, static_cast<std::uint32_t>(taking_.bytes));
    if (Place(taking_.from.data[0], taking_.from.states[0]).state() == (taking_.full | Place::held))
        taking_.full |= Place::held;
    if (action.kind == Kind::keep ? !keep(taking_) : !add(action))
        return false;
    taken = step_;
    taken_ += taking_.count;
    return true;
}

bool TileRows::add(const Action& action)
{
    RowOfPackets base = taking_.into;
    if (action.kind == Kind::begin_sum &&
        find(tile_, Script::Place::input_block, action.block, action.own, base, images_) != Found::all)
        return false;
    if (!is_usual(taking_))
        return false;
    Addresses sums;
    Addresses bases;
    locate(taking_.into, taking_.count, sums);
    locate(base, taking_.count, bases);
    for (std::size_t i = 0; i < taking_.count; ++i) {
        const Place place(taking_.from.data[i], taking_.from.states[i]);
        tile_.shape.combine(sums[i], bases[i], taking_.holds() ? place.held_data() : place.data(), taking_.bytes);
    }
    mark_emptied(taking_);
    return true;
}

void TileRows::fetch_ahead(const Action& action) const
{
    const bool sends = action.kind == Kind::send;
    const std::size_t count = ahead_->followers.size();
    if ((!sends || sending_.held != 0) && is_scattered(action.place)) {
        Images images;
        RowOfPackets at;
        if (find(*ahead_, action.place, action.block, action.index, at, images) == Found::all)
            fetch(at, count);
    }
    // The packets that others will send in this step are not known yet.
    if (!sends && sending_.held == 0 && action.from_input && is_scattered(Script::Place::input_block) &&
        ahead_->due() == step_ && action.port < ahead_->ports) {
        const RowOfPlaces from = before_.from(action.port * plane_ + ahead_->lanes->first);
        for (std::size_t i = 0; i < count; ++i)
            __builtin_prefetch(Place(from.data[i], from.states[i]).data());
    }
}

}  // namespace dcube::detail

#include "emu/script_check.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string_view>

namespace dcube::detail {

namespace {

using Kind = Script::Action::Kind;
using Place = Script::Place;
__extension__ using WideOffset = unsigned __int128;

constexpr std::array<std::string_view, 5> place_names{"input", "input_block", "output", "output_block", "slot"};

template <class... Parts>
[[noreturn, gnu::cold]] void refuse_script(fmt::format_string<Parts...> text, Parts&&... parts)
{
    throw InvalidArgument("a script cannot be followed: " + fmt::format(text, std::forward<Parts>(parts)...));
}

// Where the last packet lies that a script may name.
WideOffset reach_of(const Region& region, std::uint32_t last_index, NodeId nodes)
{
    return WideOffset{region.block_stride} * (nodes - 1) + WideOffset{region.index_stride} * last_index;
}

void require_strides(const Region& region, std::uint32_t last_index, NodeId nodes, Place place)
{
    if (reach_of(region, last_index, nodes) > static_cast<WideOffset>(std::numeric_limits<std::ptrdiff_t>::max()))
        refuse_script("block {} and packet {} would lie beyond all memory in region {}: strides of {} and {} bytes are "
                      "negative or too large",
                      nodes - 1, last_index, place_names[static_cast<std::size_t>(place)], region.block_stride,
                      region.index_stride);
}

std::size_t offset_in(const Region& region, NodeId block, std::uint32_t index)
{
    return block * region.block_stride + index * region.index_stride;
}

bool same_shape(const Region& a, const Region& b)
{
    return a.size == b.size && a.block_stride == b.block_stride && a.index_stride == b.index_stride;
}

}  // namespace

ScriptCheck::ScriptCheck(const Script& script, const Regions& shape, const Topology& topology)
    : script_(script), shape_(shape), topology_(topology)
{
    check_stages();
    for (const Script::Action& action : script.actions)
        look_at(action);
    check_regions();
}

void ScriptCheck::check_stages() const
{
    const Script::Stage* before = nullptr;
    const std::size_t end = script_.stages.front().first + script_.actions.size();
    for (const Script::Stage& stage : script_.stages) {
        if (stage.step <= (before ? before->step : 0))
            refuse_script("its stages' steps must ascend from 1, and step {} comes after step {}", stage.step,
                          before ? before->step : 0);
        if (stage.first > end || (before && stage.first < before->first))
            refuse_script("the stage of step {} begins with action {}: from {} to {} is possible", stage.step,
                          stage.first, before ? before->first : stage.first, end);
        before = &stage;
    }
}

void ScriptCheck::look_at(const Script::Action& action)
{
    const auto number = [&] { return &action - script_.actions.data(); };
    if (action.block >= topology_.nodes()) [[unlikely]]
        refuse_script("its action {} names block {}: 0 to {} are there", number(), action.block, topology_.nodes() - 1);
    if (action.kind > Kind::add || action.place > Place::slot) [[unlikely]]
        refuse_script("its action {} is of kind {} in place {}: kinds 0 to 3 and places 0 to 4 are there", number(),
                      static_cast<int>(action.kind), static_cast<int>(action.place));
    Use& use = uses_[static_cast<std::size_t>(action.place)];
    use.any = true;
    use.last = std::max(use.last, action.index);
    ports_ = std::max<Port>(ports_, action.port + Port{1});
    if (action.kind == Kind::send)
        return;
    if (action.place < Place::output) [[unlikely]]
        refuse_script("its action {} receives to its input: output, output_block and slot are possible", number());
    if (action.kind == Kind::keep)
        return;
    if (!shape_.combine) [[unlikely]]
        refuse_script("its action {} adds, and its regions have no operation to combine with", number());
    if (action.kind == Kind::add)
        return;
    use.of_sums = true;
    last_own_ = std::max(last_own_, action.own);
    own_as_index_ = own_as_index_ && action.own == action.index;
}

void ScriptCheck::check_regions()
{
    for (const Place place : {Place::input, Place::input_block, Place::output, Place::output_block, Place::slot}) {
        const Use& use = uses_[static_cast<std::size_t>(place)];
        if (!use.any)
            continue;
        require_strides(shape_[place], use.last, topology_.nodes(), place);
        node_by_node_ = node_by_node_ || !lies_whole(shape_[place], use.last);
    }
    if (std::ranges::none_of(uses_, &Use::of_sums))
        return;
    require_strides(shape_[Place::input_block], last_own_, topology_.nodes(), Place::input_block);
    node_by_node_ = node_by_node_ || !own_shares_are_there();
}

// Whether no packet can begin within the region and end beyond it.
bool ScriptCheck::lies_whole(const Region& region, std::uint32_t last_index) const
{
    const std::size_t bytes = shape_.bytes;
    if (bytes == 0 || reach_of(region, last_index, topology_.nodes()) + bytes <= region.size)
        return true;
    const auto divides = [bytes](std::size_t length) { return length % bytes == 0; };
    const bool no_end = region.size == std::numeric_limits<std::size_t>::max();
    return (no_end || divides(region.size)) && divides(region.block_stride) &&
           (last_index == 0 || divides(region.index_stride));
}

// Of every sum that is begun: its node's share is there if its place is.
bool ScriptCheck::own_shares_are_there() const
{
    const Region& own = shape_[Place::input_block];
    if (reach_of(own, last_own_, topology_.nodes()) + shape_.bytes <= own.size)
        return true;
    for (std::size_t place = 0; place < uses_.size(); ++place)
        if (uses_[place].of_sums && !same_shape(shape_.regions[place], own))
            return false;
    return own_as_index_;
}

void ScriptCheck::require(const Regions& regions) const
{
    if (regions.origin >= topology_.nodes()) [[unlikely]]
        refuse_script("its blocks are translated by origin {}: 0 to {} are there", regions.origin,
                      topology_.nodes() - 1);
    for (std::size_t place = 0; place < uses_.size(); ++place)
        if (const Region& region = regions.regions[place];
            uses_[place].any && !region.base && region.size != 0 && regions.bytes != 0) [[unlikely]]
            refuse_script("region {} has {} bytes and no address", place_names[place], region.size);
    if (node_by_node_) [[unlikely]]
        for (const Script::Action& action : script_.actions)
            require_packet(action, regions);
}

// Within its region, or beyond it, and then there is none.
void ScriptCheck::require_packet(const Script::Action& action, const Regions& regions) const
{
    const NodeId block = topology_.translate(action.block, regions.origin);
    const Region& region = regions[action.place];
    const std::size_t at = offset_in(region, block, action.index);
    if (at >= region.size)
        return;
    if (region.size - at < regions.bytes)
        refuse_script("the packet of its action {}, of {} bytes, lies at {} of region {}, which ends at {}",
                      &action - script_.actions.data(), regions.bytes, at,
                      place_names[static_cast<std::size_t>(action.place)], region.size);
    if (action.kind != Kind::begin_sum)
        return;
    const Region& input = regions[Place::input_block];
    const std::size_t own = offset_in(input, block, action.own);
    if (own >= input.size || input.size - own < regions.bytes)
        refuse_script("its action {} begins a sum with {} bytes at {} of region input_block, which ends at {}",
                      &action - script_.actions.data(), regions.bytes, own, input.size);
}

}  // namespace dcube::detail

#include "emu/script_check.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string_view>

namespace dcube::detail {

namespace {

using ActionKind = Script::Action::Kind;
using ScriptPlace = Script::Place;
__extension__ using WideOffset = unsigned __int128;

constexpr std::array<std::string_view, 5> place_names{"input", "input_block", "output", "output_block", "slot"};

template <class... Parts>
[[noreturn, gnu::cold]] void refuse_script(fmt::format_string<Parts...> text, Parts&&... parts)
{
    throw InvalidArgument("a script cannot be followed: " + fmt::format(text, std::forward<Parts>(parts)...));
}

// The offset of the last packet that a script may name: `end` is one more than its index.
WideOffset reach_of(const Region& region, std::uint64_t end, NodeId nodes)
{
    return WideOffset{region.block_stride} * (nodes - 1) + WideOffset{region.index_stride} * (end - 1);
}

void require_strides(const Region& region, std::uint64_t end, NodeId nodes, std::size_t place)
{
    if (reach_of(region, end, nodes) > static_cast<WideOffset>(std::numeric_limits<std::ptrdiff_t>::max()))
        refuse_script("block {} and packet {} would lie beyond all memory in region {}: strides of {} and {} bytes are "
                      "negative or too large",
                      nodes - 1, end - 1, place_names[place], region.block_stride, region.index_stride);
}

std::size_t offset_in(const Region& region, NodeId block, std::uint32_t index)
{
    return block * region.block_stride + index * region.index_stride;
}

}  // namespace

ScriptCheck::ScriptCheck(const Script& script, const Regions& shape, const Topology& topology)
    : script_(script), shape_(shape), topology_(topology)
{
    check_stages();
    look_at_actions();
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

// Takes a few instructions per action: there are as many actions as a node has hops. The cause of an error is looked
// for afterwards.
void ScriptCheck::look_at_actions()
{
    Ends ends{};  // a local variable: the compiler must assume that other code may change members
    NodeId last_block = 0;
    std::size_t kind_bits = 0;
    std::size_t place_bits = 0;
    for (const Script::Action& action : script_.actions) {
        const auto kind = static_cast<std::size_t>(action.kind);
        const auto place = static_cast<std::size_t>(action.place);
        kind_bits |= kind;
        place_bits |= place;
        std::uint64_t& end = ends[kind % kinds][place % room_of_places];
        end = std::max(end, action.index + std::uint64_t{1});
        last_block = std::max(last_block, action.block);
        if (action.kind == ActionKind::begin_sum) {
            end_of_own_ = std::max(end_of_own_, action.own + std::uint64_t{1});
            own_as_index_ = own_as_index_ && action.own == action.index;
        }
    }
    ends_ = ends;
    const bool unknown = kind_bits >= kinds || place_bits >= room_of_places || end_of(5) + end_of(6) + end_of(7) != 0;
    const bool adds = any(ActionKind::begin_sum) || any(ActionKind::add);
    const bool into_input =
        std::ranges::any_of(std::array{ActionKind::keep, ActionKind::begin_sum, ActionKind::add},
                            [this](ActionKind kind) { return end_of(0, kind) != 0 || end_of(1, kind) != 0; });
    if (unknown || last_block >= topology_.nodes() || into_input || (adds && !shape_.combine)) [[unlikely]]
        for (const Script::Action& action : script_.actions)
            require_sound(action);
}

void ScriptCheck::require_sound(const Script::Action& action) const
{
    const auto number = &action - script_.actions.data();
    if (action.block >= topology_.nodes())
        refuse_script("its action {} names block {}: 0 to {} are there", number, action.block, topology_.nodes() - 1);
    if (action.kind > ActionKind::add || action.place > ScriptPlace::slot)
        refuse_script("its action {} is of kind {} in place {}: kinds 0 to 3 and places 0 to 4 are there", number,
                      static_cast<int>(action.kind), static_cast<int>(action.place));
    if (action.kind != ActionKind::send && action.place < ScriptPlace::output)
        refuse_script("its action {} receives to its input: output, output_block and slot are possible", number);
    if (action.kind >= ActionKind::begin_sum && !shape_.combine)
        refuse_script("its action {} adds, and its regions have no operation to combine with", number);
}

std::uint64_t ScriptCheck::end_of(std::size_t place) const
{
    std::uint64_t end = 0;
    for (const auto& of_kind : ends_)
        end = std::max(end, of_kind[place]);
    return end;
}

bool ScriptCheck::any(ActionKind kind) const
{
    return std::ranges::any_of(ends_[static_cast<std::size_t>(kind)], [](std::uint64_t end) { return end != 0; });
}

void ScriptCheck::check_regions()
{
    for (std::size_t place = 0; place < places; ++place)
        if (const std::uint64_t end = end_of(place); end != 0) {
            require_strides(shape_.regions[place], end, topology_.nodes(), place);
            node_by_node_ = node_by_node_ || !lies_whole(shape_.regions[place], end);
        }
    if (end_of_own_ == 0)
        return;
    require_strides(shape_[ScriptPlace::input_block], end_of_own_, topology_.nodes(),
                    static_cast<std::size_t>(ScriptPlace::input_block));
    node_by_node_ = node_by_node_ || !own_shares_are_there();
}

// Whether no packet can begin within the region and end beyond it.
bool ScriptCheck::lies_whole(const Region& region, std::uint64_t end) const
{
    const std::size_t bytes = shape_.bytes;
    if (bytes == 0 || reach_of(region, end, topology_.nodes()) + bytes <= region.size)
        return true;
    const auto divides = [bytes](std::size_t length) { return length % bytes == 0; };
    const bool no_end = region.size == std::numeric_limits<std::size_t>::max();
    return (no_end || divides(region.size)) && divides(region.block_stride) &&
           (end == 1 || divides(region.index_stride));
}

// Whether the node's share of every sum that is begun is there: it is if its place is.
bool ScriptCheck::own_shares_are_there() const
{
    const Region& own = shape_[ScriptPlace::input_block];
    if (reach_of(own, end_of_own_, topology_.nodes()) + shape_.bytes <= own.size)
        return true;
    for (std::size_t place = 0; place < places; ++place)
        if (end_of(place, ActionKind::begin_sum) != 0 && !same_shape(shape_.regions[place], own))
            return false;
    return own_as_index_;
}

void ScriptCheck::require_ports(const Node& node) const
{
    for (const Script::Action& action : script_.actions)
        if (action.port >= node.ports()) [[unlikely]]
            refuse_script("it uses port {}, and the node has {}", action.port, node.ports());
}

void ScriptCheck::require(const Regions& regions) const
{
    if (regions.origin >= topology_.nodes()) [[unlikely]]
        refuse_script("its blocks are translated by origin {}: 0 to {} are there", regions.origin,
                      topology_.nodes() - 1);
    for (std::size_t place = 0; place < places; ++place)
        if (const Region& region = regions.regions[place];
            !region.base && region.size != 0 && regions.bytes != 0 && end_of(place) != 0) [[unlikely]]
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
    if (action.kind != ActionKind::begin_sum)
        return;
    const Region& input = regions[ScriptPlace::input_block];
    const std::size_t own = offset_in(input, block, action.own);
    if (own >= input.size || input.size - own < regions.bytes)
        refuse_script("its action {} begins a sum with {} bytes at {} of region input_block, which ends at {}",
                      &action - script_.actions.data(), regions.bytes, own, input.size);
}

ScriptCheck CheckedScripts::of(const Follow& follow, Step now)
{
    {
        const std::lock_guard lock(mutex_);
        for (const Checked& one : checked_)
            if (one.end > now && are_alike(*one.by, follow))
                return one.check;
    }
    const ScriptCheck check(follow.script, *follow.regions, follow.node->topology());
    const std::lock_guard lock(mutex_);
    std::vector<Checked> left;
    for (const Checked& one : checked_)
        if (one.end > now)
            left.push_back(one);
    if (left.size() < most)
        left.push_back({&follow, follow.before + follow.script.stages.back().step, check});
    checked_.swap(left);
    return check;
}

}  // namespace dcube::detail

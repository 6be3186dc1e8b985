#include "algorithms/beyond/any_network/spread_try.hpp"

#include "base/arithmetic.hpp"
#include "base/planning.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace dcube::detail {

namespace {

void set_bit(std::span<std::uint64_t> bits, std::uint32_t index)
{
    bits[index / 64] |= std::uint64_t{1} << index % 64;
}

void clear_bit(std::span<std::uint64_t> bits, std::uint32_t index)
{
    bits[index / 64] &= ~(std::uint64_t{1} << index % 64);
}

std::uint32_t count_common(PacketBits a, PacketBits b)
{
    std::uint32_t count = 0;
    for (std::size_t word = 0; word < a.size(); ++word)
        count += static_cast<std::uint32_t>(std::popcount(a[word] & b[word]));
    return count;
}

// Number `index` (0, 1, ...) of those that are in both.
std::uint32_t common_packet(PacketBits a, PacketBits b, std::uint32_t index)
{
    std::size_t word = 0;
    for (;; ++word) {
        const auto here = static_cast<std::uint32_t>(std::popcount(a[word] & b[word]));
        if (index < here)
            break;
        index -= here;
    }
    std::uint64_t rest = a[word] & b[word];
    for (; index > 0; --index)
        rest &= rest - 1;
    return static_cast<std::uint32_t>(word * 64 + static_cast<unsigned>(std::countr_zero(rest)));
}

}  // namespace

SpreadState::SpreadState(const Arcs& arcs, std::span<const std::vector<NodeId>> holders)
    : arcs_(&arcs), words_(ceil_div(holders.size(), 64)), held_(arcs.nodes() * words_), missing_(arcs.nodes()),
      surplus_(arcs.size()), sole_(arcs.nodes()), only_holder_(holders.size()), copies_(holders.size()),
      levels_((arcs.nodes() + std::size_t{1}) * words_), level_size_(arcs.nodes() + std::size_t{1}),
      used_levels_(arcs.nodes() / 64 + 1)
{
    for (std::uint32_t packet = 0; packet < holders.size(); ++packet) {
        for (const NodeId node : holders[packet])
            set_bit(std::span(held_).subspan(node * words_, words_), packet);
        if (holders[packet].size() == 1)
            ++sole_[only_holder_[packet] = holders[packet].front()];
        move_to_level(packet, static_cast<std::uint32_t>(holders[packet].size()));
    }
    count_missing();
}

void SpreadState::count_missing()
{
    for (const NodeId node : arcs_->members()) {
        missing_[node] = packets() - count_common(held(node), held(node));
        all_missing_ += missing_[node];
        for_each_out(*arcs_, node, [&](ArcId arc) {
            const NodeId to = arcs_->to(arc);
            surplus_[arc] = count_common(held(node), held(node)) - count_common(held(node), held(to));
        });
    }
}

std::uint32_t SpreadState::next_level(std::uint32_t copies) const
{
    std::size_t word = copies / 64;
    if (word >= used_levels_.size())
        return no_level;
    std::uint64_t rest = used_levels_[word] & ~std::uint64_t{0} << copies % 64;
    while (rest == 0) {
        if (++word == used_levels_.size())
            return no_level;
        rest = used_levels_[word];
    }
    return static_cast<std::uint32_t>(word * 64 + static_cast<unsigned>(std::countr_zero(rest)));
}

void SpreadState::move_to_level(std::uint32_t packet, std::uint32_t copies)
{
    copies_[packet] = copies;
    set_bit(std::span(levels_).subspan(copies * words_, words_), packet);
    if (level_size_[copies]++ == 0)
        set_bit(used_levels_, copies);
}

std::uint32_t SpreadState::least_copies(PacketBits candidates) const
{
    std::uint32_t copies = next_level(0);
    while (copies != no_level && count_common(candidates, level(copies)) == 0)
        copies = next_level(copies + 1);
    return copies;
}

std::uint32_t SpreadState::rarest(PacketBits candidates, Random& random) const
{
    const std::uint32_t copies = least_copies(candidates);
    if (copies == no_level)
        return no_packet;
    const PacketBits rare = level(copies);
    return common_packet(candidates, rare, static_cast<std::uint32_t>(random.below(count_common(candidates, rare))));
}

void SpreadState::plan(std::uint32_t packet)
{
    const std::uint32_t copies = copies_[packet];
    if (copies == 1)
        --sole_[only_holder_[packet]];
    clear_bit(std::span(levels_).subspan(copies * words_, words_), packet);
    if (--level_size_[copies] == 0)
        clear_bit(used_levels_, copies);
    move_to_level(packet, copies + 1);
}

void SpreadState::arrive(NodeId node, std::uint32_t packet)
{
    set_bit(std::span(held_).subspan(node * words_, words_), packet);
    --missing_[node];
    --all_missing_;
    for_each_out(*arcs_, node, [&](ArcId arc) {
        if (has(arcs_->to(arc), packet))
            --surplus_[arcs_->opposite(arc)];
        else
            ++surplus_[arc];
    });
}

void SpreadChains::measure(const SpreadState& state)
{
    nodes_ = state.arcs().nodes();
    lengths_.resize(nodes_ * state.packets());
    measured_copies_.resize(state.packets());
    const std::size_t all = state.arcs().members().size();
    for (std::uint32_t packet = 0; packet < state.packets(); ++packet)
        if (const std::uint32_t copies = state.copies(packet); copies != measured_copies_[packet]) {
            measured_copies_[packet] = copies;
            if (copies < all)
                measure(state, packet);
        }
}

void SpreadChains::measure(const SpreadState& state, std::uint32_t packet)
{
    const Arcs& arcs = state.arcs();
    hops_.assign(nodes_, unreachable);
    reached_.clear();
    for (const NodeId node : arcs.members())
        if (state.has(node, packet)) {
            hops_[node] = 0;
            reached_.push_back(node);
        }
    for (std::size_t i = 0; i < reached_.size(); ++i)
        for_each_out(arcs, reached_[i], [&](ArcId arc) {
            if (hops_[arcs.to(arc)] == unreachable) {
                hops_[arcs.to(arc)] = hops_[reached_[i]] + 1;
                reached_.push_back(arcs.to(arc));
            }
        });
    const auto lengths = std::span(lengths_).subspan(packet * nodes_, nodes_);
    std::ranges::fill(lengths, 0);
    for (std::size_t i = reached_.size(); i-- > 0;)
        for_each_out(arcs, reached_[i], [&](ArcId arc) {
            if (hops_[arcs.to(arc)] == hops_[reached_[i]] + 1)
                lengths[reached_[i]] = std::max(lengths[reached_[i]], lengths[arcs.to(arc)] + 1);
        });
}

void SpreadTry::tell() const
{
    planning("spread", (turn_.number + 1 - static_cast<double>(state.missing()) / all_) / turn_.of);
}

std::uint32_t SpreadTry::choose(PacketBits candidates, NodeId receiver)
{
    if (chain_tenths_ == 0)
        return state.rarest(candidates, random);
    const std::int64_t weight = std::int64_t{chain_tenths_} * static_cast<std::int64_t>(state.arcs().members().size());
    std::uint32_t chosen = SpreadState::no_packet;
    std::pair least{std::numeric_limits<std::int64_t>::max(), std::uint64_t{0}};
    for_each_packet(candidates, [&](std::uint32_t packet) {
        const std::int64_t rank = std::int64_t{10} * state.copies(packet) - weight * chains_.beyond(receiver, packet);
        if (const std::pair here{rank, random()}; here < least) {
            least = here;
            chosen = packet;
        }
    });
    return chosen;
}

}  // namespace dcube::detail

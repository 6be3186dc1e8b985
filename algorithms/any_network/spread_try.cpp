#include "algorithms/any_network/spread_try.hpp"

#include "base/planning.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace dcube::detail {

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

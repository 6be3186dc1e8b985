#include "collectives/graphs/unrolled_network.hpp"

#include "base/planning.hpp"

#include <algorithm>

namespace dcube::detail {

UnrolledNetwork::UnrolledNetwork(const Arcs& arcs, NodeId root, const PacketsByNode& packets, Step steps)
    : arcs_(arcs), root_(root), nodes_(arcs.nodes()), steps_(steps), carries_(std::size_t{steps} * arcs.size()),
      waiting_((steps + std::size_t{1}) * arcs.nodes()), supply_(arcs.nodes()), level_(waiting_.size()),
      next_(waiting_.size()), packets_(packets)
{
    for (const NodeId node : arcs.members()) {
        supply_[node] = node == root ? 0 : static_cast<std::uint32_t>(packets[node]);
        missing_ += supply_[node];
    }
}

void UnrolledNetwork::add(const Walk& gather)
{
    --supply_[gather.target];
    --missing_;
    Place place = gather.target;
    const auto wait_until = [&](Step step) {
        for (; step_of(place) < step; place += nodes_)
            ++waiting_[place];
    };
    for (const auto& [step, arc] : gather.hops) {
        wait_until(step - 1);
        carries_[slot(step, arc)] = true;
        place = step * nodes_ + arcs_.to(arc);
    }
    wait_until(steps_);
}

std::optional<UnrolledNetwork::Place> UnrolledNetwork::after(Place place, std::uint32_t move) const
{
    const NodeId node = node_of(place);
    const Step step = step_of(place);
    const ArcId degree = arcs_.degree(node);
    if (move <= degree) {
        if (step == steps_)
            return std::nullopt;
        if (move == degree)
            return place + nodes_;
        const ArcId arc = arcs_.first_out(node) + move;
        return node == root_ || carries(step + 1, arc) ? std::nullopt
                                                       : std::optional((step + 1) * nodes_ + arcs_.to(arc));
    }
    if (step == 0)
        return std::nullopt;
    if (move == 2 * degree + 1)
        return waiting_[place - nodes_] > 0 ? std::optional(place - nodes_) : std::nullopt;
    const ArcId arc = arcs_.first_out(node) + move - degree - 1;
    return carries(step, arcs_.opposite(arc)) ? std::optional((step - 1) * nodes_ + arcs_.to(arc)) : std::nullopt;
}

void UnrolledNetwork::make(Place place, std::uint32_t move)
{
    const NodeId node = node_of(place);
    const Step step = step_of(place);
    const ArcId degree = arcs_.degree(node);
    const ArcId first = arcs_.first_out(node);
    if (move < degree)
        carries_[slot(step + 1, first + move)] = true;
    else if (move == degree)
        ++waiting_[place];
    else if (move == 2 * degree + 1)
        --waiting_[place - nodes_];
    else
        carries_[slot(step, arcs_.opposite(first + move - degree - 1))] = false;
}

// Finds each place's number of moves from packets that have no walk yet. Packets wait at the root until the end, so
// that those which arrive early and late are found together.
bool UnrolledNetwork::measure_levels()
{
    std::ranges::fill(level_, unreachable);
    queue_.clear();
    for (const NodeId node : arcs_.members())
        if (supply_[node] > 0) {
            level_[node] = 0;
            queue_.push_back(node);
        }
    for (std::size_t i = 0; i < queue_.size() && level_[end()] == unreachable; ++i) {
        if (i % 4096 == 0)
            planning("gather: unrolled flow", 0);
        const Place place = queue_[i];
        for (std::uint32_t move = 0; move < moves(place); ++move)
            if (const std::optional<Place> next = after(place, move); next && level_[*next] == unreachable) {
                level_[*next] = level_[place] + 1;
                queue_.push_back(*next);
            }
    }
    return level_[end()] != unreachable;
}

// One packet's path from there to the root, level by level.
bool UnrolledNetwork::augment(Place start)
{
    std::vector<Place> path{start};
    while (!path.empty()) {
        const Place place = path.back();
        if (place == end()) {
            for (std::size_t i = 0; i + 1 < path.size(); ++i)
                make(path[i], next_[path[i]]);
            return true;
        }
        std::uint32_t& move = next_[place];
        std::optional<Place> next;
        for (; move < moves(place); ++move)
            if (next = after(place, move); next && level_[*next] == level_[place] + 1)
                break;
        if (move < moves(place)) {
            path.push_back(*next);
            continue;
        }
        path.pop_back();
        if (!path.empty())
            ++next_[path.back()];
    }
    return false;
}

bool UnrolledNetwork::complete()
{
    while (missing_ > 0 && measure_levels()) {
        std::ranges::fill(next_, 0);
        for (const NodeId node : arcs_.members())
            while (supply_[node] > 0 && augment(node)) {
                planning("gather: unrolled flow", 0);
                --supply_[node];
                --missing_;
            }
    }
    return missing_ == 0;
}

// The packet that came last goes first.
std::vector<Walk> UnrolledNetwork::walks() const
{
    std::vector<Walk> walks;
    std::vector<std::vector<std::uint32_t>> waiting(nodes_);
    for (const NodeId node : arcs_.members())
        for (std::uint64_t copy = 0; node != root_ && copy < packets_[node]; ++copy) {
            waiting[node].push_back(static_cast<std::uint32_t>(walks.size()));
            walks.push_back({node, {}});
        }
    std::vector<std::pair<std::uint32_t, NodeId>> arrivals;
    for (Step step = 1; step <= steps_; ++step) {
        for (const NodeId node : arcs_.members())
            for_each_out(arcs_, node, [&](ArcId arc) {
                if (!carries(step, arc))
                    return;
                const std::uint32_t packet = waiting[node].back();
                waiting[node].pop_back();
                walks[packet].hops.emplace_back(step, arc);
                arrivals.emplace_back(packet, arcs_.to(arc));
            });
        for (const auto& [packet, node] : arrivals)
            waiting[node].push_back(packet);
        arrivals.clear();
    }
    for (Walk& walk : walks)
        cut_loops(walk);
    return walks;
}

// A packet that would come back to a node waits there instead.
void UnrolledNetwork::cut_loops(Walk& walk) const
{
    std::vector<std::pair<Step, ArcId>> kept;
    for (const auto& hop : walk.hops) {
        const NodeId node = arcs_.to(hop.second);
        const auto leads_there = [&](const auto& earlier) { return arcs_.to(earlier.second) == node; };
        if (node == walk.target)
            kept.clear();
        else if (const auto earlier = std::ranges::find_if(kept, leads_there); earlier != kept.end())
            kept.erase(earlier + 1, kept.end());
        else
            kept.push_back(hop);
    }
    walk.hops = std::move(kept);
}

}  // namespace dcube::detail

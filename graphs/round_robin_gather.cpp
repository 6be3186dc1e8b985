#include "graphs/round_robin_gather.hpp"

#include "base/planning.hpp"

#include <algorithm>
#include <array>
#include <tuple>

namespace dcube::detail {

namespace {

class DealtGather {
public:
    DealtGather(const Arcs& arcs, NodeId root, const ScatterFlow& flow, Step steps)
        : arcs_(arcs), root_(root), last_use_(arcs.nodes()), left_(arcs.size()), open_(arcs.nodes()),
          waiting_(arcs.nodes())
    {
        const std::array<NodeId, 1> start{root};
        const std::vector<std::uint32_t> hops = hops_from(arcs, start);
        for (const NodeId node : arcs.members()) {
            last_use_[node] = std::int64_t{steps} - hops[node];
            for_each_out(arcs, node, [&](ArcId arc) {
                left_[arc] = flow.load(arcs.opposite(arc));
                if (left_[arc] > 0)
                    open_[node].push_back(arc);
            });
        }
    }

    std::vector<Walk> walks(std::uint64_t packets)
    {
        for (const NodeId node : arcs_.members())
            for (std::uint64_t copy = 0; node != root_ && copy < packets; ++copy) {
                waiting_[node].push_back(static_cast<std::uint32_t>(walks_.size()));
                walks_.push_back({node, {}});
            }
        std::vector<NodeId> active;
        for (const NodeId node : arcs_.members())
            if (!open_[node].empty())
                active.push_back(node);
        for (Step step = 1; !active.empty(); ++step) {
            planning("gather: steps", static_cast<double>(arrived_) / static_cast<double>(walks_.size()));
            for (const NodeId node : active)
                send(node, step);
            std::erase_if(active, [this](NodeId node) { return open_[node].empty(); });
            for (const auto& [packet, node] : arrivals_)
                if (node == root_)
                    ++arrived_;
                else
                    waiting_[node].push_back(packet);
            arrivals_.clear();
        }
        return std::move(walks_);
    }

private:
    // The packets that came last go first, so that few wait on the way.
    void send(NodeId node, Step step)
    {
        std::vector<ArcId>& open = open_[node];
        std::vector<std::uint32_t>& waiting = waiting_[node];
        if (waiting.size() < open.size())
            std::ranges::sort(open, {}, [this](ArcId arc) {
                return std::tuple(last_use_[arcs_.to(arc)] - static_cast<std::int64_t>(left_[arc]), arc);
            });
        for (std::size_t i = 0, sent = std::min(open.size(), waiting.size()); i < sent; ++i) {
            walks_[waiting.back()].hops.emplace_back(step, open[i]);
            arrivals_.emplace_back(waiting.back(), arcs_.to(open[i]));
            waiting.pop_back();
            --left_[open[i]];
        }
        std::erase_if(open, [this](ArcId arc) { return left_[arc] == 0; });
    }

    const Arcs& arcs_;
    NodeId root_;
    std::vector<std::int64_t> last_use_;  // of the arcs that lead to a node, if the packet is to be in time
    std::vector<std::uint64_t> left_;     // of an arc's load
    std::vector<std::vector<ArcId>> open_;
    std::vector<std::vector<std::uint32_t>> waiting_;
    std::vector<std::pair<std::uint32_t, NodeId>> arrivals_;
    std::vector<Walk> walks_;
    std::size_t arrived_ = 0;
};

}  // namespace

std::vector<Walk> round_robin_gather(const Arcs& arcs, NodeId root, std::uint64_t packets, const ScatterFlow& flow,
                                     Step steps)
{
    return DealtGather(arcs, root, flow, steps).walks(packets);
}

Step steps_of(const std::vector<Walk>& gather)
{
    Step steps = 0;
    for (const Walk& walk : gather)
        if (!walk.hops.empty())
            steps = std::max(steps, walk.hops.back().first);
    return steps;
}

}  // namespace dcube::detail

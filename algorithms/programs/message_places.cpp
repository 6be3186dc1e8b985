// Where the messages of every collective lie in its data.

#include "algorithms/programs/routing.hpp"

namespace dcube::detail {

namespace {

// Messages of one length that stand one after the other; each is some node's input, and wanted by one node or by all.
class EqualMessages final : public MessagePlaces {
public:
    EqualMessages(const Problem& problem, const Topology& topology)
        : problem_(problem), of_(traits(problem.collective)), nodes_(topology.nodes()),
          targets_(of_.target == Who::all ? nodes_ : 1), layout_(problem, topology), bytes_(layout_.message)
    {
        if (has_permutation(problem.collective)) {
            origin_of_.resize(nodes_);
            for (NodeId node = 0; node < nodes_; ++node)
                origin_of_[problem.permutation[node]] = node;
        }
    }

    [[nodiscard]] std::vector<Own> own(NodeId node) const override
    {
        if (layout_.input(node).bytes == 0)
            return {};
        const std::uint64_t first = number_of_origin(node) * targets_;
        if (of_.before.share == Share::message)
            return {{first, 0, bytes_}};
        std::vector<Own> all;
        for (std::uint64_t target = 0; target < nodes_; ++target)
            all.push_back({first + target, target * bytes_, bytes_});
        all[node].summed_at_home = is_reduction(problem_.collective);
        return all;
    }

    [[nodiscard]] std::optional<std::size_t> wanted(NodeId node, std::uint64_t message) const override
    {
        const std::uint64_t origin = message / targets_;
        if (!is_target(node, origin, message % targets_))
            return std::nullopt;
        return of_.after.share == Share::message_per_node ? origin * bytes_ : 0;
    }

    [[nodiscard]] std::size_t length(std::uint64_t) const override { return bytes_; }

    [[nodiscard]] bool leaves_once() const override { return of_.target != Who::nobody; }

private:
    [[nodiscard]] std::uint64_t number_of_origin(NodeId node) const
    {
        if (of_.origin == Who::all)
            return node;
        return of_.origin == Who::ends && node == problem_.peer ? 1 : 0;
    }

    [[nodiscard]] bool is_target(NodeId node, std::uint64_t origin, std::uint64_t target) const
    {
        switch (of_.target) {
        case Who::nobody: return true;
        case Who::root: return node == problem_.root;
        case Who::peer: return node == problem_.peer;
        case Who::ends: return node == problem_.root || node == problem_.peer;
        case Who::partner:
            if (has_permutation(problem_.collective))
                return origin_of_[node] == origin;
            return node == (origin == 0 ? problem_.peer : problem_.root);
        case Who::all: return node == target;
        }
        return false;
    }

    Problem problem_;
    const CollectiveTraits& of_;
    NodeId nodes_;
    std::uint64_t targets_;
    Layout layout_;
    std::size_t bytes_;
    std::vector<NodeId> origin_of_;
};

}  // namespace

std::shared_ptr<const MessagePlaces> message_places(const Problem& problem, const Topology& topology)
{
    return std::make_shared<EqualMessages>(problem, topology);
}

}  // namespace dcube::detail

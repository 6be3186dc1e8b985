// Where the messages of every collective lie in its data.

#include "algorithms/programs/routing.hpp"

namespace dcube::detail {

namespace {

// Messages of one length that stand one after the other; each is some node's input, and wanted by one node or by all.
class EqualMessages final : public MessagePlaces {
public:
    EqualMessages(const Problem& problem, const Topology& topology)
        : problem_(problem), nodes_(topology.nodes()), bytes_(Layout(problem, topology).message)
    {
        if (problem.collective == Collective::permute) {
            origin_of_.resize(nodes_);
            for (NodeId node = 0; node < nodes_; ++node)
                origin_of_[problem.permutation[node]] = node;
        }
    }

    [[nodiscard]] std::vector<Own> own(NodeId node, NodeData data) const override
    {
        switch (problem_.collective) {
        case Collective::broadcast: return root_has(node, {0, data.input});
        case Collective::send: return root_has(node, {0, data.input});
        case Collective::exchange:
            if (node == problem_.peer)
                return {{1, data.input}};
            return root_has(node, {0, data.input});
        case Collective::scatter:
            if (node == problem_.root)
                return blocks(data.input, 0);
            return {};
        case Collective::reduce_scatter: {
            // The node's own block is summed up where it is wanted; copy_own_block has put it there.
            std::vector<Own> all = blocks(data.input, 0);
            all[node].bytes = data.output;
            return all;
        }
        case Collective::all_to_all: return blocks(data.input, std::uint64_t{node} * nodes_);
        case Collective::all_reduce: return {};  // begin_sums
        default: return {{node, data.input}};    // gather, all-gather, permute
        }
    }

    [[nodiscard]] std::byte* wanted(NodeId node, NodeData data, std::uint64_t message) const override
    {
        std::byte* const output = data.output.data();
        switch (problem_.collective) {
        case Collective::broadcast:
        case Collective::all_reduce: return output;
        case Collective::send: return node == problem_.peer ? output : nullptr;
        case Collective::exchange: return node == (message == 0 ? problem_.peer : problem_.root) ? output : nullptr;
        case Collective::scatter:
        case Collective::reduce_scatter: return message == node ? output : nullptr;
        case Collective::gather: return node == problem_.root ? output + message * bytes_ : nullptr;
        case Collective::all_gather: return output + message * bytes_;
        case Collective::permute: return origin_of_[node] == message ? output : nullptr;
        default: return message % nodes_ == node ? output + message / nodes_ * bytes_ : nullptr;  // all-to-all
        }
    }

    [[nodiscard]] bool leaves_once() const override
    {
        return problem_.collective != Collective::broadcast && problem_.collective != Collective::all_gather &&
               problem_.collective != Collective::all_reduce;
    }

private:
    [[nodiscard]] std::vector<Own> root_has(NodeId node, Own own) const
    {
        return node == problem_.root ? std::vector<Own>{own} : std::vector<Own>{};
    }

    [[nodiscard]] std::vector<Own> blocks(std::span<const std::byte> input, std::uint64_t first) const
    {
        std::vector<Own> all;
        for (std::uint64_t target = 0; target < nodes_; ++target)
            all.push_back({first + target, input.subspan(target * bytes_, bytes_)});
        return all;
    }

    Problem problem_;
    NodeId nodes_;
    std::size_t bytes_;
    std::vector<NodeId> origin_of_;
};

}  // namespace

std::shared_ptr<const MessagePlaces> message_places(const Problem& problem, const Topology& topology)
{
    return std::make_shared<EqualMessages>(problem, topology);
}

}  // namespace dcube::detail

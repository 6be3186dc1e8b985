#include <dcube/bounds.hpp>

#include <limits>
#include <queue>
#include <vector>

namespace dcube {

namespace {

/// A largest matching of senders to receivers (Hopcroft and Karp).
class Matching {
public:
    explicit Matching(const Topology& topology)
        : topology_(topology), receiver_(topology.nodes(), none), sender_(topology.nodes(), none)
    {
    }

    std::uint64_t size()
    {
        std::uint64_t matched = 0;
        for (std::uint64_t more = 1; more != 0; matched += more) {
            number_levels();
            more = 0;
            for (NodeId node = 0; node < topology_.nodes(); ++node)
                more += receiver_[node] == none && extend(node) ? 1 : 0;
        }
        return matched;
    }

private:
    static constexpr NodeId none = std::numeric_limits<NodeId>::max();

    void number_levels()
    {
        level_.assign(topology_.nodes(), none);
        std::queue<NodeId> reached;
        for (NodeId node = 0; node < topology_.nodes(); ++node)
            if (receiver_[node] == none) {
                level_[node] = 0;
                reached.push(node);
            }
        for (; !reached.empty(); reached.pop()) {
            const NodeId node = reached.front();
            for (Port port = 0; port < topology_.ports(node); ++port) {
                const NodeId next = sender_[topology_.neighbour(node, port)];
                if (next != none && level_[next] == none) {
                    level_[next] = level_[node] + 1;
                    reached.push(next);
                }
            }
        }
    }

    // Along levels from a sender without a receiver. Paths may be as long as the network, so this is a loop.
    bool extend(NodeId first)
    {
        path_.assign(1, {first, 0});
        while (!path_.empty()) {
            auto& [node, port] = path_.back();
            if (port == topology_.ports(node)) {
                level_[node] = none;
                path_.pop_back();
                if (!path_.empty())
                    ++path_.back().port;
                continue;
            }
            const NodeId next = sender_[topology_.neighbour(node, port)];
            if (next == none)
                break;
            if (level_[next] == level_[node] + 1)
                path_.push_back({next, 0});
            else
                ++port;
        }
        for (const auto& [node, port] : path_) {
            receiver_[node] = topology_.neighbour(node, port);
            sender_[receiver_[node]] = node;
        }
        return !path_.empty();
    }

    struct Sending {
        NodeId node;
        Port port;
    };

    const Topology& topology_;
    std::vector<Sending> path_;     // used by extend()
    std::vector<NodeId> receiver_;  // by sender
    std::vector<NodeId> sender_;    // by receiver
    std::vector<NodeId> level_;     // by sender
};

/// If a factor has a perfect matching, the product has one too.
bool has_perfect_matching(const Topology& topology)
{
    if (topology.symmetric())
        return true;
    for (unsigned i = 0; i < topology.dimension(); ++i) {
        const Topology factor = Topology::product({topology.factor(i)});
        if (factor.symmetric() || Matching(factor).size() == factor.nodes())
            return true;
    }
    return false;
}

}  // namespace

std::uint64_t simultaneous_moves(const Topology& topology)
{
    if (topology.lacks_nodes() && topology.is_uniform())
        return simultaneous_moves(topology.of_members());
    return has_perfect_matching(topology) ? topology.nodes() : Matching(topology).size();
}

}  // namespace dcube

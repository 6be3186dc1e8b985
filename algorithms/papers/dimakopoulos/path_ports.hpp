#pragma once
// The ports that begin a shortest path, of every pair of nodes, for searches that ask often.

#include <dcube/topology.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace dcube::detail {

class PathPorts {
public:
    // Takes memory for a word or two for every pair.
    explicit PathPorts(const Topology& topology) : nodes_(topology.nodes())
    {
        first_.reserve(nodes_ * nodes_ + 1);
        std::vector<Port> towards;
        for (NodeId from = 0; from < nodes_; ++from)
            for (NodeId to = 0; to < nodes_; ++to) {
                topology.ports_towards(from, to, towards);
                ports_.insert(ports_.end(), towards.begin(), towards.end());
                first_.push_back(ports_.size());
            }
    }

    // The ports in ascending order; none if both nodes are the same.
    [[nodiscard]] std::span<const Port> of(NodeId from, NodeId to) const
    {
        const std::size_t pair = from * nodes_ + to;
        return std::span(ports_).subspan(first_[pair], first_[pair + 1] - first_[pair]);
    }

private:
    std::size_t nodes_;
    std::vector<Port> ports_;
    std::vector<std::size_t> first_{0};  // by pair, and the end
};

}  // namespace dcube::detail

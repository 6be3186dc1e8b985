#pragma once
// Images: the translations of a network that is no hypercube as a table, for loops over nodes.

#include <dcube/topology.hpp>

#include <mutex>
#include <vector>

namespace dcube::detail {

class Images {
public:
    // Makes the table if it is not too large; once, whoever asks first.
    void make(const Topology& topology);
    [[nodiscard]] bool made() const { return nodes_ != 0; }
    // The images of a block, by origin.
    [[nodiscard]] const NodeId* of(NodeId block) const { return &table_[std::size_t{block} * nodes_]; }

private:
    static constexpr NodeId most_nodes = 4096;  // 64 MiB

    std::once_flag once_;
    NodeId nodes_ = 0;
    std::vector<NodeId> table_;
};

}  // namespace dcube::detail

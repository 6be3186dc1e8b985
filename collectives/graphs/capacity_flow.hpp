#pragma once
// Largest flows between two nodes, over arcs of any whole capacity (Dinic 1970).

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dcube::detail {

class CapacityFlow {
public:
    static constexpr std::uint64_t unlimited = std::uint64_t{1} << 62;

    explicit CapacityFlow(std::size_t nodes) : first_(nodes, none) {}

    // An arc of this capacity, at most unlimited. The capacities of all arcs that leave a node must add up to less than
    // 2^64 unless the flow is limited by others.
    void add(std::size_t from, std::size_t to, std::uint64_t capacity);

    // The largest flow from one node to another, but no more than `wanted`, below 2^63. Can be called once.
    std::uint64_t largest(std::size_t source, std::size_t sink, std::uint64_t wanted);

    // After a flow of less than was wanted: whether the node is on the source's side of a cut that allows no more.
    [[nodiscard]] bool before_cut(std::size_t node) const { return level_[node] != none; }

private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    struct Arc {
        std::uint32_t to;
        std::uint32_t next;  // of the arcs that leave the same node
        std::uint64_t left;  // arcs stand in pairs: a flow over one adds to what is left of the other
    };

    bool find_levels(std::size_t source, std::size_t sink);
    std::uint64_t push(std::size_t source, std::size_t sink, std::uint64_t wanted);

    std::vector<std::uint32_t> first_;  // by node, its first arc
    std::vector<Arc> arcs_;
    std::vector<std::uint32_t> level_;
    std::vector<std::uint32_t> next_;  // by node, the first arc that may still lead on
};

}  // namespace dcube::detail

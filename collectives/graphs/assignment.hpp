#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dcube::detail {

// Weights of pairs of one left and one right node; pairs of weight 0 are none.
class PairWeights {
public:
    using Weight = std::int64_t;

    explicit PairWeights(std::size_t nodes) : nodes_(nodes), weights_(nodes * nodes) {}

    [[nodiscard]] std::size_t nodes() const { return nodes_; }
    [[nodiscard]] Weight& at(std::size_t left, std::size_t right) { return weights_[left * nodes_ + right]; }
    [[nodiscard]] Weight at(std::size_t left, std::size_t right) const { return weights_[left * nodes_ + right]; }

private:
    std::size_t nodes_;
    std::vector<Weight> weights_;
};

// The right node of every left node in a matching of largest weight (weights are not negative); a pair of weight 0
// means that both stay alone. The Hungarian method, at most nodes^3 steps.
std::vector<std::size_t> heaviest_matching(const PairWeights& weights);

}  // namespace dcube::detail

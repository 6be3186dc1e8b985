#include "collectives/graphs/assignment.hpp"

#include "base/planning.hpp"

#include <limits>

namespace dcube::detail {

namespace {

// The Hungarian method: left nodes join one by one, each by the cheapest augmenting path, where a pair costs -weight
// and potentials keep reduced costs from being negative. Nodes count from 1; right node 0 stands for "starts here".
class Assignment {
public:
    using Weight = PairWeights::Weight;

    explicit Assignment(const PairWeights& weights)
        : weights_(weights), left_potential_(weights.nodes() + 1), right_potential_(weights.nodes() + 1),
          left_of_(weights.nodes() + 1), came_from_(weights.nodes() + 1)
    {
    }

    std::vector<std::size_t> rights()
    {
        for (std::size_t left = 1; left <= weights_.nodes(); ++left) {
            planning("assignment", 0);
            augment_along(free_end_of_cheapest_path(left));
        }
        std::vector<std::size_t> rights(weights_.nodes());
        for (std::size_t right = 1; right <= weights_.nodes(); ++right)
            rights[left_of_[right] - 1] = right - 1;
        return rights;
    }

private:
    static constexpr Weight infinite = std::numeric_limits<Weight>::max();

    [[nodiscard]] Weight reduced_cost(std::size_t left, std::size_t right) const
    {
        return -weights_.at(left - 1, right - 1) - left_potential_[left] - right_potential_[right];
    }

    std::size_t free_end_of_cheapest_path(std::size_t start)
    {
        left_of_[0] = start;
        slack_.assign(weights_.nodes() + 1, infinite);
        reached_.assign(weights_.nodes() + 1, 0);
        std::size_t right = 0;
        while (left_of_[right] != 0) {
            reached_[right] = 1;
            right = nearest_from(right);
        }
        return right;
    }

    // Looks on from `right`'s partner, and takes the potentials to where the nearest right node is at no cost.
    std::size_t nearest_from(std::size_t right)
    {
        std::size_t nearest = 0;
        Weight least = infinite;
        for (std::size_t next = 1; next <= weights_.nodes(); ++next) {
            if (reached_[next] != 0)
                continue;
            const Weight cost = reduced_cost(left_of_[right], next);
            if (cost < slack_[next]) {
                slack_[next] = cost;
                came_from_[next] = right;
            }
            if (slack_[next] < least) {
                least = slack_[next];
                nearest = next;
            }
        }
        move_potentials(least);
        return nearest;
    }

    void move_potentials(Weight by)
    {
        for (std::size_t right = 0; right <= weights_.nodes(); ++right) {
            if (reached_[right] != 0) {
                left_potential_[left_of_[right]] += by;
                right_potential_[right] -= by;
            } else if (right != 0) {
                slack_[right] -= by;
            }
        }
    }

    void augment_along(std::size_t right)
    {
        for (; right != 0; right = came_from_[right])
            left_of_[right] = left_of_[came_from_[right]];
    }

    const PairWeights& weights_;
    std::vector<Weight> left_potential_;
    std::vector<Weight> right_potential_;
    std::vector<std::size_t> left_of_;    // by right node, 0 if it has none
    std::vector<std::size_t> came_from_;  // on the path
    std::vector<Weight> slack_;
    std::vector<char> reached_;
};

}  // namespace

std::vector<std::size_t> heaviest_matching(const PairWeights& weights)
{
    return Assignment(weights).rights();
}

}  // namespace dcube::detail

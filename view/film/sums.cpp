#include "view/film/sums.hpp"

namespace dcube::view {

Contributors Sums::held(NodeId node, std::uint64_t part) const
{
    const auto found = held_.find(node * parts_ + part);
    return found == held_.end() ? Contributors(node) : found->second;
}

void Sums::arrive(NodeId node, std::uint64_t part, const Contributors& sum)
{
    arrivals_.push_back({node * parts_ + part, sum});
}

void Sums::end_step()
{
    for (const auto& [place, sum] : arrivals_) {
        Contributors& here = held_.try_emplace(place, static_cast<NodeId>(place / parts_)).first->second;
        if (sum.contains(here))
            here = sum;
        else if (here.disjoint(sum))
            here.unite(sum);
    }
    arrivals_.clear();
}

}  // namespace dcube::view

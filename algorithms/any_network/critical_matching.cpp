#include "algorithms/any_network/critical_matching.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace dcube::detail {

namespace {

constexpr ArcId unmatched = ~ArcId{0};

}  // namespace

CriticalMatching::CriticalMatching(const Arcs& arcs, std::uint64_t seed)
    : arcs_(arcs), random_(seed), order_(std::size_t{2} * arcs.nodes()), rank_(order_.size()), choices_(order_.size()),
      matched_(order_.size()), visited_(order_.size())
{
    std::iota(order_.begin(), order_.end(), User{0});
}

std::span<const ArcId> CriticalMatching::match(std::span<const ArcId> usable, std::span<const std::uint32_t> left)
{
    list_by_importance(usable, left);
    std::ranges::fill(matched_, unmatched);
    for (const User user : order_)
        if (matched_[user] == unmatched && !choices_[user].empty()) {
            ++search_;
            augment(user);
        }
    result_.clear();
    for (User sender = 0; sender < arcs_.nodes(); ++sender)
        if (matched_[sender] != unmatched)
            result_.push_back(matched_[sender]);
    return result_;
}

CriticalMatching::User CriticalMatching::other(User user, ArcId arc) const
{
    return user < arcs_.nodes() ? arcs_.nodes() + arcs_.to(arc) : arcs_.from(arc);
}

// Where several have as much left, chance decides: the same ones first in every step takes more steps.
void CriticalMatching::list_by_importance(std::span<const ArcId> usable, std::span<const std::uint32_t> left)
{
    for (std::size_t i = order_.size(); i > 1; --i)
        std::swap(order_[i - 1], order_[random_.below(i)]);
    std::ranges::stable_sort(order_, std::greater{}, [&](User user) { return left[user]; });
    for (std::uint32_t rank = 0; rank < order_.size(); ++rank)
        rank_[order_[rank]] = rank;
    for (std::vector<ArcId>& arcs : choices_)
        arcs.clear();
    for (const ArcId arc : usable) {
        choices_[arcs_.from(arc)].push_back(arc);
        choices_[arcs_.nodes() + arcs_.to(arc)].push_back(arc);
    }
    for (User user = 0; user < choices_.size(); ++user)
        std::ranges::sort(choices_[user], {}, [&](ArcId arc) { return rank_[other(user, arc)]; });
}

bool CriticalMatching::augment(User user)
{
    for (const ArcId arc : choices_[user]) {
        const User partner = other(user, arc);
        if (visited_[partner] == search_)
            continue;
        visited_[partner] = search_;
        const ArcId taken = matched_[partner];
        if (taken == unmatched || augment(other(partner, taken))) {
            matched_[user] = matched_[partner] = arc;
            return true;
        }
    }
    return false;
}

}  // namespace dcube::detail

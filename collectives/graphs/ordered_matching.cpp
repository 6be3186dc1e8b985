#include "collectives/graphs/ordered_matching.hpp"

#include <algorithm>

namespace dcube::detail {

OrderedMatching::OrderedMatching(const Arcs& arcs, Takes takes)
    : arcs_(arcs), takes_(takes), choices_(std::size_t{2} * arcs.size()), choice_count_(std::size_t{2} * arcs.nodes()),
      matched_(choice_count_.size(), none), closed_(choice_count_.size())
{
}

void OrderedMatching::begin(std::span<const ArcId> usable)
{
    for (const End end : ends_) {
        choice_count_[end] = 0;
        matched_[end] = none;
        closed_[end] = 0;
    }
    ends_.clear();
    for (const ArcId arc : usable) {
        add_choice(sender(arc), arc);
        add_choice(receiver(arc), arc);
    }
}

void OrderedMatching::add_choice(End end, ArcId arc)
{
    if (choice_count_[end] == 0)
        ends_.push_back(end);
    choices_[first_choice(end) + choice_count_[end]++] = arc;
}

void OrderedMatching::ask(std::span<const End> in_order)
{
    for (const End end : in_order) {
        if (matched_[end] != none)
            continue;
        if (augment(end))
            for (const End seen : seen_)
                closed_[seen] = 0;
        seen_.clear();
    }
}

std::span<const ArcId> OrderedMatching::chosen()
{
    chosen_.clear();
    for (const End end : ends_)
        if (end < arcs_.nodes() && matched_[end] != none)
            chosen_.push_back(matched_[end]);
    std::ranges::sort(chosen_);
    return chosen_;
}

// Depth first. Paths may be as long as the network, so this is a loop.
bool OrderedMatching::augment(End first)
{
    const auto is_free = [&](End end, ArcId arc) { return matched_[partner(end, arc)] == none; };
    path_.clear();
    const auto enter = [&](End end) {
        const std::span<const ArcId> all = choices(end);
        const auto free = takes_ == Takes::free_first
                              ? std::ranges::find_if(all, [&](ArcId arc) { return is_free(end, arc); })
                              : all.end();
        path_.push_back({end, free == all.end() ? 0 : static_cast<ArcId>(free - all.begin())});
        return free != all.end();
    };
    if (enter(first))
        return take_path();
    while (!path_.empty()) {
        auto& [end, choice] = path_.back();
        if (choice == choice_count_[end]) {
            path_.pop_back();
            if (!path_.empty())
                ++path_.back().choice;
            continue;
        }
        const ArcId arc = choices(end)[choice];
        const End other = partner(end, arc);
        if (closed_[other] != 0) {
            ++choice;
            continue;
        }
        closed_[other] = 1;
        seen_.push_back(other);
        if (matched_[other] == none || enter(partner(other, matched_[other])))
            return take_path();
    }
    return false;
}

bool OrderedMatching::take_path()
{
    for (const auto& [end, choice] : path_) {
        const ArcId arc = choices(end)[choice];
        matched_[sender(arc)] = arc;
        matched_[receiver(arc)] = arc;
    }
    return true;
}

}  // namespace dcube::detail

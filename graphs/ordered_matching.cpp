#include "graphs/ordered_matching.hpp"

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

bool OrderedMatching::augment(End end)
{
    if (takes_ == Takes::free_first)
        for (const ArcId arc : choices(end))
            if (matched_[partner(end, arc)] == none)
                return take(arc);
    for (const ArcId arc : choices(end)) {
        const End other = partner(end, arc);
        if (closed_[other] != 0)
            continue;
        closed_[other] = 1;
        seen_.push_back(other);
        if (matched_[other] == none || augment(partner(other, matched_[other])))
            return take(arc);
    }
    return false;
}

bool OrderedMatching::take(ArcId arc)
{
    matched_[sender(arc)] = arc;
    matched_[receiver(arc)] = arc;
    return true;
}

}  // namespace dcube::detail

#include "judge/contributor_sets.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace dcube {

void NodeSet::unite(const NodeSet& other)
{
    for (std::size_t i = 0; i < words_.size(); ++i)
        words_[i] |= other.words_[i];
}

bool NodeSet::empty() const
{
    return std::all_of(words_.begin(), words_.end(), [](std::uint64_t word) { return word == 0; });
}

NodeId NodeSet::size() const
{
    NodeId nodes = 0;
    for (const std::uint64_t word : words_)
        nodes += static_cast<NodeId>(std::popcount(word));
    return nodes;
}

bool NodeSet::common(const NodeSet& other, NodeId& node) const
{
    for (std::size_t i = 0; i < words_.size(); ++i) {
        if (const std::uint64_t both = words_[i] & other.words_[i]; both != 0) {
            node = static_cast<NodeId>(i * 64) + static_cast<NodeId>(std::countr_zero(both));
            return true;
        }
    }
    return false;
}

NodeId NodeSet::first_absent() const
{
    NodeId node = 0;
    for (const std::uint64_t word : words_) {
        if (~word != 0)
            return node + static_cast<NodeId>(std::countr_one(word));
        node += 64;
    }
    return node;
}

void ContributorSets::unite(std::uint64_t begin, std::uint64_t end, const NodeSet& nodes, Time since)
{
    change(begin, end, [&](Section& section) {
        section.nodes.unite(nodes);
        section.since = std::max(section.since, since);
    });
}

void ContributorSets::replace(std::uint64_t begin, std::uint64_t end, const NodeSet& nodes, Time since)
{
    change(begin, end, [&](Section& section) {
        section.nodes = nodes;
        section.since = since;
    });
}

/// Calls `work` for sections that together are [begin, end).
template <class Work>
void ContributorSets::change(std::uint64_t begin, std::uint64_t end, const Work& work)
{
    split(begin);
    split(end);
    for (Section& section : sections_)
        if (begin <= section.begin && section.end <= end)
            work(section);
    join();
}

/// Makes `at` a border between two sections, if it lies within one.
void ContributorSets::split(std::uint64_t at)
{
    for (std::size_t i = 0; i < sections_.size(); ++i) {
        if (sections_[i].begin < at && at < sections_[i].end) {
            Section right{at, sections_[i].end, sections_[i].nodes, sections_[i].since};
            sections_[i].end = at;
            sections_.insert(sections_.begin() + static_cast<std::ptrdiff_t>(i) + 1, std::move(right));
            return;
        }
    }
}

/// Removes the borders between sections that have become equal.
void ContributorSets::join()
{
    std::size_t last = 0;
    for (std::size_t i = 1; i < sections_.size(); ++i) {
        if (sections_[last].since == sections_[i].since && sections_[last].nodes == sections_[i].nodes)
            sections_[last].end = sections_[i].end;
        else if (++last != i)
            sections_[last] = std::move(sections_[i]);
    }
    sections_.erase(sections_.begin() + static_cast<std::ptrdiff_t>(last) + 1, sections_.end());
}

}  // namespace dcube

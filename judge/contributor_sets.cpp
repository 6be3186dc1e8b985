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

void Contributions::unite(std::uint64_t begin, std::uint64_t end, const NodeSet& nodes, Time since)
{
    split(begin);
    split(end);
    for (Part& part : parts_) {
        if (begin <= part.begin && part.end <= end) {
            part.nodes.unite(nodes);
            part.since = std::max(part.since, since);
        }
    }
    join();
}

void Contributions::replace(std::uint64_t begin, std::uint64_t end, const NodeSet& nodes, Time since)
{
    split(begin);
    split(end);
    for (Part& part : parts_) {
        if (begin <= part.begin && part.end <= end) {
            part.nodes = nodes;
            part.since = since;
        }
    }
    join();
}

/// Makes `at` a border between two parts, if it lies within one.
void Contributions::split(std::uint64_t at)
{
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        if (parts_[i].begin < at && at < parts_[i].end) {
            Part right{at, parts_[i].end, parts_[i].nodes, parts_[i].since};
            parts_[i].end = at;
            parts_.insert(parts_.begin() + static_cast<std::ptrdiff_t>(i) + 1, std::move(right));
            return;
        }
    }
}

/// Removes the borders between parts that have become equal.
void Contributions::join()
{
    std::size_t last = 0;
    for (std::size_t i = 1; i < parts_.size(); ++i) {
        if (parts_[last].since == parts_[i].since && parts_[last].nodes == parts_[i].nodes)
            parts_[last].end = parts_[i].end;
        else if (++last != i)
            parts_[last] = std::move(parts_[i]);
    }
    parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(last) + 1, parts_.end());
}

}  // namespace dcube

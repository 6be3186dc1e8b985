#include <dcube/contributors.hpp>

#include <dcube/error.hpp>
#include <dcube/topology.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace dcube {

namespace {

using Range = Contributors::Range;

// Sorted ranges come in; where the last one ends at or behind the beginning of the next they become one.
void append(std::vector<Range>& ranges, const Range& next)
{
    if (!ranges.empty() && next.first <= std::uint64_t{ranges.back().last} + 1)
        ranges.back().last = std::max(ranges.back().last, next.last);
    else
        ranges.push_back(next);
}

// The first range that ends at `node` or behind it.
std::span<const Range>::iterator ending_from(std::span<const Range> ranges, NodeId node)
{
    return std::lower_bound(ranges.begin(), ranges.end(), node,
                            [](const Range& range, NodeId id) { return range.last < id; });
}

}  // namespace

Contributors::Contributors(std::vector<Range> ranges) : ranges_(std::move(ranges))
{
    for (const auto& [first, last] : ranges_)
        if (last < first)
            throw InvalidArgument(fmt::format(
                "a range of nodes from {} to {} is not possible: the first is at most the last", first, last));
    const auto before = [](const Range& a, const Range& b) { return a.first < b.first; };
    if (!std::is_sorted(ranges_.begin(), ranges_.end(), before))
        std::sort(ranges_.begin(), ranges_.end(), before);
    std::vector<Range> joined;
    for (const Range& range : ranges_)
        append(joined, range);
    ranges_ = std::move(joined);
}

Contributors Contributors::of(std::span<const NodeId> ids)
{
    std::vector<Range> ranges;
    ranges.reserve(ids.size());
    for (const NodeId id : ids)
        ranges.push_back({id, id});
    return Contributors(std::move(ranges));
}

Contributors Contributors::all(const Topology& topology)
{
    Contributors set({{0, topology.nodes() - 1}});
    for (const std::vector<NodeId>& others : {topology.faults().nodes, topology.fabric().switches})
        set.remove(Contributors::of(others));
    return set;
}

std::uint64_t Contributors::size() const
{
    std::uint64_t nodes = 0;
    for (const auto& [first, last] : ranges_)
        nodes += std::uint64_t{last} - first + 1;
    return nodes;
}

bool Contributors::contains(NodeId node) const
{
    const auto found = ending_from(ranges_, node);
    return found != std::span<const Range>(ranges_).end() && found->first <= node;
}

std::optional<NodeId> Contributors::first_common(const Contributors& others) const
{
    auto a = ranges_.begin();
    auto b = others.ranges_.begin();
    while (a != ranges_.end() && b != others.ranges_.end()) {
        if (const NodeId first = std::max(a->first, b->first); first <= std::min(a->last, b->last))
            return first;
        if (a->last < b->last)
            ++a;
        else
            ++b;
    }
    return std::nullopt;
}

std::optional<NodeId> Contributors::first_not_in(const Contributors& others) const
{
    auto other = others.ranges_.begin();
    for (const auto& [first, last] : ranges_) {
        while (other != others.ranges_.end() && other->last < first)
            ++other;
        if (other == others.ranges_.end() || first < other->first)
            return first;
        if (other->last < last)  // there are gaps between ranges
            return other->last + 1;
    }
    return std::nullopt;
}

void Contributors::unite(const Contributors& others)
{
    if (others.empty())
        return;
    if (empty() || ranges_.back().last < others.ranges_.front().first) {
        for (const Range& range : others.ranges_)
            append(ranges_, range);
        return;
    }
    std::vector<Range> both;
    both.reserve(ranges_.size() + others.ranges_.size());
    auto a = ranges_.begin();
    auto b = others.ranges_.begin();
    while (a != ranges_.end() || b != others.ranges_.end())
        append(both, b == others.ranges_.end() || (a != ranges_.end() && a->first < b->first) ? *a++ : *b++);
    ranges_ = std::move(both);
}

void Contributors::remove(const Contributors& others)
{
    std::vector<Range> left;
    auto other = others.ranges_.begin();
    for (const auto& [first, last] : ranges_) {
        while (other != others.ranges_.end() && other->last < first)
            ++other;
        std::uint64_t next = first;  // the first that may be left
        for (auto cut = other; cut != others.ranges_.end() && cut->first <= last; ++cut) {
            if (next < cut->first)
                left.push_back({static_cast<NodeId>(next), cut->first - 1});
            next = std::uint64_t{cut->last} + 1;
        }
        if (next <= last)
            left.push_back({static_cast<NodeId>(next), last});
    }
    ranges_ = std::move(left);
}

std::string ranges_text(const Contributors& nodes, std::size_t most, std::string_view between)
{
    std::string text;
    std::uint64_t left = nodes.size();
    for (const auto& [first, last] : nodes.ranges().first(std::min(most, nodes.ranges().size()))) {
        text += text.empty() ? "" : between;
        text += first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last);
        left -= std::uint64_t{last} - first + 1;
    }
    return left == 0 ? text : fmt::format("{} and {} more", text, left);
}

std::string to_string(const Contributors& nodes)
{
    constexpr std::size_t most_shown = 8;
    if (nodes.empty())
        return "no node";
    std::string text = ranges_text(nodes, most_shown);
    if (const std::size_t comma = text.rfind(", "); comma != std::string::npos && nodes.ranges().size() <= most_shown)
        text.replace(comma, 2, " and ");
    return (nodes.size() == 1 ? "node " : "nodes ") + text;
}

}  // namespace dcube

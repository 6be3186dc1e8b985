#include "judge/heard.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace dcube {

namespace {

std::size_t words_for(NodeId members)
{
    return (members + std::size_t{63}) / 64;
}

void add_all(std::vector<std::uint64_t>& set, const std::vector<std::uint64_t>& others)
{
    for (std::size_t word = 0; word < set.size(); ++word)
        set[word] |= others[word];
}

}  // namespace

Heard::Heard(const Topology& topology, LinkKind links)
    : topology_(topology), timed_(links == LinkKind::link_bound),
      heard_(topology.nodes(), Set(words_for(topology.members()))), arrivals_(topology.nodes())
{
    for (NodeId number = 0; number < topology.members(); ++number)
        heard_[topology.member(number)][number / 64] |= std::uint64_t{1} << number % 64;
}

// What has arrived in an earlier step, and before the packet leaves. Steps do not decrease from call to call, but on
// links that take time a later packet may leave earlier than this one, over another link: then what has arrived in
// between is kept apart.
Heard::Set Heard::heard_by(NodeId node, Step step, Time start)
{
    std::vector<Arrival>& arrivals = arrivals_[node];
    Set heard = heard_[node];
    std::erase_if(arrivals, [&](const Arrival& one) {
        const bool is_there = one.step < step && one.end <= start;
        if (is_there)
            add_all(heard, one.heard);
        return is_there && !timed_;
    });
    if (!timed_)
        heard_[node] = heard;
    return heard;
}

void Heard::carry(Step step, NodeId from, NodeId to, Time start, Time end)
{
    arrivals_[to].push_back({step, end, heard_by(from, step, start)});
}

std::optional<NodeId> Heard::first_unheard(NodeId node, const std::function<bool(NodeId)>& counts) const
{
    Set heard = heard_[node];
    for (const Arrival& one : arrivals_[node])
        add_all(heard, one.heard);
    for (NodeId number = 0; number < topology_.members(); ++number)
        if ((heard[number / 64] >> number % 64 & 1) == 0 && counts(topology_.member(number)))
            return topology_.member(number);
    return std::nullopt;
}

double Heard::bytes(const Topology& topology, double packets)
{
    const double words = static_cast<double>(words_for(topology.members()));
    return (topology.nodes() + packets) * (8 * words + sizeof(Arrival));
}

}  // namespace dcube

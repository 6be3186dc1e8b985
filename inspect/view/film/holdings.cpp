#include "inspect/view/film/holdings.hpp"

#include "base/sizes.hpp"

#include <algorithm>
#include <limits>

namespace dcube::view {

Contributors Sums::own(NodeId node) const
{
    return topology_.is_switch(node) ? Contributors() : Contributors(node);
}

Contributors Sums::held(NodeId node, std::uint64_t part) const
{
    const auto found = held_.find(node * parts_ + part);
    return found == held_.end() ? own(node) : found->second;
}

void Sums::arrive(NodeId node, std::uint64_t part, const Contributors& sum)
{
    arrivals_.push_back({node * parts_ + part, sum});
}

void Sums::end_step()
{
    for (const auto& [place, sum] : arrivals_) {
        Contributors& here = held_.try_emplace(place, own(static_cast<NodeId>(place / parts_))).first->second;
        if (sum.contains(here))
            here = sum;
        else if (sharing_ == Sharing::overlapping || here.disjoint(sum))
            here.unite(sum);
    }
    arrivals_.clear();
}

Holdings::Holdings(const Film& film)
    : film_(film), sums_(film.recording.topology, film.messages.count() * film.parts.count(), film.messages.sharing())
{
    const Messages& messages = film.messages;
    const std::uint64_t places = messages.count() * film.parts.count();
    const NodeId nodes = film.recording.topology.nodes();
    if (messages.kind() == MessageKind::moves) {
        at_.resize(allocatable(places));
        for (std::uint64_t place = 0; place < places; ++place)
            at_[as_size(place)] = *messages.ends(place / film.parts.count()).origin;
    } else {
        arrived_at_.resize(allocatable(places * nodes));
    }
    count_needed();
}

// Counts what the nodes need: no node needs what it already has.
void Holdings::count_needed()
{
    const Messages& messages = film_.messages;
    for (std::uint64_t message = 0; message < messages.count(); ++message) {
        const auto [origin, target] = messages.ends(message);
        std::uint64_t needing = origin == target ? 0 : 1;
        if (messages.kind() != MessageKind::moves) {
            needing = 0;
            const NodeId last = target.value_or(film_.recording.topology.nodes() - 1);
            for (NodeId node = target.value_or(0); node <= last; ++node)
                needing += messages.needs(node, message) && !has_at_first(node, message) ? 1 : 0;
        }
        needed_ += needing * film_.parts_of(message);
    }
}

bool Holdings::has_at_first(NodeId node, std::uint64_t message) const
{
    return film_.messages.kind() == MessageKind::sums ? is_complete_alone(node)
                                                      : film_.messages.starts_with(node, message);
}

void Holdings::play()
{
    const auto [first, last] = film_.flights_in(++step_);
    std::vector<std::size_t> sent;
    for (std::size_t i = first; i < last; ++i)
        if (!film_.recording.flights[i].lost)
            sent.push_back(i);
    arrive_all(sent);
}

void Holdings::play_until(Time tick)
{
    const std::vector<Flight>& flights = film_.recording.flights;
    const auto end_of = [&](std::size_t i) { return flights[i].end; };
    std::vector<std::size_t> there;
    for (std::size_t i = 0; i < flights.size(); ++i)
        if (flights[i].end <= tick && !flights[i].lost)
            there.push_back(i);
    std::ranges::stable_sort(there, {}, end_of);
    for (auto first = there.begin(); first != there.end();) {  // the flights that arrive together
        const auto last = std::ranges::upper_bound(first, there.end(), end_of(*first), {}, end_of);
        arrive_all({first, last});
        first = last;
    }
}

void Holdings::arrive_all(std::span<const std::size_t> flights)
{
    for (const std::size_t i : flights)
        for (const Row& row : film_.rows_of(i))
            for (std::uint32_t part = row.part; part < row.part + row.count; ++part)
                arrive(film_.recording.flights[i], row, part);
    sums_.end_step();
    for (const auto& [node, place] : summed_)
        note_complete(node, place);
    summed_.clear();
}

void Holdings::arrive(const Flight& flight, const Row& row, std::uint32_t part)
{
    const std::uint64_t where = place(row.message, part);
    const NodeId node = flight.to;
    switch (film_.messages.kind()) {
    case MessageKind::moves: move(where, flight, *film_.messages.ends(row.message).target); return;
    case MessageKind::copies:
        if (!has(node, row.message, part) && !film_.recording.topology.is_switch(node))
            ++arrived_;
        arrived_at_[as_size(node * places() + where)] = true;
        return;
    case MessageKind::sums: sums_.arrive(node, where, film_.sets[row.set]); summed_.emplace_back(node, where);
    }
}

// A part that is sent is no longer at its sender, unless that is its target, where it stays. Some algorithms send
// copies of a part over several paths; then it is at more nodes.
void Holdings::move(std::uint64_t where, const Flight& flight, NodeId target)
{
    constexpr NodeId nowhere = std::numeric_limits<NodeId>::max();
    if (flight.from != target && copies_.erase({where, flight.from}) == 0 && at_[as_size(where)] == flight.from)
        at_[as_size(where)] = nowhere;
    if (at_[as_size(where)] == flight.to || copies_.contains({where, flight.to}))
        return;
    NodeId other = flight.to;
    if (at_[as_size(where)] == nowhere || flight.to == target)
        std::swap(at_[as_size(where)], other);
    if (other != nowhere)
        copies_.emplace(where, other);
    arrived_ += flight.to == target ? 1 : 0;
}

void Holdings::note_complete(NodeId node, std::uint64_t where)
{
    const std::uint64_t message = where / film_.parts.count();
    const bool whole = sums_.held(node, where).contains(film_.messages.terms(node));
    if (!whole || is_complete_alone(node) || arrived_at_[as_size(node * places() + where)])
        return;
    arrived_at_[as_size(node * places() + where)] = true;
    if (film_.messages.needs(node, message) && !film_.recording.topology.is_switch(node))
        ++arrived_;
}

// Whether a node's sum has no contribution but its own: that of the first node of a scan, or of the only one.
bool Holdings::is_complete_alone(NodeId node) const
{
    return Contributors(node).contains(film_.messages.terms(node));
}

bool Holdings::has(NodeId node, std::uint64_t message, std::uint32_t part) const
{
    switch (film_.messages.kind()) {
    case MessageKind::moves:
        return at_[as_size(place(message, part))] == node || copies_.contains({place(message, part), node});
    case MessageKind::copies:
        return film_.messages.starts_with(node, message) ||
               arrived_at_[as_size(node * places() + place(message, part))];
    case MessageKind::sums: break;
    }
    return true;
}

std::vector<NodeId> Holdings::nodes_with(std::uint64_t message, std::uint32_t part) const
{
    const std::uint64_t where = place(message, part);
    std::vector<NodeId> nodes{at_[as_size(where)]};
    for (auto copy = copies_.lower_bound({where, 0}); copy != copies_.end() && copy->first == where; ++copy)
        nodes.push_back(copy->second);
    return nodes;
}

Contributors Holdings::sum(NodeId node, std::uint64_t message, std::uint32_t part) const
{
    return sums_.held(node, place(message, part));
}

}  // namespace dcube::view

#include "inspect/view/film/holdings.hpp"

#include "base/sizes.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

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

Holdings::Holdings(const Film& film)
    : film_(film), everybody_(Contributors::all(film.recording.topology)),
      sums_(film.messages.count() * film.parts.count())
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
    const NodeId nodes = film_.recording.topology.members();
    for (std::uint64_t message = 0; message < messages.count(); ++message) {
        const MessageEnds ends = messages.ends(message);
        std::uint64_t needing = !ends.target ? nodes : film_.recording.topology.is_member(*ends.target) ? 1 : 0;
        if (messages.kind() == MessageKind::moves)
            needing = ends.origin == ends.target ? 0 : 1;
        else if (messages.kind() == MessageKind::copies || nodes == 1)
            needing = nodes - 1;
        needed_ += needing * film_.parts_of(message);
    }
}

void Holdings::play()
{
    const auto [first, last] = film_.flights_in(++step_);
    std::vector<std::size_t> sent(last - first);
    std::iota(sent.begin(), sent.end(), first);
    arrive_all(sent);
}

void Holdings::play_until(Time tick)
{
    const std::vector<Flight>& flights = film_.recording.flights;
    const auto end_of = [&](std::size_t i) { return flights[i].end; };
    std::vector<std::size_t> there;
    for (std::size_t i = 0; i < flights.size(); ++i)
        if (flights[i].end <= tick)
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
        if (!has(node, row.message, part))
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
    const bool whole = sums_.held(node, where) == everybody_;
    if (!whole || arrived_at_[as_size(node * places() + where)])
        return;
    arrived_at_[as_size(node * places() + where)] = true;
    if (film_.messages.needs(node, message))
        ++arrived_;
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

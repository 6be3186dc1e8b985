#include "inspect/export/dependencies.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <unordered_map>

namespace dcube {

namespace {

// Bytes of one message that have arrived at one node.
struct Arrival {
    std::uint64_t begin;
    std::uint64_t end;
    std::uint32_t flight;
    std::optional<Contributors> sum{};  // for reductions; empty: unknown
};

struct Range {
    std::uint64_t begin;
    std::uint64_t end;
};

bool overlap(const Arrival& one, const Range& range)
{
    return one.begin < range.end && range.begin < one.end;
}

// The nodes that have contributed to a piece of a reduction, if they are known.
std::optional<Contributors> contributors(const Piece& piece)
{
    if (piece.sum_of)
        return *piece.sum_of;
    if (piece.origin)
        return Contributors(*piece.origin);
    return std::nullopt;
}

// The parts of a range that no arrival has brought yet.
std::vector<Range> missing(const std::vector<Arrival>& arrivals, const Range& range)
{
    std::vector<Range> left{range};
    for (const Arrival& one : arrivals) {
        std::vector<Range> rest;
        for (const Range& part : left) {
            if (!overlap(one, part)) {
                rest.push_back(part);
                continue;
            }
            if (part.begin < one.begin)
                rest.push_back({part.begin, one.begin});
            if (one.end < part.end)
                rest.push_back({one.end, part.end});
        }
        left = std::move(rest);
    }
    return left;
}

// The arrivals that make up `sum`, sent by `sender`: larger sums are taken first, and of equal ones the first. All
// possible candidates if contributors are unknown, or if no such choice gives the sum.
std::vector<std::uint32_t> made_of(const std::optional<Contributors>& sum, std::vector<const Arrival*> candidates,
                                   NodeId sender)
{
    const auto all = [&] {
        std::vector<std::uint32_t> flights;
        for (const Arrival* const one : candidates)
            if (!sum || !one->sum || sum->contains(*one->sum))
                flights.push_back(one->flight);
        return flights;
    };
    const bool told = std::ranges::all_of(candidates, [](const Arrival* one) { return one->sum.has_value(); });
    if (!sum || !told)
        return all();
    std::ranges::stable_sort(candidates, std::greater<>(), [](const Arrival* one) { return one->sum->size(); });
    Contributors needed = *sum;
    std::vector<std::uint32_t> flights;
    for (const Arrival* const one : candidates)
        if (needed.contains(*one->sum)) {
            needed.remove(*one->sum);
            flights.push_back(one->flight);
        }
    return needed.empty() || needed == Contributors(sender) ? flights : all();
}

// The bytes that have arrived so far, message by message.
class Arrived {
public:
    explicit Arrived(const Recording& recording)
        : recording_(recording), reduction_(is_reduction(recording.problem.collective))
    {
    }

    void add(std::uint32_t flight)
    {
        const Flight& one = recording_.flights[flight];
        for (const Piece& piece : recording_.pieces_of(one)) {
            std::vector<Arrival>& arrivals = arrivals_[key(one.to, piece)];
            const Range range{piece.offset, piece.offset + piece.length};
            if (reduction_)
                arrivals.push_back({range.begin, range.end, flight, contributors(piece)});
            else if (piece.origin != one.to)  // no node waits for its own bytes
                for (const Range& part : missing(arrivals, range))
                    arrivals.push_back({part.begin, part.end, flight});
        }
    }

    // Adds the flights without which this one could not leave.
    void find(std::uint32_t flight, std::vector<std::uint32_t>& found) const
    {
        const Flight& one = recording_.flights[flight];
        for (const Piece& piece : recording_.pieces_of(one)) {
            const auto there = arrivals_.find(key(one.from, piece));
            if (there == arrivals_.end())
                continue;
            const Range range{piece.offset, piece.offset + piece.length};
            if (reduction_) {
                find_sum(there->second, range, contributors(piece), one.from, found);
                continue;
            }
            for (const Arrival& arrival : there->second)
                if (overlap(arrival, range))
                    found.push_back(arrival.flight);
        }
    }

private:
    using Key = std::tuple<NodeId, NodeId, NodeId>;  // node, origin, target
    struct Hash {
        std::size_t operator()(const Key& key) const
        {
            const auto& [node, origin, target] = key;
            constexpr std::size_t odd = 0x9E3779B97F4A7C15;
            return ((node * odd + origin) * odd + target) * odd >> 8;
        }
    };

    [[nodiscard]] Key key(NodeId node, const Piece& piece) const
    {
        constexpr NodeId nobody = ~NodeId{0};
        return {node, reduction_ ? nobody : piece.origin.value_or(nobody), piece.target.value_or(nobody)};
    }

    // Different parts of the range may be made of different arrivals.
    static void find_sum(const std::vector<Arrival>& arrivals, const Range& range,
                         const std::optional<Contributors>& sum, NodeId sender, std::vector<std::uint32_t>& found)
    {
        std::vector<std::uint64_t> cuts{range.begin, range.end};
        for (const Arrival& one : arrivals)
            if (overlap(one, range)) {
                cuts.push_back(std::max(one.begin, range.begin));
                cuts.push_back(std::min(one.end, range.end));
            }
        std::ranges::sort(cuts);
        const auto [end, last] = std::ranges::unique(cuts);
        cuts.erase(end, last);
        for (std::size_t i = 1; i < cuts.size(); ++i) {
            std::vector<const Arrival*> candidates;
            for (const Arrival& one : arrivals)
                if (overlap(one, {cuts[i - 1], cuts[i]}))
                    candidates.push_back(&one);
            const std::vector<std::uint32_t> parts = made_of(sum, std::move(candidates), sender);
            found.insert(found.end(), parts.begin(), parts.end());
        }
    }

    const Recording& recording_;
    bool reduction_;
    std::unordered_map<Key, std::vector<Arrival>, Hash> arrivals_;
};

}  // namespace

Dependencies::Dependencies(const Recording& recording) : first_{0}
{
    const auto& flights = recording.flights;
    Arrived arrived(recording);
    std::size_t not_yet = 0;  // packets that arrive in a step can leave in the next
    for (std::uint32_t i = 0; i < flights.size(); ++i) {
        for (; flights[not_yet].step < flights[i].step; ++not_yet)
            arrived.add(static_cast<std::uint32_t>(not_yet));
        std::vector<std::uint32_t> found;
        arrived.find(i, found);
        std::ranges::sort(found);
        const auto [end, last] = std::ranges::unique(found);
        all_.insert(all_.end(), found.begin(), end);
        first_.push_back(all_.size());
    }
}

}  // namespace dcube

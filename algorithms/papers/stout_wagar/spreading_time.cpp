#include "algorithms/papers/stout_wagar/spreading_time.hpp"

#include "algorithms/papers/stout_wagar/opposite_corner_send.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/cut.hpp"
#include "algorithms/programs/walked_time.hpp"
#include "base/arithmetic.hpp"
#include "base/planning.hpp"

#include <algorithm>
#include <bit>

namespace dcube::detail {

namespace {

// One group after the other spreads from node 0 of an n-cube to node 2^n - 1. A link is one level's, so its packets
// leave in the order of their groups.
class SpreadingWalk {
public:
    SpreadingWalk(unsigned n, const LinkModel& link)
        : n_(n), order_(level_by_level(n)), links_(link, std::size_t{bit(n)} * n), held_(bit(n))
    {
    }

    // Returns when all of a group has arrived that is usable at node 0 from `usable` on.
    Time spread(std::size_t bytes, Time usable)
    {
        held_[0] = {{bytes, usable}};
        for (const NodeId x : order_)
            if (x + 1 != bit(n_))
                send_parts(x);
        Time last = 0;
        for (const Arrived& packet : held_.back())
            last = std::max(last, packet.time);
        held_.back().clear();
        return last;
    }

    [[nodiscard]] const WalkedLinks& links() const { return links_; }

private:
    struct Arrived {
        std::size_t bytes;
        Time time;
    };

    // The bytes that have come to x, joined, are cut in as many parts as x has 0 bits; a part is usable when the
    // packets whose bytes it has are.
    void send_parts(NodeId x)
    {
        std::vector<Arrived>& held = held_[x];
        std::size_t bytes = 0;
        for (const Arrived& packet : held)
            bytes += packet.bytes;
        const std::size_t parts = n_ - static_cast<unsigned>(std::popcount(x));
        std::size_t part = 0;
        std::size_t first = 0;   // the first packet that the part has bytes of,
        std::size_t behind = 0;  // and the bytes before it
        for (NodeId zeros = ~x & (bit(n_) - 1); zeros != 0; zeros &= zeros - 1, ++part) {
            const auto [offset, length] = balanced_part(bytes, parts, part);
            if (length == 0)
                continue;
            while (behind + held[first].bytes <= offset)
                behind += held[first++].bytes;
            Time usable = 0;
            std::size_t at = behind;
            for (std::size_t i = first; at < offset + length; at += held[i++].bytes)
                usable = std::max(usable, held[i].time);
            const auto port = static_cast<Port>(std::countr_zero(zeros));
            const Time end = links_.depart(std::size_t{x} * n_ + port, length, usable);
            held_[x ^ bit(port)].push_back({length, end});
        }
        held.clear();
    }

    unsigned n_;
    std::vector<NodeId> order_;
    WalkedLinks links_;
    std::vector<std::vector<Arrived>> held_;  // by every node, in the order in which they are joined
};

// Whether going through this many packets takes more than half a second.
bool is_too_much(unsigned n, std::size_t m, std::size_t groups)
{
    return std::uint64_t{n} * bit(n) / 2 > 4 * most_walked / std::max<std::size_t>(1, std::min(m, groups));
}

Exact limit_of_stages(const std::vector<std::size_t>& largest, std::size_t groups, const LinkCosts& costs)
{
    Exact time = 0;
    std::size_t most = 0;
    for (const std::size_t bytes : largest) {
        time += costs.packet(bytes);
        most = std::max(most, bytes);
    }
    return time + costs.packets(groups - 1, most);
}

}  // namespace

std::vector<std::size_t> spreading_parts(unsigned n, std::size_t m)
{
    std::vector<std::size_t> parts;
    std::size_t held = m;
    for (unsigned k = 0; k < n; ++k) {
        parts.push_back(ceil_div(held, n - k));
        held = std::min(m, parts.back() * (k + 1));
    }
    return parts;
}

std::optional<Rational> walked_spreading(unsigned n, std::size_t m, std::size_t groups, const LinkModel& link)
{
    if (is_too_much(n, m, groups))
        return std::nullopt;
    SpreadingWalk walk(n, link);
    for (std::size_t q = 0; q < std::min(m, groups); ++q) {
        planning("virtual time", static_cast<double>(q) / static_cast<double>(groups));
        walk.spread(balanced_part(m, groups, q).length, 0);
    }
    return walk.links().finish_in_ns();
}

// A group crosses the detour's link as one packet, there and back.
std::optional<Rational> walked_detour(unsigned n, std::size_t m, std::size_t groups, const LinkModel& link)
{
    if (is_too_much(n, m, groups))
        return std::nullopt;
    SpreadingWalk walk(n, link);
    WalkedLinks there(link, 1);
    WalkedLinks back(link, 1);
    for (std::size_t q = 0; q < std::min(m, groups); ++q) {
        planning("virtual time", static_cast<double>(q) / static_cast<double>(groups));
        const std::size_t group = balanced_part(m, groups, q).length;
        back.depart(0, group, walk.spread(group, there.depart(0, group, 0)));
    }
    return back.finish_in_ns();
}

Exact spreading_limit(unsigned n, std::size_t m, std::size_t groups, const LinkCosts& costs)
{
    return limit_of_stages(spreading_parts(n, ceil_div(m, groups)), groups, costs);
}

Exact detour_limit(unsigned n, std::size_t m, std::size_t groups, const LinkCosts& costs)
{
    const std::size_t group = ceil_div(m, groups);
    std::vector<std::size_t> largest = spreading_parts(n, group);
    largest.insert(largest.end(), {group, group});
    return limit_of_stages(largest, groups, costs);
}

}  // namespace dcube::detail

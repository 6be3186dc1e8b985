#include "judge/sum_errors.hpp"

#include <fmt/format.h>

#include <limits>
#include <optional>

namespace dcube {

namespace {

constexpr Time ever = std::numeric_limits<Time>::max();

/// Everybody in a sum that is there at `now` and fits.
template <class Fits>
Contributors everybody(std::span<const HeldSum> held, Time now, const Fits& fits)
{
    Contributors nodes;
    for (const HeldSum& sum : held)
        if (sum.since <= now && fits(*sum.nodes))
            nodes.unite(*sum.nodes);
    return nodes;
}

Contributors everybody(std::span<const HeldSum> held, Time now)
{
    return everybody(held, now, [](const Contributors&) { return true; });
}

/// Why a sum cannot be made although everybody is there; "" if that is not known.
std::string why_not_added_up(const Contributors& wanted, std::span<const HeldSum> held, Time now)
{
    const auto within = [&](const Contributors& nodes) { return wanted.contains(nodes); };
    if (const auto alone = wanted.first_not_in(everybody(held, now, within)))
        for (const HeldSum& sum : held)
            if (sum.since <= now && sum.nodes->contains(*alone))
                return fmt::format("it has node {}'s contribution only added to node {}'s", *alone,
                                   *sum.nodes->first_not_in(wanted));
    if (make_sum(wanted, held, now).answer == Partition::Answer::unknown)
        return fmt::format("no way to make it was found among the first {} that were tried", most_tried_sets);
    Contributors counted;
    for (const HeldSum& sum : held) {
        if (sum.since > now || !within(*sum.nodes))
            continue;
        if (const auto twice = counted.first_common(*sum.nodes))
            return fmt::format("that counts node {}'s contribution twice", *twice);
        counted.unite(*sum.nodes);
    }
    return {};
}

}  // namespace

std::string why_not_made(const Record& record, const Contributors& told, std::span<const HeldSum> held,
                         std::string_view part)
{
    if (const auto absent = told.first_not_in(everybody(held, ever)))
        return fmt::format("node {} sends node {}'s contribution to {} in step {} but does not have it yet",
                           record.from, *absent, part, record.step);
    if (const auto absent = told.first_not_in(everybody(held, record.start)))
        return fmt::format("node {} sends node {}'s contribution to {} before the packet that brought it has ended",
                           record.from, *absent, part);
    if (make_sum(told, held, ever).possible())
        return fmt::format("node {} sends {}, summed over {}, before the packets that brought the sums for it have "
                           "ended",
                           record.from, part, to_string(told));
    return fmt::format("node {} sends {}, summed over {}, which cannot be made of what it holds: {}", record.from, part,
                       to_string(told), why_not_added_up(told, held, record.start));
}

std::string why_not_complete(NodeId node, const Contributors& all, std::span<const HeldSum> held, std::string_view part)
{
    if (const auto absent = all.first_not_in(everybody(held, ever)))
        return fmt::format("at the end node {} lacks node {}'s contribution to {}", node, *absent, part);
    return fmt::format("at the end node {} cannot make {} of what it holds: {}", node, part,
                       why_not_added_up(all, held, ever));
}

}  // namespace dcube

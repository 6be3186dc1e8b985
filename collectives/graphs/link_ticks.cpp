#include "collectives/graphs/link_ticks.hpp"

#include "base/exact.hpp"
#include "base/sizes.hpp"

namespace dcube::detail {

LinkTicks in_ticks(const Rational& tau, const Rational& beta, std::uint64_t ticks_per_ns)
{
    const auto ticks = [&](const Rational& ns) {
        return static_cast<Time>(to_rational(exact(ns) * ticks_per_ns).numerator);
    };
    return {ticks(tau), ticks(beta)};
}

std::vector<LinkTicks> link_ticks(const Topology& topology, const LinkModel& link)
{
    const std::uint64_t ticks_per_ns = link.ticks_per_ns();
    std::vector<LinkTicks> all(allocatable(topology.directed_links()), in_ticks(link.tau, link.beta, ticks_per_ns));
    if (topology.fabric().links.empty())
        return all;
    for (NodeId node = 0; node < topology.nodes(); ++node)
        for (Port port = 0; port < topology.ports(node); ++port)
            if (const TimedLink* const own = topology.timed_link(node, port))
                all[as_size(topology.link(node, port))] = in_ticks(own->tau, own->beta, ticks_per_ns);
    return all;
}

}  // namespace dcube::detail

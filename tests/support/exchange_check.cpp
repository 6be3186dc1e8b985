#include "tests/support/exchange_check.hpp"

#include "tests/support/schedule_trace.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dcube::test {

std::string exchange_fault(const Topology& topology, PortModel ports, const Schedule& schedule, Routes routes)
{
    if (!std::ranges::is_sorted(schedule.hops, {}, &Hop::step))
        return "its hops are not in the order of their steps";
    const Step last = schedule.hops.empty() ? 0 : schedule.hops.back().step;
    if (last != schedule.steps)
        return fmt::format("it has {} steps, but the last hop is of step {}", schedule.steps, last);
    const auto [fault, counts] = test_support::run_schedule(topology, ports, {Collective::all_to_all, 8}, schedule);
    if (fault.empty() && routes == Routes::shortest && counts.transmissions != topology.sum_of_statuses())
        return fmt::format("it sends {} packets, not {}", counts.transmissions, topology.sum_of_statuses());
    return fault;
}

}  // namespace dcube::test

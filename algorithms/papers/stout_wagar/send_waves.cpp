// Send by broadcasting: BROADCAST 4, stopped when the target has everything. Stout & Wagar 1990, section 4 (ARBITRARY
// SEND 2). n = the distance on a d-cube, m bytes, g groups.
//
//   waves             ARBITRARY SEND 2  min(n+g+1, d+g-1) stages of tau ceil(m/(dg)) + beta
//   waves-relabelled  ours              n+g stages of the same, for d/2 <= n <= d-2
//
// The paper prints n+g-1 stages; its times are those of n+g+1. Exact if dg divides m, else at most that. Transmissions:
// every packet is sent C(d,a) times by the nodes with a 1 bits, as far as the stages go. Nothing is planned.

#include "algorithms/papers/stout_wagar/send_waves.hpp"

#include "algorithms/papers/stout_wagar/broadcast.hpp"
#include "algorithms/papers/stout_wagar/send_case.hpp"

#include <algorithm>
#include <bit>

namespace dcube::detail {

Step wave_send_stages(unsigned d, unsigned n, std::size_t g, SecondWave second)
{
    return static_cast<Step>(second == SecondWave::relabelled ? n + g : std::min(n + g + 1, d + g - 1));
}

Exact wave_send_time(const SendCase& send, const GroupedMessage& message, std::size_t g, SecondWave second,
                     const LinkCosts& costs)
{
    return costs.packets(wave_send_stages(send.d, send.distance(), g, second), message.largest_part(send.d * g));
}

std::uint32_t wave_send_groups(const SendCase& send, const GroupedMessage& message, const Problem& problem,
                               SecondWave second)
{
    const LinkCosts costs(problem.link);
    const unsigned n = send.distance();
    const unsigned more = second == SecondWave::relabelled ? n : std::min(n + 1, send.d - 1);
    return chosen_groups(message, problem, Exact(more) / send.d,
                         [&](std::size_t g) { return wave_send_time(send, message, g, second, costs); });
}

namespace {

// tau swaps the z-th dimension outside D with the z-th in D: the second wave carries P_tau(idx) instead of P_(idx + 1),
// so the target gets what it lacks first.
std::vector<Port> relabelling(const SendCase& send)
{
    std::vector<Port> tau(send.d);
    for (Port j = 0; j < send.d; ++j)
        tau[j] = j;
    const std::vector<Port> inside = send.dims();
    const std::vector<Port> outside = send.other_dims();
    for (std::size_t z = 0; z < outside.size(); ++z)
        std::swap(tau[outside[z]], tau[inside[z]]);
    return tau;
}

WaveRule relabelled(std::uint32_t groups, std::vector<Port> tau)
{
    return [groups, tau = std::move(tau)](unsigned d, NodeId n, Port j, Step k) -> Sent {
        const auto a = static_cast<Step>(std::popcount(n));
        if (k < a || k - a > groups)
            return silent;
        const Step q = k - a;
        const Port i = idx(d, n, j);
        return q < groups ? q * d + i : (groups - 1) * d + tau[i];
    };
}

// In stages 0 .. stages - 1 the nodes with a 1 bits send group q if q + a < stages. A packet is on C(d,a) of their
// links.
std::uint64_t transmissions(const GroupedMessage& message, std::uint64_t g, Step stages, SecondWave second)
{
    const unsigned d = message.d;
    const auto links_of_first = [&](std::uint64_t levels) {  // the links of levels 0 .. levels - 1
        std::uint64_t links = 0;
        for (unsigned a = 0; a <= d && a < levels; ++a)
            links += choose(d, a).convert_to<std::uint64_t>();
        return links;
    };
    // All levels send the groups before the last d + 1; of the others as many as the stages leave time for.
    const std::uint64_t late = std::min<std::uint64_t>(g, d + 1);
    std::uint64_t count = message.packets_of_first(g, g - late) * (std::uint64_t{1} << d);
    for (std::uint64_t q = g - late; q < g; ++q)
        count += (message.packets_of_first(g, q + 1) - message.packets_of_first(g, q)) * links_of_first(stages - q);
    const std::uint64_t levels = stages - std::min<std::uint64_t>(g, stages);
    const std::uint64_t second_levels =
        second == SecondWave::relabelled ? levels : std::min<std::uint64_t>(levels, d < 2 ? 0 : d - 1);
    return count + message.packets_of_last(g) * links_of_first(second_levels);
}

}  // namespace

Stream arbitrary_send_2(const Topology& topology, const Problem& problem, SecondWave second)
{
    const SendCase send = send_case(topology, problem);
    const GroupedMessage message(topology, problem);
    const std::uint32_t g = wave_send_groups(send, message, problem, second);
    const Step steps = wave_send_stages(send.d, send.distance(), g, second);
    return wave_stream(message, g, steps,
                       second == SecondWave::relabelled ? relabelled(g, relabelling(send)) : pipelined(g),
                       transmissions(message, g, steps, second));
}

}  // namespace dcube::detail

#pragma once
// ARBITRARY SEND 2 (Stout & Wagar 1990, section 4): a broadcast that stops when the target has everything.

#include "algorithms/papers/stout_wagar/groups.hpp"
#include "algorithms/papers/stout_wagar/send_case.hpp"
#include "algorithms/programs/stream.hpp"

#include <cstddef>
#include <cstdint>

namespace dcube::detail {

enum class SecondWave : std::uint8_t {
    next_packet,  // BROADCAST 4's: P_(idx + 1)
    relabelled,   // the packets that the target lacks
};

Stream arbitrary_send_2(const Topology& topology, const Problem& problem, SecondWave second);

// The stages and the time over n of d dimensions, in g groups.
Step wave_send_stages(unsigned d, unsigned n, std::size_t g, SecondWave second);
Exact wave_send_time(const SendCase& send, const GroupedMessage& message, std::size_t g, SecondWave second,
                     const LinkCosts& costs);
// The groups that the problem asks for, or those of least time.
std::uint32_t wave_send_groups(const SendCase& send, const GroupedMessage& message, const Problem& problem,
                               SecondWave second);

}  // namespace dcube::detail

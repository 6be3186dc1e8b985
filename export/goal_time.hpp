#pragma once
// LogGOPSim's parameters for a machine of ours, and whether it will find our time.

#include "export/dependencies.hpp"
#include "run/recording.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace dcube {

/// The flags under which LogGOPSim's packets take as long as ours: L = g = tau + beta and G = tau, so that a packet of
/// m bytes takes L + (m - 1) G = tau m + beta; with unit links L = g = 1 and G = 0. Times are in units.
struct GoalParameters {
    std::uint64_t latency = 1;   ///< L, and g
    std::uint64_t per_byte = 0;  ///< G
    std::uint64_t ticks = 1;     ///< of ours in a unit; 1 with unit links, where a unit is a step
    std::string unit{};          ///< "steps", "ns", "units of 5/2 ns"

    [[nodiscard]] std::uint64_t duration(std::uint64_t bytes) const { return latency + (bytes - 1) * per_byte; }
};
/// Throws InvalidArgument for times that LogGOPSim cannot count.
GoalParameters goal_parameters(const LinkModel& link);

/// "-L 1 -g 1 -G 0 -o 0 -O 0 -S 2000000000"
std::string goal_flags(const GoalParameters& parameters);

/// How the time that LogGOPSim finds compares with ours, which is in units too.
struct GoalTime {
    enum class Relation : std::uint8_t {
        equal,
        earlier,    ///< packets that wait in our run, though their bytes are there and their link is free, do not wait
        one_by_one  ///< where packets meet at a node LogGOPSim takes them one after the other, as they come
    };
    std::uint64_t ours = 0;
    Relation relation = Relation::equal;
};
GoalTime goal_time(const Recording& recording, const Dependencies& dependencies, const GoalParameters& parameters);

}  // namespace dcube
